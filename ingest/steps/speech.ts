import { join } from 'node:path';
import { z } from 'zod';
import { serverLimits } from '#contract/limits.ts';
import { makeCaptionsNotice } from '#domain/moments/captions.ts';
import { type Cue, cuesToMoments } from '#domain/subtitles/cue.ts';
import { writeCaptions } from '#domain/subtitles/write-captions.ts';
import { type HeardLine, heardLineToCue } from '#domain/transcripts/heard-line.ts';
import type { WhySkipped } from '#domain/videos/speech-of-film.ts';
import { dropInvented } from '../analysis/spoken-lines.ts';
import { EngineUsed, toEngineUsed } from '../engines/engine.ts';
import type { Stretch } from '../engines/silero-voice.ts';
import { prepareOriginalInput } from '../original-input.ts';
import { cutIntoChunks } from '../speech/chunk-sound.ts';
import { findSpeechEngines, speechEngineFor } from '../speech/find-speech-engines.ts';
import type { SpeechEngine } from '../speech/speech-engine.ts';
import { findLackingModels } from '../speech/whisper-models.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import { StepFailure } from '../step-failure.ts';
import { captions } from './captions.ts';
import { pictureSubtitles } from './picture-subtitles.ts';
import { probe } from './probe.ts';
import { voice } from './voice.ts';

const SpeechResult = EngineUsed.extend({
  lines: z.number().int(),
  /** Lines that were not believed. */
  invented: z.number().int(),
});
type SpeechResult = z.infer<typeof SpeechResult>;

/** One is kept when it is through: what is cut off repeats no more than that. */
const pieceMs = 5 * 60_000;
/** Recognisers are slow: some take several times the length of a film on an old machine. */
const timeoutFactor = 10;

/** Writes down what is said in films that came without captions, by the first recogniser at hand. */
export const speech: Step<SpeechResult> = {
  name: 'speech',
  version: 1,
  needs: [probe, captions, voice],
  follows: [pictureSubtitles],
  optional: true,
  class: 'understood',
  share: 20,
  Result: SpeechResult,
  run: writeDownSpeech,
};

async function writeDownSpeech(context: StepContext): Promise<StepOutcome<SpeechResult>> {
  const { description, durationInSeconds } = context.resultOf(probe);
  const { stretchesMs } = context.resultOf(voice);
  const hasCaptions = context.resultOf(captions).source !== null || (context.resultIfAny(pictureSubtitles)?.lines ?? 0) > 0;
  if (hasCaptions) return await forgetHeard(context, 'It has captions.');
  if (!description.audio || stretchesMs.length === 0) return await forgetHeard(context, { is: 'nobody-speaks' });
  // Before the engines: a model that comes in between is among them.
  const lacking = await findLackingModels(context);
  const engine = speechEngineFor(await findSpeechEngines(context.speech, context.folder.models), context.video.language);
  if (!engine) return goOnWithout(lacking);
  const { name, version } = engine.engine;
  const longestMs = engine.chunkSeconds * 1_000;
  const chunks = cutIntoChunks(stretchesMs, { longestMs, endMs: Math.round(durationInSeconds * 1_000) });
  const heard: HeardLine[] = [];
  for (const piece of groupIntoPieces(chunks)) {
    heard.push(...(await hearPiece(context, engine, { chunks: piece, stream: description.audio.index })));
    context.progress((piece.at(-1)?.[1] ?? 0) / 1_000 / durationInSeconds);
  }
  const cues = heard.map((line) => cueOf(line, engine));
  const believed = dropInvented(cues, stretchesMs);
  await context.store.put(context.video.keys.heardCaptions, Buffer.from(writeCaptions([makeCaptionsNotice(name), ...believed])));
  const moments = cuesToMoments(believed, { durationInSeconds, source: 'machine', engine: `${name} ${version}`, isRough: engine.isRough });
  const result = { lines: moments.length, invented: cues.length - believed.length, ...toEngineUsed(engine.engine) };
  return { is: 'done', result, layers: [{ name: 'captions', moments }] };
}

/** A film waits for a model that is being copied, as long as no machine has failed to: the other steps stand behind it. */
function goOnWithout(lacking: readonly { readonly failure: string | null }[]): StepOutcome<SpeechResult> {
  if (lacking.some(({ failure }) => failure === null))
    throw new StepFailure(
      { is: 'tool-missing', isOnItsWay: true },
      'The Whisper model is being copied to this machine. The video is waiting for it.',
    );
  return { is: 'skipped', reason: { is: lacking.length > 0 ? 'model-not-copied' : 'no-recogniser' }, lacksEngine: true };
}

/** What was heard while there were no captions, or by another engine, goes. */
async function forgetHeard({ store, video }: StepContext, reason: string | WhySkipped): Promise<StepOutcome<SpeechResult>> {
  await store.remove(video.keys.heardCaptions, 'The sound is gone.');
  return { is: 'skipped', reason, layers: [] };
}

/** No line is surer than its recogniser deserves. */
function cueOf(line: HeardLine, { trust }: SpeechEngine): Cue {
  const cue = heardLineToCue(line);
  return { ...cue, confidencePercent: Math.min(cue.confidencePercent ?? 100, trust * 100) };
}

/** So many chunks at once that they come to the length of a piece. */
function groupIntoPieces(chunks: readonly Stretch[]): Stretch[][] {
  const pieces: Stretch[][] = [];
  for (const chunk of chunks) {
    const piece = pieces.at(-1);
    const from = piece?.[0]?.[0];
    if (piece && from !== undefined && chunk[1] - from <= pieceMs) piece.push(chunk);
    else pieces.push([chunk]);
  }
  return pieces;
}

const Lines = z.array(
  z.object({
    start: z.number(),
    end: z.number(),
    text: z.string(),
    words: z.array(z.object({ text: z.string(), start: z.number().optional(), confidence: z.number().optional() })),
    speaker: z.string().optional(),
    confidence: z.number().optional(),
  }),
);

interface PieceToHear {
  readonly chunks: readonly Stretch[];
  readonly stream: number;
}

/** What is said in a piece, in seconds of the film. */
async function hearPiece(context: StepContext, { engine, hear }: SpeechEngine, { chunks, stream }: PieceToHear): Promise<HeardLine[]> {
  const { description, durationInSeconds } = context.resultOf(probe);
  const [fromMs, endMs] = [chunks[0]?.[0] ?? 0, chunks.at(-1)?.[1] ?? 0];
  const [fromSeconds, lengthSeconds] = [fromMs / 1_000, (endMs - fromMs) / 1_000];
  return await context.piece(`${engine.name} ${engine.version} ${fromMs} to ${endMs}`, Lines, async () => {
    const path = join(context.workFolder, 'sound.pcm');
    const allowed = { durationInSeconds: lengthSeconds, factor: timeoutFactor, silenceMs: serverLimits.toolSilenceMaxMs };
    const input = { ...(await prepareOriginalInput(context, allowed)), onSecond: undefined };
    await context.tools.drawSound(input, { stream, startSeconds: description.startSeconds, fromSeconds, lengthSeconds, path });
    const inSound = chunks.map(([start, end]): Stretch => [start - fromMs, end - fromMs]);
    const lines = await hear(context, {
      input: {
        ...input,
        path,
        outputFolder: undefined,
        onSecond: (second) => context.progress((fromSeconds + second) / durationInSeconds),
      },
      workFolder: context.workFolder,
      chunks: inSound,
    });
    return lines.map((line) => laterBy(line, fromSeconds));
  });
}

function laterBy(line: HeardLine, seconds: number): z.infer<typeof Lines>[number] {
  const words = line.words.map(({ text, start, confidence }) => ({
    text,
    start: start === undefined ? start : start + seconds,
    confidence,
  }));
  return { ...line, start: line.start + seconds, end: line.end + seconds, words };
}
