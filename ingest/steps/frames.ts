import { z } from 'zod';
import { publishVideo } from '#domain/videos/publish-video.ts';
import { encodeSizes, putRenditions, sizesOf } from '../make-renditions.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import { probe } from './probe.ts';
import { playingFactsOf } from './publish.ts';
import { renditions } from './renditions.ts';
import { drawSmall, keepSmall, stills } from './stills.ts';

const FramesResult = z.object({ decodesCleanly: z.boolean() });
type FramesResult = z.infer<typeof FramesResult>;

/**
 * Looks at every picture of a film that plays as it is, whose stills were drawn from its key frames so that nobody had to wait: small frames
 * and storyboard at their very seconds, and an encoded film in the place of its own tracks where these cannot be decoded without complaint.
 */
export const frames: Step<FramesResult> = {
  name: 'frames',
  version: 1,
  needs: [probe, stills, renditions],
  optional: true,
  class: 'understood',
  share: 4,
  Result: FramesResult,
  run: drawFrames,
};

async function drawFrames(context: StepContext): Promise<StepOutcome<FramesResult>> {
  const probed = context.resultOf(probe);
  const { video } = probed.description;
  if (!video || !context.resultOf(stills).fromKeyFrames) return { is: 'skipped', reason: 'All frames have been checked already.' };
  const { plan, report } = await drawSmall(context, { probed, video, keyFramesOnly: false, withPoster: false });
  await keepSmall(context, plan);
  if (report.clean) return { is: 'done', result: { decodesCleanly: true } };
  const durationInSeconds = await putRenditions(context, await encodeSizes(context, probed, sizesOf(probed)));
  await publishVideo(context.pool, { ...playingFactsOf(context), durationInSeconds, streamingPreset: 'AdaptiveBitrate' });
  const remark = 'Some frames cannot be decoded. The video was encoded again so that it plays.';
  return { is: 'done', result: { decodesCleanly: false }, remark };
}
