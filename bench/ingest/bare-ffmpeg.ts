import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { EncodePlan } from '#ingest/media/media-plans.ts';
import { copyArgs, encodeArgs, makePosterArgs, makeStillsArgs } from '#ingest/tools/ffmpeg-args.ts';
import type { MediaTools } from '#ingest/tools/media-tools.ts';
import { ffmpegPath } from '#testing/media-clips.ts';

const run = promisify(execFile);

/** One call of ffmpeg that makes something of a film: the arguments before its input, and those behind. */
export interface Making {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** What it encodes. */
  readonly encodes?: EncodePlan;
}

/** Media tools that do what these do, and note what they made with the command line: pictures and renditions. */
export function noteMakings(tools: MediaTools, makings: Making[]): MediaTools {
  const note = (after: readonly string[], before: readonly string[] = []) => void makings.push({ before, after });
  return {
    ...tools,
    drawStills: (input, plan) => {
      note(makeStillsArgs(plan));
      const { candidates, poster, folder, ...track } = plan;
      const atSeconds = 12 * candidates.everySeconds;
      const path = `${folder}/poster.jpg`;
      if (poster) {
        const { before, after } = makePosterArgs({ ...track, ...poster, atSeconds, path }, 'shown');
        note(after, before);
      }
      return tools.drawStills(input, plan);
    },
    copyRendition: (input, plan) => {
      note(copyArgs(plan));
      return tools.copyRendition(input, plan);
    },
    encodeRenditions: (input, plan) => {
      noteEncode(plan, makings);
      return tools.encodeRenditions(input, plan);
    },
  };
}

/** Ffmpeg alone would encode all sizes of a film in one pass. */
function noteEncode(plan: EncodePlan, makings: Making[]): void {
  const before = makings.findIndex(({ encodes }) => encodes !== undefined);
  const all = { ...plan, renditions: [...(makings[before]?.encodes?.renditions ?? []), ...plan.renditions] };
  makings.splice(before === -1 ? makings.length : before, 1, { before: [], after: encodeArgs(all), encodes: all });
}

/** Makes the same again by ffmpeg alone, one call after the other, into this folder; how many seconds that took. */
export async function makeBare(film: string, makings: readonly Making[], folder: string): Promise<number> {
  const moved = makings.map(({ before, after }) => ({ before, after: after.map((arg) => inFolder(arg, folder)) }));
  for (const { after } of moved)
    for (const path of after.filter((arg) => arg.startsWith(folder))) await mkdir(dirname(path), { recursive: true });
  const startedAt = performance.now();
  for (const { before, after } of moved)
    await run(ffmpegPath, ['-nostdin', '-y', '-v', 'error', '-threads', '2', ...before, '-i', film, ...after]);
  return (performance.now() - startedAt) / 1_000;
}

/** Where a path of the job's own folder lies in this one; anything else as it is. */
function inFolder(arg: string, folder: string): string {
  return arg.startsWith('/') ? `${folder}/${arg.split('/').slice(-3).join('/')}` : arg;
}
