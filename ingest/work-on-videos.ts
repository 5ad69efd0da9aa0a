/*
 * The worker: takes films from their queues here, run-steps takes each along the table in steps,
 * engines/ and speech/ recognise, analysis/ makes moments of what they saw, tools/ starts every process.
 */
import { serverLimits } from '#contract/limits.ts';
import { wordsOfStep } from '#contract/words-of-step.ts';
import { inTransaction, type Pool } from '#domain/db/database.ts';
import { ensureSpace, listLocalMedia } from '#domain/files/stage-file.ts';
import type { StoredFile } from '#domain/files/store.ts';
import { isForStore } from '#domain/files/store-away.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { refuseFootage } from '#domain/footage/replace-footage.ts';
import { ingestQueue, understandQueue } from '#domain/jobs/ingest-queue.ts';
import type { JobOutcome, JobQueue } from '#domain/jobs/job-queue.ts';
import { withVideoClaim } from '#domain/jobs/worker-lease.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import type { Say } from '#domain/system/log.ts';
import { cleanText } from '#domain/videos/clean-text.ts';
import { isDeleted } from '#domain/videos/deletions.ts';
import { failVideo } from '#domain/videos/fail-video.ts';
import { type Footage, findFootage } from '#domain/videos/footage.ts';
import { findSteps, findStepsOf, forgetReason, holdStep, leaveSteps, planSteps, type StepRecord } from '#domain/videos/record-step.ts';
import { dropAllPieces } from '#domain/videos/step-pieces.ts';
import { findFilmsWithoutJob, registerSteps } from '#domain/videos/steps.ts';
import type { IngestContext } from './ingest-context.ts';
import { withOriginal } from './original-input.ts';
import { isDiskFull, runSteps, type StepsRun } from './run-steps.ts';
import type { Step, StepClass } from './step.ts';
import { type RefusalCode, refusalCodes, StepFailure } from './step-failure.ts';
import { isDue, missingNeedOf, type StepRecords } from './step-records.ts';
import { probe } from './steps/probe.ts';
import { steps as allSteps } from './steps.ts';

/** A queue of films, worked through one at a time. Long films leave the queue that they come in by for one of their own, so that short ones need not wait. */
interface FilmQueue {
  readonly name: string;
  readonly class: StepClass;
  /** Where long films go on; none from their own queue. */
  readonly longQueue?: string;
}

const filmQueues: readonly FilmQueue[] = [
  { name: ingestQueue, class: 'playable', longQueue: `${ingestQueue}-long` },
  { name: `${ingestQueue}-long`, class: 'playable' },
  { name: understandQueue, class: 'understood', longQueue: `${understandQueue}-long` },
  { name: `${understandQueue}-long`, class: 'understood' },
];

const longFromSeconds = 10 * 60;
// To walk over so much takes minutes by itself.
const longFromBytes = 4_000_000_000;
const finished: JobOutcome = { is: 'finished' };
/** The claim of a machine that is gone stands for 25 s, see `openPool`. */
const waitForOthersSeconds = 4;
const waitForPlayableSeconds = 5;
const waitForSpaceSeconds = 5;
const [waitForToolSeconds, waitForOriginalSeconds] = [60, 60];
const waitForStoreSeconds = 5;

interface WorkOptions {
  readonly log: Say;
  /** Which of the two this machine does; both where nothing is said. */
  readonly classes?: readonly StepClass[] | undefined;
  /** What is done with a film, where that is not all. */
  readonly steps?: readonly Step[];
}

interface Work extends Required<WorkOptions> {
  readonly context: IngestContext;
  readonly queue: JobQueue;
  /** Films that wait for room, each with its step that says so. */
  readonly lackRoom: Map<string, { readonly step: string; readonly reason: string }>;
}

/** Takes footage from the queues, one film at a time from each, until the queue is stopped. */
export async function workOnVideos(
  context: IngestContext,
  queue: JobQueue,
  { log, classes = ['playable', 'understood'], steps = allSteps }: WorkOptions,
): Promise<void> {
  const work: Work = { context, queue, log, classes, steps, lackRoom: new Map() };
  await registerSteps(context.pool, steps);
  for (const from of filmQueues.filter((one) => classes.includes(one.class))) {
    await queue.work(from.name, async ({ videoId = '' }, signal, priority) => {
      // A second worker that is handed the same video, because the first one seemed dead, leaves it alone.
      const outcome = await withVideoClaim(context.pool, videoId, (lost) =>
        workOnOne(work, videoId, { from, priority, signal: AbortSignal.any([signal, lost]) }),
      );
      return outcome ?? { is: 'retry-later', inSeconds: waitForOthersSeconds, keepsPlace: true };
    });
    await queue.work(`${from.name}-dead`, async ({ videoId = '' }) => {
      // Another job of the film may have a worker at it.
      const outcome = await withVideoClaim(context.pool, videoId, () => giveUp(context, videoId));
      return outcome ?? { is: 'retry-later', inSeconds: waitForOthersSeconds };
    });
  }
}

/**
 * Gives the queue the films that could be worked on and of which it knows nothing, as when its rows were lost; returns how many. Films whose steps can
 * only wait are left alone, and those at whose step worker after worker ended.
 */
export async function enqueueLeftFilms(
  { pool, queue }: { pool: Pool; queue: Pick<JobQueue, 'enqueue'> },
  steps: readonly Step[] = allSteps,
): Promise<number> {
  let count = 0;
  for (let afterId: string | undefined = ''; afterId !== undefined; ) {
    const from: string = afterId;
    const films = await inTransaction(pool, async (db) => {
      const left = await findFilmsWithoutJob(db, from);
      const stepsOf = await findStepsOf(
        db,
        left.map(({ id }) => id),
      );
      for (const video of left) {
        const from = queueFor(video, { steps, records: recordsFrom(stepsOf.get(video.id) ?? []) });
        if (!from) continue;
        await queue.enqueue(from, { videoId: video.id }, { db });
        count += 1;
      }
      return left;
    });
    afterId = films.at(-1)?.id;
  }
  return count;
}

/** Where a film goes on; undefined where nothing would be done with it. */
function queueFor(
  video: { isPublished: boolean },
  { steps, records }: { steps: readonly Step[]; records: StepRecords },
): string | undefined {
  if (!video.isPublished) return ingestQueue;
  if ([...records.values()].some(({ state, attempts }) => state === 'running' && attempts >= serverLimits.triesPerJob)) return undefined;
  const due = steps.filter((step) => isDue(step, records, video) && missingNeedOf(step, records)?.is !== 'to-come');
  if (due.length === 0) return undefined;
  return due.some((step) => step.class === 'playable') ? ingestQueue : understandQueue;
}

interface FromQueue {
  readonly from: FilmQueue;
  /** Of its job, and of those in which it goes on. */
  readonly priority: number;
  readonly signal: AbortSignal;
}

async function workOnOne(work: Work, videoId: string, on: FromQueue): Promise<JobOutcome> {
  const { context } = work;
  const found = await findFootage(context.pool, videoId);
  if (!found || found.state === 'Failed' || found.state === 'Quarantined') return finished;
  if (on.from.class === 'understood' && found.state !== 'Processed') return finished;
  try {
    const original = await findOriginal(work, videoId);
    if (!original) return { is: 'retry-later', inSeconds: waitForOriginalSeconds };
    // Whatever a film is not through yet waits; one that is published is done again only with what somebody asked for.
    if (found.state !== 'Processed') await planSteps(context.pool, found.id, namesOf(work.steps));
    await requireRoom(work, found, on.from);
    const run =
      original.sizeBytes >= longFromBytes && on.from.longQueue ? ({ is: 'long-film' } as const) : await runStepsOf(work, found, on);
    return await goOn(work, videoId, { ...on, run });
  } catch (error) {
    return await settleFailure(work, found, { error, signal: on.signal });
  }
}

/** Throws a Problem where the disk has no room for more; the first step that is due then says so, for as long as that is true. */
async function requireRoom({ context, steps, lackRoom }: Work, { id, state }: Footage, from: FilmQueue): Promise<void> {
  const { pool, folder, reserveBytes } = context;
  try {
    await ensureSpace([folder.root, ...listLocalMedia(context)], 0, reserveBytes);
  } catch (error) {
    const records = await recordsOf(context, id);
    const due = steps.find((step) => step.class === from.class && isDue(step, records, { isPublished: state === 'Processed' }));
    if (due && isDiskFull(error)) {
      const held = { step: due.name, reason: errorMessageOf(error) };
      lackRoom.set(id, held);
      await holdStep(pool, id, held);
    }
    throw error;
  }
  for (const [videoId, held] of lackRoom) {
    lackRoom.delete(videoId);
    await forgetReason(pool, videoId, held);
  }
}

/** Null where it is not there at this moment: that says nothing of the film. */
async function findOriginal({ context, log }: Work, videoId: string): Promise<StoredFile | null> {
  const original = await context.store.stat(toVideoKeys(videoId).original);
  if (!original) log(`video ${videoId}: its original is missing; restore the media folder, this waits for it`, { video: videoId });
  return original;
}

async function runStepsOf({ context, queue, classes, steps, log }: Work, found: Footage, { from, signal }: FromQueue): Promise<StepsRun> {
  const { pool, store } = context;
  const keys = toVideoKeys(found.id);
  const isPublished = found.state === 'Processed';
  const givesWay = from.class === 'understood' && classes.includes('playable');
  return await withOriginal(store, keys.original, (original) =>
    runSteps(
      context,
      { video: { ...found, keys, isPublished }, original },
      {
        steps,
        signal,
        class: from.class,
        log,
        isTooLong: (records) => from.longQueue !== undefined && lengthInSeconds(records) >= longFromSeconds,
        // The next try of one that was deleted meanwhile ends. Short films play within minutes; to encode a long one may take a day, and
        // whatever plays already is understood beside that: both give way to searches. Who makes nothing playable, or could make nothing more so, helps nobody by waiting.
        mayGoOn: async () => !(await isDeleted(pool, found.id)) && !(givesWay && (await queue.hasWork([ingestQueue]))),
      },
    ),
  );
}

/** What follows when a film is through with a queue. */
async function goOn(
  { context, queue, steps }: Work,
  videoId: string,
  { from, priority, run }: FromQueue & { run: StepsRun },
): Promise<JobOutcome> {
  // What is half done is not put behind all that is to be begun.
  if (run.is === 'try-again') return { is: 'retry-later', inSeconds: run.inSeconds, keepsPlace: true };
  if (run.is === 'others-first') return { is: 'retry-later', inSeconds: waitForPlayableSeconds, keepsPlace: true };
  if (run.is === 'long-film' && from.longQueue) await queue.enqueue(from.longQueue, { videoId }, { priority });
  if (run.is === 'finished' && from.class === 'playable') {
    const records = await recordsOf(context, videoId);
    const isWaiting = steps.some((step) => step.class === 'understood' && isDue(step, records, { isPublished: true }));
    if (isWaiting) await queue.enqueue(understandQueue, { videoId }, { priority });
  }
  return finished;
}

async function settleFailure(work: Work, found: Footage, { error, signal }: { error: unknown; signal: AbortSignal }): Promise<JobOutcome> {
  const { log } = work;
  const videoId = found.id;
  if (signal.aborted) return { is: 'retry-later', inSeconds: 0, keepsPlace: true };
  if (isForStore(error)) {
    log(`video ${videoId}: ${errorMessageOf(error)}; it waits, and goes on when the store is there`, { video: videoId, error });
    return { is: 'retry-later', inSeconds: waitForStoreSeconds };
  }
  if (isDiskFull(error)) {
    log(`video ${videoId}: the archive's disk is full; it waits, and goes on when there is room`, { video: videoId });
    return { is: 'retry-later', inSeconds: waitForSpaceSeconds };
  }
  if (error instanceof StepFailure && error.kind.is === 'tool-missing') return { is: 'retry-later', inSeconds: waitForToolSeconds };
  if (error instanceof StepFailure && error.kind.is === 'bad-media') {
    // A disk that went away under a tool looks like a damaged film.
    if (!(await findOriginal(work, videoId))) return { is: 'retry-later', inSeconds: waitForOriginalSeconds };
    return await refuse(work, found, { code: error.kind.code, message: error.message });
  }
  log(`video ${videoId}: ${errorMessageOf(error)}; another try follows`, { video: videoId, level: 'error', error });
  throw error;
}

async function refuse(
  { context, queue, log }: Work,
  { id, contentHash }: Footage,
  { code, message }: { code: RefusalCode; message: string },
): Promise<JobOutcome> {
  const refused = await refuseFootage({ ...context, queue }, { videoId: id, contentHash, code, message });
  if (!refused) return { is: 'retry-later', inSeconds: waitForOthersSeconds, keepsPlace: true };
  if (refused.is === 'put-back') log(`video ${id}: its file before is back: ${message}`, { video: id });
  if (refused.is !== 'failed') return finished;
  const where = refused.taken ? `; its file lies in the trash as ${refused.taken.name}` : '';
  log(`video ${id}: refused (${code}): ${message}${where}`, { video: id });
  return finished;
}

/** Every try has failed: the reason is kept, and the original with all that was made of it, for another try. */
async function giveUp(context: IngestContext, videoId: string): Promise<JobOutcome> {
  // At that one the last worker ended: it would stand there as being done for good, with its scratch.
  await leaveSteps(context.pool, videoId, { tries: serverLimits.triesPerJob, message: 'The worker ended each time it was at this step.' });
  const failed = (await findSteps(context.pool, videoId)).find(({ state }) => state === 'failed');
  const code = refusalCodes.find((known) => known === failed?.failureCode) ?? 'processing_failed';
  const where = failed ? ` at its step “${wordsOfStep(failed.step)}”${failed.message ? `: ${cleanText(failed.message, 300)}` : ''}` : '';
  const message = `Failed ${serverLimits.triesPerJob} times${where.replace(/\.$/, '')}. The original is kept.`;
  await failVideo(context.pool, { videoId, code, message });
  await dropAllPieces(context.pool, videoId);
  return finished;
}

async function recordsOf({ pool }: { pool: Pool }, videoId: string): Promise<StepRecords> {
  return recordsFrom(await findSteps(pool, videoId));
}

function recordsFrom(records: readonly StepRecord[]): StepRecords {
  return new Map(records.map((record) => [record.step, record]));
}

function lengthInSeconds(records: StepRecords): number {
  return probe.Result.safeParse(records.get(probe.name)?.result).data?.durationInSeconds ?? 0;
}

function namesOf(steps: readonly Step[]): string[] {
  return steps.map(({ name }) => name);
}
