import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { errorMessage } from '#domain/db/error-message.ts';
import type { Moment } from '#domain/moments/moment.ts';
import { originalInput, type StepContext } from '../ingest-context.ts';
import type { SubtitleStream } from '../media-description.ts';
import { readKeptSidecars } from '../sidecars.ts';
import type { Cue, ParsedSubtitles } from '../subtitles/cue.ts';
import { cuesToMoments, cuesWithin } from '../subtitles/cues-to-moments.ts';
import { readOwnCaptions, readSubtitles } from '../subtitles/read-subtitles.ts';
import { writeCaptions } from '../subtitles/write-captions.ts';
import type { ProbeResult } from './probe.ts';

export const SubtitlesResult = z.object({ source: z.enum(['sidecar', 'embedded']).nullable(), warnings: z.array(z.string()) });
export type SubtitlesResult = z.infer<typeof SubtitlesResult>;

const textCodecs = new Set(['subrip', 'srt', 'ass', 'ssa', 'mov_text', 'webvtt', 'text']);
const scanFactor = 1;

/** Finds the spoken text: a sidecar, else an embedded text track, in the film's language if there is a choice. Bad subtitles never fail a film. */
export async function readSpokenText(context: StepContext, probed: ProbeResult, durationInSeconds: number): Promise<SubtitlesResult> {
  const warnings: string[] = [];
  const sidecars = await readKeptSidecars(context.video.files.sidecars);
  for (const sidecar of inLanguageOrder(sidecars.subtitles, context.video.language)) {
    const cues = await cuesOf(() => readSubtitles(sidecar.path), { name: 'sidecar', durationInSeconds, warnings });
    if (cues.length > 0) return await keepCaptions(context, cues, { source: 'sidecar', warnings });
  }
  const tracks = probed.description.subtitles.filter((track) => textCodecs.has(track.codec));
  for (const track of inLanguageOrder(tracks, context.video.language)) {
    const cues = await cuesOf(() => extract(context, probed, track), { name: `track ${track.index}`, durationInSeconds, warnings });
    if (cues.length > 0) return await keepCaptions(context, cues, { source: 'embedded', warnings });
  }
  await rm(context.video.files.captions, { force: true });
  return { source: null, warnings };
}

/** The moments of the captions that this step kept. */
export async function momentsOfCaptions(context: StepContext, kept: SubtitlesResult, durationInSeconds: number): Promise<Moment[]> {
  if (kept.source === null) return [];
  const { cues } = await readOwnCaptions(context.video.files.captions);
  return cuesToMoments(cues, { durationInSeconds, source: kept.source });
}

async function cuesOf(
  read: () => Promise<ParsedSubtitles>,
  about: { name: string; durationInSeconds: number; warnings: string[] },
): Promise<Cue[]> {
  try {
    const parsed = await read();
    const cues = cuesWithin(parsed.cues, about.durationInSeconds);
    if (cues.length < parsed.cues.length)
      about.warnings.push(`${about.name}: ${parsed.cues.length - cues.length} cues past the end left out`);
    about.warnings.push(...parsed.warnings.map((warning) => `${about.name}: ${warning}`));
    return cues;
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    about.warnings.push(`${about.name} not used: ${errorMessage(error)}`);
    return [];
  }
}

async function extract(context: StepContext, probed: ProbeResult, track: SubtitleStream): Promise<ParsedSubtitles> {
  const path = join(context.workFolder, `track-${track.index}.vtt`);
  const input = originalInput(context, { durationInSeconds: probed.durationInSeconds, factor: scanFactor });
  await context.tools.extractSubtitles(input, { stream: track.index, startSeconds: probed.description.startSeconds, path });
  return await readSubtitles(path);
}

async function keepCaptions(context: StepContext, cues: readonly Cue[], result: SubtitlesResult): Promise<SubtitlesResult> {
  const path = join(context.workFolder, 'captions.vtt');
  await writeFile(path, writeCaptions(cues));
  await rename(path, context.video.files.captions);
  return result;
}

/** The film's own language first, then those that name none, then the others. */
function inLanguageOrder<T extends { readonly language: string | null }>(choices: readonly T[], language: string): T[] {
  const main = (code: string) => code.toLowerCase().slice(0, 2);
  const rank = (choice: T) =>
    choice.language === null || choice.language === 'und' ? 1 : main(choice.language) === main(language) ? 0 : 2;
  return choices.toSorted((a, b) => rank(a) - rank(b));
}
