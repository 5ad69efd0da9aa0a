import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveFolder } from '#domain/files/archive-folder.ts';
import { openJobQueue } from '#domain/jobs/job-queue.ts';
import { type Footage, findFootage } from '#domain/videos/find-footage.ts';
import { type ImportContext, importFile } from '#ingest/import-file.ts';
import type { IngestContext } from '#ingest/ingest-context.ts';
import { findMediaTools, type WhereToLook } from '#ingest/tools/find-media-tools.ts';
import { findSandbox } from '#ingest/tools/sandbox.ts';
import { workOnVideos } from '#ingest/work-on-videos.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { until } from './until.ts';

export interface TestIngest {
  readonly database: TestDatabase;
  readonly context: IngestContext & ImportContext;
  /** A folder for files of the test's own. */
  readonly scratch: string;
  /** Imports a file and waits for its verdict. */
  ingest(path: string): Promise<Footage>;
  close(): Promise<void>;
}

/** An archive with a worker in this process and its own database and folder; `where` says which tools it finds, `limits` for how long they may stand still. */
export async function openTestIngest(
  where: WhereToLook = { ffmpegPath: process.env.FFMPEG_PATH, searchPath: process.env.PATH ?? '' },
  limits: { encodeSilenceMs?: number } = {},
): Promise<TestIngest> {
  const scratch = await mkdtemp(join(tmpdir(), 'rushes-ingest-'));
  const database = await createTestDatabase();
  const tools = await findMediaTools(where, await findSandbox(join(scratch, 'data')));
  const queue = await openJobQueue(database.pool, { onError: () => {} });
  const context = { pool: database.pool, folder: archiveFolder(join(scratch, 'data')), tools, reserveBytes: 0, queue, ...limits };
  await workOnVideos(context, queue, () => {});
  return {
    database,
    context,
    scratch,
    ingest: async (path) => {
      const { videoId } = await importFile(context, path);
      return await until(
        async () => {
          const video = await findFootage(database.pool, videoId);
          return video && ['Processed', 'Failed'].includes(video.state) && video;
        },
        { withinMs: Number.POSITIVE_INFINITY },
      );
    },
    close: async () => {
      await queue.stop();
      await database.drop();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}
