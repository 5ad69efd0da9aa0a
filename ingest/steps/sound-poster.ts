import { z } from 'zod';
import { drawTitlePoster } from '#domain/files/title-poster.ts';
import type { StepContext } from '../ingest-context.ts';

export const SoundPosterResult = z.object({ frames: z.literal(0), decodesCleanly: z.literal(true) });
export type SoundPosterResult = z.infer<typeof SoundPosterResult>;

/** Gives a recording without pictures a poster that shows its title. */
export async function drawSoundPoster(context: StepContext): Promise<SoundPosterResult> {
  await context.store.put(context.video.keys.poster, drawTitlePoster(context.video.name));
  return { frames: 0, decodesCleanly: true };
}
