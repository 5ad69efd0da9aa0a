import { copyFile, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { findSteps } from '#domain/videos/record-step.ts';
import type { TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';

const Clip = z.object({
  file: z.string(),
  truth: z.object({ spoken: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).default([]) }).optional(),
});

/** A film of which every spoken line is known, in an archive that was told of none. */
export interface SpokenClip {
  readonly id: string;
  readonly file: string;
  /** Times in seconds. */
  readonly spoken: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}

/** Brings in the shared clips with captions, without them; returns when it is known where somebody speaks in each. */
export async function bringInSpokenClips(archive: TestIngest, media: string): Promise<SpokenClip[]> {
  const lines = (await readFile(join(media, 'videos-open.jsonl'), 'utf8')).split('\n').filter((line) => line !== '');
  const clips: SpokenClip[] = [];
  for (const { file, truth } of lines.map((line) => Clip.parse(JSON.parse(line)))) {
    if (!truth || truth.spoken.length === 0) continue;
    const path = join(archive.scratch, basename(file));
    await copyFile(join(media, file), path);
    const { id } = await archive.ingest(path);
    clips.push({ id, file, spoken: truth.spoken });
  }
  for (const { id } of clips) await untilSettled(archive, id, 'speech');
  return clips;
}

/** Waits until a step of a film is done, skipped or has failed. */
export async function untilSettled({ context }: TestIngest, id: string, step: string): Promise<void> {
  const isSettled = async () =>
    (await findSteps(context.pool, id)).some((one) => one.step === step && !['waiting', 'running'].includes(one.state));
  await until(isSettled, { withinMs: 3 * 60 * 60_000 });
}
