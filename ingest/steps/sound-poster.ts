import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { drawTitlePoster } from '#domain/files/title-poster.ts';
import type { StepContext } from '../ingest-context.ts';

export const SoundPosterResult = z.object({ frames: z.literal(0), decodesCleanly: z.literal(true) });
export type SoundPosterResult = z.infer<typeof SoundPosterResult>;

/** Gives a recording without pictures a poster that shows its title. */
export async function drawSoundPoster(context: StepContext): Promise<SoundPosterResult> {
  const path = join(context.workFolder, 'poster.jpg');
  await writeFile(path, drawTitlePoster(context.video.name));
  await rename(path, context.video.files.poster);
  return { frames: 0, decodesCleanly: true };
}
