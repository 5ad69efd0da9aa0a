import { z } from 'zod';
import { errorCode } from '#domain/db/error-code.ts';
import { errorMessage } from '#domain/db/error-message.ts';
import { ensureSpace } from '#domain/files/disk-reserve.ts';
import { videoKeys } from '#domain/files/video-keys.ts';
import { ingestQueue } from '#domain/jobs/ingest-queue.ts';
import { type JobOutcome, type JobQueue, triesInAll } from '#domain/jobs/job-queue.ts';
import { withVideoClaim } from '#domain/jobs/video-claim.ts';
import { cleanText } from '#domain/videos/clean-text.ts';
import { failVideo } from '#domain/videos/fail-video.ts';
import { findFootage } from '#domain/videos/find-footage.ts';
import { findSteps } from '#domain/videos/record-step.ts';
import type { IngestContext } from './ingest-context.ts';
import { ingestVideo } from './pipeline.ts';
import { type RefusalCode, refusalCodes, StepFailure } from './step-failure.ts';

/** Long films leave the queue that all footage comes into for one of their own, so that short ones need not wait. */
const longQueue = 'ingest-video-long';

const longFromSeconds = 10 * 60;
// To walk over so much takes minutes by itself.
const longFromBytes = 4_000_000_000;
const finished: JobOutcome = { is: 'finished' };
const waitForOthersSeconds = 20;
const waitForSpaceSeconds = 5;
const waitForToolSeconds = 60;
const waitForOriginalSeconds = 60;

interface Run {
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  readonly takesLong: boolean;
}

/** Takes footage from the queues, one short and one long film at a time, until the queue is stopped. */
export async function workOnVideos(context: IngestContext, queue: JobQueue, log: (line: string) => void): Promise<void> {
  for (const name of [ingestQueue, longQueue]) {
    const takesLong = name === longQueue;
    await queue.work(name, async ({ videoId = '' }, signal) => {
      // A second worker that is handed the same video, because the first one seemed dead, leaves it alone.
      const outcome = await withVideoClaim(context.pool, videoId, () => ingestOne(context, videoId, { signal, log, takesLong }));
      if (outcome !== 'is-long') return outcome ?? { is: 'retry-later', inSeconds: waitForOthersSeconds };
      await queue.enqueue(longQueue, { videoId });
      return finished;
    });
    await queue.work(`${name}-dead`, async ({ videoId = '' }) => {
      await giveUp(context, videoId);
      return finished;
    });
  }
}

async function ingestOne(context: IngestContext, videoId: string, run: Run): Promise<JobOutcome | 'is-long'> {
  const found = await findFootage(context.pool, videoId);
  if (!found || found.state === 'Processed' || found.state === 'Failed') return finished;
  const video = { ...found, keys: videoKeys(found.id) };
  const original = await context.store.stat(video.keys.original);
  if (!original) {
    run.log(`video ${videoId}: its original is not there; bring the media folder back, this waits for it`);
    return { is: 'retry-later', inSeconds: waitForOriginalSeconds };
  }
  try {
    await ensureSpace(context.folder.root, 0, context.reserveBytes);
    if (!run.takesLong && original.sizeBytes >= longFromBytes) return 'is-long';
    const limit = run.takesLong ? {} : { longFromSeconds };
    const isDone = await context.store.withLocalCopy(video.keys.original, (originalPath) =>
      ingestVideo(context, { video, originalPath }, { signal: run.signal, ...limit }),
    );
    return isDone ? finished : 'is-long';
  } catch (error) {
    if (run.signal.aborted) return { is: 'retry-later', inSeconds: 0 };
    if (isDiskFull(error)) {
      run.log(`video ${videoId}: the archive's disk is full; it waits, and goes on when there is room`);
      return { is: 'retry-later', inSeconds: waitForSpaceSeconds };
    }
    if (error instanceof StepFailure && error.kind.is === 'tool-missing') return { is: 'retry-later', inSeconds: waitForToolSeconds };
    if (error instanceof StepFailure && error.kind.is === 'bad-media') {
      await refuse(context, videoId, { code: error.kind.code, message: error.message, log: run.log });
      return finished;
    }
    run.log(`video ${videoId}: ${errorMessage(error)}; another try follows`);
    throw error;
  }
}

/** Keeps the reason with the video; what was given lies in the trash until an operator purges it. */
async function refuse(
  context: IngestContext,
  videoId: string,
  { code, message, log }: { code: RefusalCode; message: string; log: (line: string) => void },
): Promise<void> {
  if (!(await failVideo(context.pool, { videoId, code, message }))) return;
  const taken = await context.store.remove(videoKeys(videoId).all, `refused (${code}): ${message}`);
  log(`video ${videoId}: refused (${code}): ${message}${taken ? `; its file lies in the trash as ${taken.name}` : ''}`);
}

/** Every try has failed: the reason is kept, and the original with all that was made of it, for another try. */
async function giveUp(context: IngestContext, videoId: string): Promise<void> {
  const failed = (await findSteps(context.pool, videoId)).find(({ state }) => state === 'failed');
  const told = z.object({ code: z.enum(refusalCodes) }).safeParse(failed?.result);
  const where = failed ? ` at its step “${failed.step}”${failed.message ? `: ${cleanText(failed.message, 300)}` : ''}` : '';
  const message = `Failed ${triesInAll} times${where.replace(/\.$/, '')}. The original is kept.`;
  await failVideo(context.pool, { videoId, code: told.data?.code ?? 'processing_failed', message });
}

function isDiskFull(error: unknown): boolean {
  return ['storage_full', 'ENOSPC'].includes(errorCode(error));
}
