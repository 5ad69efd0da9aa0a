import { z } from 'zod';
import { largerRenditionsStep } from '#domain/videos/record-step.ts';
import { addRenditions, copyTracks, encodeSizes, fitsRendition, putRenditions, sizesOf } from '../make-renditions.ts';
import { playsAsItIs } from '../media/plays-as-it-is.ts';
import type { Step, StepContext, StepOutcome } from '../step.ts';
import { type ProbeResult, probe } from './probe.ts';
import { type StillsResult, stills } from './stills.ts';

const RenditionsResult = z.object({
  /** The length that players will see; from the decoded film where it was decoded. */
  durationInSeconds: z.number(),
  streamingPreset: z.enum(['SingleBitrate', 'AdaptiveBitrate']),
  /** Whether there are larger sizes that were left for later. */
  leavesLarger: z.literal(true).optional(),
});
type RenditionsResult = z.infer<typeof RenditionsResult>;

/**
 * Makes the film playable: its own tracks cut into segments where browsers play them, else encoded. A film that nobody can watch yet is
 * encoded in its smallest size, so that it can be watched soon; one that plays is not made smaller, and has all its sizes at once.
 */
export const renditions: Step<RenditionsResult> = {
  name: 'renditions',
  version: 1,
  needs: [probe, stills],
  optional: false,
  class: 'playable',
  share: 74,
  Result: RenditionsResult,
  run: makeRenditions,
};

async function makeRenditions(context: StepContext): Promise<StepOutcome<RenditionsResult>> {
  const probed = context.resultOf(probe);
  const drawn = context.resultOf(stills);
  const asItIs = drawn.decodesCleanly && playsAsItIs(probed) ? await copyTracks(context, probed) : undefined;
  const isRight =
    asItIs !== undefined && Math.abs(asItIs.durationInSeconds - probed.durationInSeconds) < 0.5 + probed.durationInSeconds * 0.02;
  const sizes = sizesOf(probed);
  const first = context.video.isPublished ? sizes : sizes.slice(0, 1);
  const playable = await putRenditions(context, isRight ? [asItIs] : await encodeSizes(context, probed, first));
  const durationInSeconds = isTrueLength(probed, drawn) ? probed.durationInSeconds : playable;
  const streamingPreset = isRight ? 'SingleBitrate' : 'AdaptiveBitrate';
  const later = !isRight && first.length < sizes.length ? ({ leavesLarger: true } as const) : {};
  return { is: 'done', result: { durationInSeconds, streamingPreset, ...later } };
}

/** Whether the packets' own times hold: the whole film was decoded without complaint, and its clock never jumped. */
function isTrueLength({ scan }: ProbeResult, { decodesCleanly }: StillsResult): boolean {
  return decodesCleanly && (scan.video?.timeJumps ?? 0) === 0 && (scan.audio?.timeJumps ?? 0) === 0;
}

const LargerResult = z.object({ renditions: z.number().int() });
type LargerResult = z.infer<typeof LargerResult>;

/**
 * Encodes a film that plays in its smallest size in the larger ones as well. Where these are not cut as the smallest is, as by another tool,
 * or because the film has another file by now, all sizes are made at once and take its place: players change between them.
 */
export const largerRenditions: Step<LargerResult> = {
  name: largerRenditionsStep,
  version: 1,
  needs: [probe, renditions],
  optional: true,
  class: 'understood',
  share: 30,
  Result: LargerResult,
  run: makeLarger,
};

async function makeLarger(context: StepContext): Promise<StepOutcome<LargerResult>> {
  if (!context.resultOf(renditions).leavesLarger) return { is: 'skipped', reason: 'The video has all its sizes already.' };
  const probed = context.resultOf(probe);
  const [smallest, ...larger] = sizesOf(probed);
  const made = await encodeSizes(context, probed, larger);
  if (smallest && (await fitsRendition(context, smallest, made))) await addRenditions(context, made);
  else await putRenditions(context, await encodeSizes(context, probed, sizesOf(probed)));
  return { is: 'done', result: { renditions: made.length } };
}
