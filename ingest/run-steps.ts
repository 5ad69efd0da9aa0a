import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { serverLimits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import type { Pool } from '#domain/db/database.ts';
import { isForStore } from '#domain/files/store-away.ts';
import { ClaimLost } from '#domain/jobs/worker-lease.ts';
import { untilStopped } from '#domain/scheduling/in-time.ts';
import { errorCodeOf } from '#domain/system/error-code.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import type { Say } from '#domain/system/log.ts';
import { redrawTitle } from '#domain/videos/desk/poster.ts';
import { findFootage } from '#domain/videos/footage.ts';
import { publishLayers } from '#domain/videos/recompose-video.ts';
import {
  failStep,
  findSteps,
  finishStep,
  holdStep,
  isRunning,
  nameScratch,
  recordProgress,
  skipStep,
  startStep,
} from '#domain/videos/record-step.ts';
import { sayWhySkipped } from '#domain/videos/speech-of-film.ts';
import { dropPieces, findPiece, keepPiece } from '#domain/videos/step-pieces.ts';
import { dropOutdated } from '#domain/videos/steps.ts';
import type { IngestContext } from './ingest-context.ts';
import type { FootageInHand, Step, StepClass, StepContext, StepOutcome } from './step.ts';
import { StepFailure, tellDetails } from './step-failure.ts';
import { isDue, missingNeedOf, namesOfNeeding, readResultIfAny, resultOf, type StepRecords } from './step-records.ts';

/** How far the steps of a class have come with a film. */
export type StepsRun =
  | { readonly is: 'finished' | 'long-film' | 'others-first' }
  /** A step that the film can do without has failed, or has no room for what it makes, and may do better in a while. */
  | { readonly is: 'try-again'; readonly inSeconds: number };

const lookForRoomEverySeconds = 60;

interface RunOptions {
  /** The whole table. */
  readonly steps: readonly Step[];
  readonly class: StepClass;
  readonly signal: AbortSignal;
  /** Hears of every step that fails. */
  readonly log: Say;
  /** Whether the film belongs to the queue of long ones, by what is known of it. */
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
  let lacksRoom = false;
  for (const [n, step] of own.entries()) {
    const records = await lookUp(context, video.id);
    if (!isDue(step, records, video)) continue;
    options.signal.throwIfAborted();
    if (options.isTooLong(records)) return { is: 'long-film' };
    // What is done with another file is done by its own job.
    if (!((await hasSameFile(context, video)) && (await options.mayGoOn()))) return { is: 'others-first' };
    const missing = missingNeedOf(step, records);
    if (missing) {
      const why = { is: 'no-need', need: missing.name } as const;
      if (missing.is === 'given-up') {
        await skipStep(pool, video.id, { step: step.name, reason: why });
        await dropOutdated(context, { videoId: video.id, step: step.name });
      } else await holdStep(pool, video.id, { step: step.name, reason: sayWhySkipped(why) });
      continue;
    }
    const percentBefore = own.slice(0, n).reduce((sum, { share }) => sum + share, 0);
    try {
      const inSeconds = await runStep(context, footage, { ...options, step, records, percentBefore });
      if (inSeconds !== undefined) return { is: 'try-again', inSeconds };
    } catch (error) {
      // It waits, and those behind it need less: nothing of it was begun.
      if (!(step.optional && errorCodeOf(error) === 'storage_full')) throw error;
      options.log(`video ${video.id}: ${errorMessageOf(error)}`, { video: video.id, step: step.name });
      lacksRoom = true;
    }
    // Somebody cancelled what the film cannot do without.
    if (!step.optional && (await lookUp(context, video.id)).get(step.name)?.state === 'failed') return { is: 'finished' };
  }
  return lacksRoom ? { is: 'try-again', inSeconds: lookForRoomEverySeconds } : { is: 'finished' };
}

/** Whether a film still has the file that it had when the work on it began. */
async function hasSameFile({ pool }: IngestContext, { id, contentHash }: FootageInHand['video']): Promise<boolean> {
  return (await findFootage(pool, id))?.contentHash === contentHash;
}

async function lookUp({ pool }: IngestContext, videoId: string): Promise<StepRecords> {
  return new Map((await findSteps(pool, videoId)).map((record) => [record.step, record]));
}

interface StepRun {
  readonly step: Step;
  readonly steps: readonly Step[];
  readonly records: StepRecords;
  readonly signal: AbortSignal;
  readonly log: Say;
  /** How much of the work of its class was done before it. */
  readonly percentBefore: number;
}

/**
 * Runs one step and notes what became of it; returns after how many seconds it may be tried again, undefined when that is settled. Throws
 * what it threw where the film cannot do without it, or where it is not the step that is to blame: a disk that is full, a worker that stops.
 */
async function runStep(context: IngestContext, footage: FootageInHand, run: StepRun): Promise<number | undefined> {
  const { pool, folder } = context;
  const { video } = footage;
  const { step } = run;
  const attempts = await startStep(pool, video.id, step.name);
  const workFolder = join(folder.work, nameScratch(video.id, step.name));
  await rm(workFolder, { recursive: true, force: true });
  await mkdir(workFolder, { recursive: true });
  const progress = await tellProgress(context, video.id, run);
  const cancelling = watchCancelling(pool, { videoId: video.id, step: step.name });
  const signal = AbortSignal.any([run.signal, cancelling.signal]);
  try {
    const results = {
      resultOf: <T>(need: Step<T>) => resultOf(need, run.records),
      resultIfAny: <T>(other: Step<T>) => readResultIfAny(other, run.records),
    };
    const outcome = await step.run({
      ...context,
      ...footage,
      ...results,
      original: () => untilStopped(footage.original(), signal),
      workFolder,
      signal,
      progress: progress.tell,
      piece: pieceOf(context, video, { step, onPiece: progress.piece }),
    });
    throwIfLost(run.signal);
    if (await hasSameFile(context, video)) await noteOutcome(context, video.id, { ...run, outcome });
    else await holdStep(pool, video.id, { step: step.name, reason: anotherFile });
    return undefined;
  } catch (error) {
    if (!(run.signal.aborted || (await hasSameFile(context, video)))) {
      await holdStep(pool, video.id, { step: step.name, reason: anotherFile });
      return undefined;
    }
    // It is noted already, by whoever cancelled it.
    const isCancelled = cancelling.signal.aborted && !run.signal.aborted;
    const mayDoBetter = !isCancelled && (await noteFailure(context, video.id, { ...run, error }));
    if (mayDoBetter && attempts < serverLimits.triesPerJob) return 2 ** attempts;
    await dropPieces(pool, video.id, step.name);
    await dropOutdated(context, { videoId: video.id, step: step.name });
    return undefined;
  } finally {
    cancelling.stop();
    // Another worker of this machine may be at the same step.
    if (!(run.signal.reason instanceof ClaimLost)) await rm(workFolder, { recursive: true, force: true });
  }
}

const anotherFile = 'The file has been replaced since this was done.';

/** Whoever has the film now notes what becomes of its steps. */
function throwIfLost(signal: AbortSignal): void {
  if (signal.reason instanceof ClaimLost) throw signal.reason;
}

async function noteOutcome(context: IngestContext, videoId: string, done: StepRun & { outcome: StepOutcome<unknown> }): Promise<void> {
  const { step, steps, outcome } = done;
  const { name, version } = step;
  // Once more if this is cut off here: the same layers take the place of the same.
  const made = { madeBy: name, version, onlyWhileRunning: true };
  if (outcome.layers) await publishLayers(context.pool, videoId, { ...made, layers: outcome.layers });
  // They may say what the film is called.
  if (outcome.layers?.some((layer) => layer.name === 'catalogue')) await redrawTitle(context, videoId);
  if (outcome.is === 'skipped') {
    await skipStep(context.pool, videoId, { ...outcome, step: name, forgets: outcome.layers !== undefined });
    await dropOutdated(context, { videoId, step: name });
  } else {
    const needing = namesOfNeeding(step, steps);
    await finishStep(context.pool, videoId, { step: name, version, result: outcome.result, message: outcome.remark ?? null, needing });
  }
  await dropPieces(context.pool, videoId, name);
}

/** A piece of one file is none of another: a worker may keep it late. */
function pieceOf(
  { pool }: IngestContext,
  { id, contentHash }: FootageInHand['video'],
  { step: { name, version }, onPiece }: { step: Step; onPiece: Progress['piece'] },
): StepContext['piece'] {
  return async (piece, Result, work) => {
    const key = { videoId: id, step: name, piece: `${version} ${contentHash} ${piece}` };
    const kept = Result.safeParse(await findPiece(pool, key));
    onPiece({ wasKept: kept.success });
    if (kept.success) return kept.data;
    const result = await work();
    await keepPiece(pool, key, result);
    return result;
  };
}

/** Returns whether another try may do better. */
async function noteFailure({ pool }: IngestContext, videoId: string, failed: StepRun & { error: unknown }): Promise<boolean> {
  const { step, error, signal } = failed;
  const hold = (reason: string) => holdStep(pool, videoId, { step: step.name, reason });
  throwIfLost(signal);
  if (signal.aborted) {
    await hold('The worker was stopped; the next one continues.');
    throw error;
  }
  if (isDiskFull(error)) {
    await hold(error instanceof Problem ? error.message : 'The archive’s disk is full.');
    throw error;
  }
  if (isForStore(error)) {
    await hold('The media store does not answer or a file is missing; this resumes once it is back.');
    throw error;
  }
  const kind = error instanceof StepFailure ? error.kind : undefined;
  const message = errorMessageOf(error);
  if (kind?.is === 'tool-missing') {
    if (!step.optional || kind.isOnItsWay) {
      await hold(message);
      throw error;
    }
    await skipStep(pool, videoId, { step: step.name, reason: message, lacksEngine: true });
    return false;
  }
  const code = kind && 'code' in kind ? kind.code : undefined;
  const isForPeople = kind !== undefined || error instanceof Problem;
  const says = isForPeople ? message : 'This step ended unexpectedly.';
  await failStep(pool, videoId, { step: step.name, message: says, code, details: tellDetails(error) });
  // What a tool said at last may quote the film: that stands with the step, for editors.
  failed.log(`video ${videoId}: its step “${step.name}” failed: ${message}`, { video: videoId, step: step.name });
  if (!step.optional) throw error;
  return kind?.is !== 'bad-media';
}

/** Whether there was no room for what was written. */
export function isDiskFull(error: unknown): boolean {
  return ['storage_full', 'ENOSPC'].includes(errorCodeOf(error));
}

const progressEveryMs = 1_000;

interface Progress {
  readonly tell: (share: number) => void;
  /** A piece is begun, or was done when the step was begun before. */
  readonly piece: (how: { readonly wasKept: boolean }) => void;
}

/** Notes that a step begins, and from then on how far it has come, at most once a second; progress that cannot be written is no loss. */
async function tellProgress({ pool }: IngestContext, videoId: string, { step, percentBefore }: StepRun): Promise<Progress> {
  let [keptShare, isAtKept] = [0, false];
  const write = (share: number) =>
    recordProgress(pool, videoId, {
      step: step.name,
      stepPercent: Math.round(share * 100),
      keptPercent: Math.round(keptShare * 100),
      videoPercent: Math.round(percentBefore + share * step.share),
    });
  await write(0);
  let lastMs = Date.now();
  return {
    tell: (share) => {
      if (isAtKept) keptShare = share;
      const nowMs = Date.now();
      if (nowMs - lastMs < progressEveryMs) return;
      lastMs = nowMs;
      write(share).catch(() => {});
    },
    piece: ({ wasKept }) => (isAtKept = wasKept),
  };
}

interface CancellingWatch {
  readonly signal: AbortSignal;
  stop(): void;
}

const lookEveryMs = 1_000;

/** Raises `signal` when somebody cancels a running step. A database that is away for a moment cancels nothing. */
function watchCancelling(pool: Pool, { videoId, step }: { videoId: string; step: string }): CancellingWatch {
  const cancelled = new AbortController();
  const look = async () => {
    if (!(await isRunning(pool, videoId, step))) cancelled.abort();
  };
  const timer = setInterval(() => void look().catch(() => {}), lookEveryMs);
  return { signal: cancelled.signal, stop: () => clearInterval(timer) };
}
