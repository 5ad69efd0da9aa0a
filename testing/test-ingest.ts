import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDatabaseAway } from '#domain/db/is-database-away.ts';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { openLocalStore } from '#domain/files/local-store.ts';
import type { FileStore } from '#domain/files/store.ts';
import { openJobQueue } from '#domain/jobs/job-queue.ts';
import type { EncoderChoice } from '#domain/meaning/encoder/choose-encoder.ts';
import { openMeaningProcess } from '#domain/meaning/meaning-process.ts';
import { type Footage, findFootage } from '#domain/videos/footage.ts';
import { type ImportContext, importFile } from '#ingest/footage/import-file.ts';
import type { IngestContext } from '#ingest/ingest-context.ts';
import { findMediaTools, type WhereToLook } from '#ingest/open-ingest.ts';
import type { SpeechSettings } from '#ingest/speech/speech-settings.ts';
import type { Step, StepClass } from '#ingest/step.ts';
import { steps } from '#ingest/steps.ts';
import type { MediaTools } from '#ingest/tools/media-tools.ts';
import { runChild } from '#ingest/tools/run-child.ts';
import { runHeld } from '#ingest/tools/run-held.ts';
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

/** What a test puts in the place of what it found, at the edge: tools that stumble, a disk that is full. */
interface Changes {
  readonly tools?: (tools: MediaTools) => MediaTools;
  readonly store?: (store: FileStore) => FileStore;
  readonly dataFolder?: string;
  readonly log?: (line: string) => void;
  /** Those that make a film playable where none are named. */
  readonly steps?: readonly Step[];
  /** What this machine does with films; both where nothing is said. */
  readonly classes?: readonly StepClass[];
  /** Recognisers of speech; none where nothing is said. */
  readonly speech?: Partial<SpeechSettings>;
  /** The archive's own where it is not said. */
  readonly encoder?: EncoderChoice;
  /** What stays free on the disk; nothing has to where it is not said. */
  readonly reserveBytes?: number;
  /** How long a tool may stand still. */
  readonly passSilenceMs?: number;
}

/** An archive with a worker in this process and its own database and folder; `where` says which tools it finds. */
export async function openTestIngest(
  where: WhereToLook = { ffmpegPath: process.env.FFMPEG_PATH, searchPath: process.env.PATH ?? '' },
  changes: Changes = {},
): Promise<TestIngest> {
  const scratch = await mkdtemp(join(tmpdir(), 'rushes-ingest-'));
  const database = await createTestDatabase();
  const queue = await openJobQueue(database.pool, { onError: () => {} });
  const folder = archiveFolderIn(changes.dataFolder ?? join(scratch, 'data'));
  const sandbox = await findSandbox(folder.root);
  const found = await findMediaTools(where, sandbox);
  const tools = changes.tools?.(found) ?? found;
  const local = openLocalStore(folder.root);
  const encoder = openMeaningProcess({ encoder: changes.encoder });
  const context: TestIngest['context'] = {
    pool: database.pool,
    folder,
    store: changes.store?.(local) ?? local,
    tools,
    runEngine: (input, call) => runChild(sandbox, input, call),
    runProgram: (input, call) => runHeld(sandbox, input, call),
    speech: { allowsRough: false, searchPath: '', modelHub: 'http://127.0.0.1:9', ...changes.speech },
    encoder,
    reserveBytes: changes.reserveBytes ?? 0,
    queue,
    passSilenceMs: changes.passSilenceMs,
  };
  const run = changes.steps ?? steps.filter((step) => step.class === 'playable');
  await workOnVideos(context, queue, { log: changes.log ?? (() => {}), classes: changes.classes, steps: run });
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
        { withinMs: Number.POSITIVE_INFINITY, passes: isDatabaseAway },
      );
    },
    close: async () => {
      await queue.stop();
      encoder.close();
      await database.drop();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}
