import { join } from 'node:path';
import { z } from 'zod';
import { readTranscript } from '#domain/existing-work/read-transcript.ts';
import { sha256Of } from '#domain/files/sha256.ts';
import { isForStore } from '#domain/files/store-away.ts';
import { type Cue, cuesToMoments, cuesWithin, type ParsedSubtitles } from '#domain/subtitles/cue.ts';
import { readSubtitles } from '#domain/subtitles/read-subtitles.ts';
import { writeCaptions } from '#domain/subtitles/write-captions.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { fallbackLanguage } from '#domain/videos/video.ts';
import { readKeptSidecars } from '../footage/sidecars.ts';
import { toldLanguageOf, toMainLanguage } from '../known-of-film.ts';
import type { SubtitleStream } from '../media/media-description.ts';
import { prepareOriginalInput } from '../original-input.ts';
import { isDiskFull } from '../run-steps.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import { type ProbeResult, probe } from './probe.ts';
import { renditions } from './renditions.ts';

const CaptionsResult = z.object({
  source: z.enum(['sidecar', 'embedded', 'machine']).nullable(),
  warnings: z.array(z.string()),
  /** SHA-256 of the text with its times: what was found in other words is looked for anew. Earlier versions noted none. */
  text: z.string().optional(),
});
type CaptionsResult = z.infer<typeof CaptionsResult>;

const textCodecs = new Set(['subrip', 'srt', 'ass', 'ssa', 'mov_text', 'webvtt', 'text']);
const scanFactor = 1;

/** Spoken text that was found, and where. */
interface Spoken {
  readonly cues: readonly Cue[];
  readonly source: NonNullable<CaptionsResult['source']>;
  /** The recogniser, where one wrote it. */
  readonly engine: string | undefined;
}

/**
 * Finds the spoken text: subtitles beside the film, else an embedded text track, else a recogniser's transcript, in the film's language
 * if there is a choice. What a person wrote goes before what a recogniser heard, unless both say the same and only the recogniser tells
 * when each word begins. Bad subtitles never fail a film.
 */
export const captions: Step<CaptionsResult> = {
  name: 'captions',
  version: 1,
  needs: [probe, renditions],
  optional: true,
  class: 'playable',
  share: 3,
  Result: CaptionsResult,
  run: readSpokenText,
};

async function readSpokenText(context: StepContext): Promise<StepOutcome<CaptionsResult>> {
  const warnings: string[] = [];
  const probed = context.resultOf(probe);
  const { durationInSeconds } = context.resultOf(renditions);
  const { store } = context;
  const came = await readKeptSidecars(store, context.video.keys.sidecars);
  const { subtitles, transcripts } = came;
  // The film's facts may have been read by the step before, and say more than its record did when this was begun.
  const language = came.facts.language ?? context.video.language;
  const isGuess = language === fallbackLanguage && toldLanguageOf(came) === undefined;
  const film = { durationInSeconds, warnings, language, isGuess };
  const texts = probed.description.subtitles.filter((track) => textCodecs.has(track.codec));
  const tracks = texts.filter(({ forced }) => !forced).toSorted((a, b) => Number(a.hearingImpaired) - Number(b.hearingImpaired));
  warnings.push(...texts.filter(({ forced }) => forced).map(({ index }) => `track ${index} not used: it is marked as forced`));
  const written =
    (await readFirstSpoken(subtitles, {
      ...film,
      source: 'sidecar',
      name: () => 'sidecar',
      read: ({ key }) => store.withLocalCopy(key, readSubtitles),
    })) ??
    (await readFirstSpoken(await fetchTracks(context, tracks), {
      ...film,
      source: 'embedded',
      name: ({ index }) => `track ${index}`,
      read: (track) => extract(context, probed, track),
    }));
  const heard = await readFirstSpoken(transcripts, {
    ...film,
    source: 'machine',
    name: () => 'transcript',
    read: ({ key }) => store.withLocalCopy(key, readTranscript),
  });
  const best = written && heard && !tellsMore(heard, written) ? written : (heard ?? written);
  if (heard && best === written) warnings.push('transcript not used: the video has subtitles');
  if (best) await store.put(context.video.keys.captions, Buffer.from(writeCaptions(best.cues)));
  // What lies there though a record says that none were found was read from pictures by an earlier version. A film that is tried again has no record.
  else if (context.resultIfAny(captions)?.source !== null)
    await store.remove(context.video.keys.captions, 'The subtitles it was made from are gone.');
  const moments = best ? cuesToMoments(best.cues, { ...best, durationInSeconds }) : [];
  const result = { source: best?.source ?? null, warnings, ...(best ? { text: sha256Of(JSON.stringify(best.cues)) } : {}) };
  return { is: 'done', result, remark: warnings.join('; ') || null, layers: [{ name: 'captions', moments }] };
}

/** Tracks whose file is on this machine: where it cannot be had, none of them is to blame. */
async function fetchTracks(context: StepContext, tracks: readonly SubtitleStream[]): Promise<readonly SubtitleStream[]> {
  if (tracks.length > 0) await context.original();
  return tracks;
}

interface WayToRead<T> {
  readonly source: Spoken['source'];
  readonly name: (choice: T) => string;
  readonly read: (choice: T) => Promise<ParsedSubtitles>;
  readonly language: string;
  /** Whether nothing says that the film is in this language. */
  readonly isGuess: boolean;
  readonly durationInSeconds: number;
  readonly warnings: string[];
}

interface Choice {
  readonly language: string | null;
  readonly preferred?: boolean;
}

/** The first of several choices that says anything within the film. */
async function readFirstSpoken<T extends Choice>(choices: readonly T[], way: WayToRead<T>): Promise<Spoken | undefined> {
  for (const choice of orderByLanguage(choices, way)) {
    const { cues, engine } = await cuesOf(choice, way);
    if (cues.length > 0) return { cues, engine, source: way.source };
  }
  return undefined;
}

async function cuesOf<T>(choice: T, { name, read, durationInSeconds, warnings }: WayToRead<T>): Promise<ParsedSubtitles> {
  try {
    const parsed = await read(choice);
    const cues = cuesWithin(parsed.cues, durationInSeconds);
    if (cues.length < parsed.cues.length)
      warnings.push(`${name(choice)}: ${parsed.cues.length - cues.length} subtitles past the end ignored`);
    warnings.push(...parsed.warnings.map((warning) => `${name(choice)}: ${warning}`));
    return { ...parsed, cues };
  } catch (error) {
    // A store or a disk that fails says nothing of the subtitles.
    if ((error instanceof Error && error.name === 'AbortError') || isForStore(error) || isDiskFull(error)) throw error;
    warnings.push(`${name(choice)} not used: ${errorMessageOf(error)}`);
    return { cues: [], warnings: [] };
  }
}

/** Recognisers write subtitles and transcript at once: the same words, and only the transcript tells when each begins. */
function tellsMore(heard: Spoken, written: Spoken): boolean {
  const tells = ({ cues }: Spoken) => cues.some((cue) => cue.wordStartsMs);
  const letters = ({ cues }: Spoken) => cues.map((cue) => cue.text.replace(/\s+/gu, '')).join('');
  return tells(heard) && !tells(written) && letters(heard) === letters(written);
}

async function extract(context: StepContext, probed: ProbeResult, track: SubtitleStream): Promise<ParsedSubtitles> {
  const path = join(context.workFolder, `track-${track.index}.vtt`);
  const input = await prepareOriginalInput(context, { durationInSeconds: probed.durationInSeconds, factor: scanFactor });
  await context.tools.extractSubtitles(input, { stream: track.index, startSeconds: probed.description.startSeconds, path });
  return await readSubtitles(path);
}

/** The film's own language first, then those that name none, then the others; where it is a guess, what players show goes before all. */
function orderByLanguage<T extends Choice>(choices: readonly T[], { language, isGuess }: { language: string; isGuess: boolean }): T[] {
  const rank = (choice: T) => {
    if (isGuess && choice.preferred) return -1;
    if (choice.language === null || choice.language === 'und') return 1;
    return toMainLanguage(choice.language) === toMainLanguage(language) ? 0 : 2;
  };
  return choices.toSorted((a, b) => rank(a) - rank(b));
}
