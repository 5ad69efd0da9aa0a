import { drawTitlePoster } from '#domain/files/title-poster.ts';
import type { StepContext } from '../step.ts';

/** Gives a recording without pictures a poster that shows its title. */
export async function drawSoundPoster(context: StepContext): Promise<void> {
  await context.store.put(context.video.keys.poster, drawTitlePoster(context.video.name));
}
