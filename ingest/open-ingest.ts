import { openArchive } from '#domain/archive/open-archive.ts';
import type { DatabaseAddress } from '#domain/db/database.ts';
import { archiveFolder } from '#domain/files/archive-folder.ts';
import { openLocalStore } from '#domain/files/local-store.ts';
import { type JobQueue, openJobQueue } from '#domain/jobs/job-queue.ts';
import type { IngestConfig } from './config.ts';
import type { IngestContext } from './ingest-context.ts';
import { StepFailure } from './step-failure.ts';
import { findMediaTools } from './tools/find-media-tools.ts';
import { findSandbox } from './tools/sandbox.ts';

export interface Ingest {
  readonly context: IngestContext;
  readonly address: DatabaseAddress;
  readonly queue: JobQueue;
  close(): Promise<void>;
}

const openSocketWarning =
  'A tool that reads footage could open network connections on this machine, because namespaces are not allowed here; run the worker in a container without network, or import files from people you trust only.';

/** Opens the archive for ingest: the tools of this machine, tried out, then the database and its jobs. */
export async function openIngest(config: IngestConfig, log: (line: string) => void): Promise<Ingest> {
  const sandbox = await findSandbox();
  if (!sandbox.cutsNetwork && config.strict)
    throw new StepFailure({ is: 'tool-missing' }, `${openSocketWarning} RUSHES_STRICT_INGEST=1 forbids to go on.`);
  if (!sandbox.cutsNetwork) log(openSocketWarning);
  const tools = await findMediaTools(config, sandbox);
  // A worker whose server is gone may have started the database again: that must not outlive it.
  const tied = process.channel !== undefined;
  const database = await openArchive(config, { tied });
  const queue = await openJobQueue(database.pool, { onError: (error) => log(`jobs: ${error.message}`) });
  const folder = archiveFolder(config.dataFolder);
  return {
    context: { pool: database.pool, folder, store: openLocalStore(folder.root), tools, reserveBytes: config.reserveBytes },
    address: database.address,
    queue,
    close: async () => {
      await queue.stop();
      await database.close();
    },
  };
}
