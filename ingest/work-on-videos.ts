import { errorCode } from '#domain/db/error-code.ts';
import { errorMessage } from '#domain/db/error-message.ts';
import { ensureSpace } from '#domain/files/disk-reserve.ts';
import { removeVideoFiles } from '#domain/files/remove-video-files.ts';
import type { JobHandler, JobOutcome, JobQueue } from '#domain/jobs/job-queue.ts';
import { withVideoClaim } from '#domain/jobs/video-claim.ts';
import { failVideo } from '#domain/videos/fail-video.ts';
import { findFootage } from '#domain/videos/find-footage.ts';
import type { IngestContext } from './ingest-context.ts';
import { ingestVideo } from './pipeline.ts';
import { StepFailure } from './step-failure.ts';

/** The queue of footage that waits to be ingested; a job names its video. */
export const ingestQueue = 'ingest-video';

const finished: JobOutcome = { is: 'finished' };
const waitForOthersSeconds = 20;
const waitForSpaceSeconds = 20;
const waitForToolSeconds = 60;

/** Takes footage from the queue, one at a time, until the queue is stopped. */
export async function workOnVideos(context: IngestContext, queue: JobQueue, log: (line: string) => void): Promise<void> {
  const ingest: JobHandler = async ({ videoId = '' }, signal) => {
    // A second worker that is handed the same video, because the first one seemed dead, leaves it alone.
    const outcome = await withVideoClaim(context.pool, videoId, () => ingestOne(context, videoId, { signal, log }));
    return outcome ?? { is: 'retry-later', inSeconds: waitForOthersSeconds };
  };
  await queue.work(ingestQueue, ingest);
  await queue.work(`${ingestQueue}-dead`, async ({ videoId = '' }) => {
    await giveUp(context, videoId, {
      code: 'processing_failed',
      message: 'The analysis failed four times; the file may be damaged in a way that no tool survives.',
    });
    return finished;
  });
}

async function ingestOne(
  context: IngestContext,
  videoId: string,
  run: { signal: AbortSignal; log: (line: string) => void },
): Promise<JobOutcome> {
  const found = await findFootage(context.pool, videoId);
  if (!found || found.state === 'Processed' || found.state === 'Failed') return finished;
  const video = { ...found, files: context.folder.video(found.id) };
  try {
    await ensureSpace(context.folder.root, 0, context.reserveBytes);
    await ingestVideo(context, video, run.signal);
    return finished;
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

/** Keeps the reason and removes everything else of the video from the disk. */
async function giveUp(context: IngestContext, videoId: string, reason: { code: string; message: string }): Promise<void> {
  if ((await findFootage(context.pool, videoId))?.state === 'Processed') return;
  await removeVideoFiles(context.folder, videoId);
  await failVideo(context.pool, { videoId, ...reason });
}

function isDiskFull(error: unknown): boolean {
  return ['storage_full', 'ENOSPC'].includes(errorCode(error));
}
