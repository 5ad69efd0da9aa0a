import { findSteps, holdStep } from '#domain/videos/record-step.ts';
import type { IngestContext } from './ingest-context.ts';
import { runStep } from './run-step.ts';
import type { FootageInHand, Step, StepClass } from './step.ts';
import { isDue, missingNeed, type StepRecords } from './step-records.ts';

/** How far the steps of a class have come with a film. */
export type StepsRun =
  | { readonly is: 'finished' | 'long-film' | 'others-first' }
  /** A step that the film can do without has failed, and may do better in a while. */
  | { readonly is: 'try-again'; readonly inSeconds: number };

export interface RunOptions {
  /** The whole table. */
  readonly steps: readonly Step[];
  readonly class: StepClass;
  readonly signal: AbortSignal;
  /** Whether the film belongs to the lane of long ones, by what is known of it. */
  readonly isTooLong: (records: StepRecords) => boolean;
  /** Asked before each step. */
  readonly mayGoOn: () => Promise<boolean>;
}

/**
 * Takes a film through the steps of a class that wait for it, in order. A step that was done before, by this worker or by one that died,
 * is not done again; a step that was cut off begins anew and leaves the same result. Throws what a step threw that the film cannot do
 * without, once that is noted.
 */
export async function runSteps(context: IngestContext, footage: FootageInHand, options: RunOptions): Promise<StepsRun> {
  const { pool } = context;
  const { video } = footage;
  const own = options.steps.filter((step) => step.class === options.class);
  for (const [n, step] of own.entries()) {
    const records = await lookUp(context, video.id);
    if (!isDue(step, records, video)) continue;
    options.signal.throwIfAborted();
    if (options.isTooLong(records)) return { is: 'long-film' };
    if (!(await options.mayGoOn())) return { is: 'others-first' };
    const missing = missingNeed(step, records);
    if (missing) {
      await holdStep(pool, video.id, { step: step.name, reason: `It needs “${missing.name}”, which has no result.` });
      continue;
    }
    const percentBefore = own.slice(0, n).reduce((sum, { share }) => sum + share, 0);
    const inSeconds = await runStep(context, footage, { ...options, step, records, percentBefore });
    if (inSeconds !== undefined) return { is: 'try-again', inSeconds };
    // Somebody cancelled what the film cannot do without.
    if (!step.optional && (await lookUp(context, video.id)).get(step.name)?.state === 'failed') return { is: 'finished' };
  }
  return { is: 'finished' };
}

async function lookUp({ pool }: IngestContext, videoId: string): Promise<StepRecords> {
  return new Map((await findSteps(pool, videoId)).map((record) => [record.step, record]));
}
