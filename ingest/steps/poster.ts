import { join } from 'node:path';
import { z } from 'zod';
import { findCorrections } from '#domain/moments/corrections.ts';
import { chosenPosterMs, posterStep, showPoster } from '#domain/videos/desk/poster.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import { refusal } from '../step-failure.ts';
import { requireWhole } from '../whole-output.ts';
import { probe } from './probe.ts';
import { drawPosterAt, stills } from './stills.ts';

const PosterResult = z.object({ atMs: z.number().int() });
type PosterResult = z.infer<typeof PosterResult>;

/** Draws the second of a film that an editor chose to stand for it, beside the poster that the archive chose. */
export const poster: Step<PosterResult> = {
  ...{ name: posterStep, version: 1, needs: [probe, stills], optional: true, class: 'understood', share: 0 },
  Result: PosterResult,
  run: drawChosen,
};

async function drawChosen(context: StepContext): Promise<StepOutcome<PosterResult>> {
  const { pool, store, video } = context;
  const probed = context.resultOf(probe);
  const picture = probed.description.video;
  for (;;) {
    const atMs = chosenPosterMs(await findCorrections(pool, video.id));
    if (atMs === null || !picture) {
      await showPoster(pool, video.id, null);
      return { is: 'skipped', reason: 'The archive chose its poster.' };
    }
    const path = join(context.workFolder, 'chosen.jpg');
    if (!(await drawPosterAt(context, { probed, video: picture, atSeconds: atMs / 1_000, path })))
      throw refusal('processing_failed', 'There is no picture at the second that was chosen as the poster. Choose another one.');
    await requireWhole([path], context.workFolder);
    await store.put(video.keys.chosenPoster, { path });
    // Somebody may have chosen another one meanwhile.
    if (await showPoster(pool, video.id, atMs)) return { is: 'done', result: { atMs } };
  }
}
