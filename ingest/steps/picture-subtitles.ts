import { z } from 'zod';
import { type Cue, cuesToMoments } from '#domain/subtitles/cue.ts';
import { writeCaptions } from '#domain/subtitles/write-captions.ts';
import { type TextMoment, textsInFilm } from '../analysis/texts-in-film.ts';
import { EngineUsed, toEngineUsed } from '../engines/engine.ts';
import { paddleText } from '../engines/paddle-text.ts';
import type { TextReader } from '../engines/text-reader.ts';
import { toMainLanguage } from '../known-of-film.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import { captions } from './captions.ts';
import { probe } from './probe.ts';
import { readInStretches } from './text.ts';

const PictureSubtitlesResult = EngineUsed.extend({ lines: z.number().int() });
type PictureSubtitlesResult = z.infer<typeof PictureSubtitlesResult>;

const pictureCodecs = new Set(['hdmv_pgs_subtitle', 'dvd_subtitle']);
/** What the reader reads, and tracks that do not say what they are in. */
const languages = new Set(['en', 'und']);
/** They are looked at so often, in this size. */
const everySeconds = 0.25;
const size = { width: 1_280, height: 720 };

/** The reader of texts in pictures, on those of a track of subtitles. */
export const subtitleReader: TextReader = {
  ...paddleText,
  name: 'PaddleOCR on subtitles',
  goodAt: 'English picture subtitles (PGS, VobSub) of videos without other captions; not measured. Misses a slanted letter now and then.',
};

/** Reads subtitles that are pictures, where nothing else tells what is said. */
export const pictureSubtitles: Step<PictureSubtitlesResult> = {
  name: 'picture-subtitles',
  version: 1,
  needs: [probe, captions],
  optional: true,
  class: 'understood',
  share: 1,
  Result: PictureSubtitlesResult,
  run: readPictures,
};

async function readPictures(context: StepContext): Promise<StepOutcome<PictureSubtitlesResult>> {
  const { description, durationInSeconds } = context.resultOf(probe);
  const tracks = description.subtitles.filter(({ codec, forced }) => pictureCodecs.has(codec) && !forced);
  const readable = tracks.filter(({ language }) => languages.has(toMainLanguage(language ?? 'und')));
  const track = readable.find(({ hearingImpaired }) => !hearingImpaired) ?? readable[0];
  const hasCaptions = context.resultOf(captions).source !== null;
  if (tracks.length === 0 || !track || hasCaptions) await keepRead(context, []);
  if (tracks.length === 0) return { is: 'skipped', reason: 'There are no picture subtitles.', layers: [] };
  if (!track) return { is: 'skipped', reason: 'The picture subtitles are in a language that cannot be read yet.', layers: [] };
  const used = toEngineUsed(subtitleReader);
  // What it read before there were any is no longer told.
  if (hasCaptions) return { is: 'done', result: { lines: 0, ...used }, remark: 'Not read: the video has captions.', layers: [] };
  const stretches = await readInStretches(context, {
    engine: subtitleReader,
    what: `track ${track.index}`,
    everySeconds,
    size,
    draw: (input, stretch) => context.tools.drawSubtitles(input, { ...stretch, stream: track.index }),
    // One that did not change is not read again.
    secondsToRead: ({ fromSeconds, lengthSeconds }) =>
      Array.from({ length: Math.ceil(lengthSeconds / everySeconds) }, (_, n) => fromSeconds + n * everySeconds),
  });
  const engine = `${subtitleReader.name} ${subtitleReader.version}`;
  const cues = cuesOf(textsInFilm(stretches, { everySeconds, durationInSeconds, engine }).moments);
  await keepRead(context, cues);
  const moments = cuesToMoments(cues, { source: 'machine', engine, durationInSeconds });
  return { is: 'done', result: { lines: moments.length, ...used }, layers: [{ name: 'captions', moments }] };
}

/** Puts what was read in the place of what was read before, also by a version that kept it where captions lie that came with the film. */
async function keepRead(context: StepContext, cues: readonly Cue[]): Promise<void> {
  const { store, video } = context;
  const gone = 'The picture subtitles it was read from are gone.';
  if (cues.length > 0) await store.put(video.keys.readCaptions, Buffer.from(writeCaptions(cues)));
  else await store.remove(video.keys.readCaptions, gone);
  if (context.resultOf(captions).source === null) await store.remove(video.keys.captions, gone);
}

/** Lines that stand one below the other for the same time are one subtitle. */
function cuesOf(lines: readonly TextMoment[]): Cue[] {
  const nearMs = everySeconds * 1_000;
  const cues: Cue[] = [];
  for (const { startMs, endMs, text, confidencePercent } of lines) {
    const n = cues.findIndex((cue) => Math.abs(cue.startMs - startMs) <= nearMs && Math.abs(cue.endMs - endMs) <= nearMs);
    const above = cues[n];
    if (above)
      cues[n] = { ...above, text: `${above.text} ${text}`, confidencePercent: Math.min(above.confidencePercent ?? 100, confidencePercent) };
    else cues.push({ startMs, endMs, text, confidencePercent });
  }
  return cues;
}
