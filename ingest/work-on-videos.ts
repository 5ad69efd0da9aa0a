import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { errorCode } from '#domain/db/error-code.ts';
import { errorMessage } from '#domain/db/error-message.ts';
import { ensureSpace } from '#domain/files/disk-reserve.ts';
import { removeVideoFiles } from '#domain/files/remove-video-files.ts';
import type { JobOutcome, JobQueue } from '#domain/jobs/job-queue.ts';
import { withVideoClaim } from '#domain/jobs/video-claim.ts';
import { failVideo } from '#domain/videos/fail-video.ts';
import { findFootage } from '#domain/videos/find-footage.ts';
import { findSteps } from '#domain/videos/record-step.ts';
import type { IngestContext } from './ingest-context.ts';
import { ingestVideo } from './pipeline.ts';
import { refusalCodes, StepFailure } from './step-failure.ts';

/** The queue that all footage comes into; a job names its video. Long films leave it for one of their own, so that short ones need not wait. */
export const ingestQueue = 'ingest-video';
const longQueue = 'ingest-video-long';

const longFromSeconds = 10 * 60;
// To walk over so much takes minutes by itself.
const longFromBytes = 4_000_000_000;
const finished: JobOutcome = { is: 'finished' };
const waitForOthersSeconds = 20;
const waitForSpaceSeconds = 20;
const waitForToolSeconds = 60;

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
      await giveUp(context, videoId, await lastFailure(context, videoId));
      return finished;
    });
  }
}

async function ingestOne(context: IngestContext, videoId: string, run: Run): Promise<JobOutcome | 'is-long'> {
  const found = await findFootage(context.pool, videoId);
  if (!found || found.state === 'Processed' || found.state === 'Failed') return finished;
  const video = { ...found, files: context.folder.video(found.id) };
  try {
    await ensureSpace(context.folder.root, 0, context.reserveBytes);
    if (!run.takesLong && (await stat(video.files.original)).size >= longFromBytes) return 'is-long';
    const limit = run.takesLong ? {} : { longFromSeconds };
    return (await ingestVideo(context, video, { signal: run.signal, ...limit })) ? finished : 'is-long';
  } catch (error) {
    if (run.signal.aborted) return { is: 'retry-later', inSeconds: 0 };
    if (isDiskFull(error)) return { is: 'retry-later', inSeconds: waitForSpaceSeconds };
    if (error instanceof StepFailure && error.kind.is === 'tool-missing') return { is: 'retry-later', inSeconds: waitForToolSeconds };
    if (error instanceof StepFailure && error.kind.is === 'bad-media') {
      await giveUp(context, videoId, { code: error.kind.code, message: error.message });
      return finished;
    }
    run.log(`video ${videoId}: ${errorMessage(error)}; another try follows`);
    throw error;
  }
}

/** Why the last try failed, as far as it can be told from other reasons. */
async function lastFailure(context: IngestContext, videoId: string): Promise<{ code: string; message: string }> {
  const failed = (await findSteps(context.pool, videoId)).find(({ state }) => state === 'failed');
  const told = z.object({ code: z.enum(refusalCodes) }).safeParse(failed?.result);
  if (told.success && failed?.message) return { code: told.data.code, message: failed.message };
  return { code: 'processing_failed', message: 'The analysis failed four times; the file may be damaged in a way that no tool survives.' };
}

/** Keeps the reason and removes everything else of the video from the disk. */
async function giveUp(context: IngestContext, videoId: string, reason: { code: string; message: string }): Promise<void> {
  if ((await findFootage(context.pool, videoId))?.state === 'Processed') return;
  await removeVideoFiles(context.folder, videoId);
  await failVideo(context.pool, { videoId, ...reason });
}

function isDiskFull(error: unknown): boolean {
  return ['storage_full', 'ENOSPC'].includes(errorCode(error));
}
