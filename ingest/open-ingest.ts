import { openArchive } from '#domain/archive/open-archive.ts';
import type { DatabaseAddress } from '#domain/db/database.ts';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import { type JobQueue, openJobQueue } from '#domain/jobs/job-queue.ts';
import { openMeaningProcess } from '#domain/meaning/meaning-process.ts';
import { applyErasures } from '#domain/videos/people/apply-erasures.ts';
import type { IngestConfig } from './config.ts';
import type { IngestContext } from './ingest-context.ts';
import { StepFailure } from './step-failure.ts';
import { findMediaTools } from './tools/find-media-tools.ts';
import { runChild } from './tools/run-child.ts';
import { runHeld } from './tools/run-held.ts';
import { findSandbox } from './tools/sandbox.ts';
import { type Wall, walls } from './tools/standing-walls.ts';

export interface Ingest {
  readonly context: IngestContext;
  readonly address: DatabaseAddress;
  readonly queue: JobQueue;
  /** What the tools that read footage are kept from. */
  readonly walls: readonly Wall[];
  close(): Promise<void>;
}

/** Opens the archive for ingest: the tools of this machine, tried out, then the database and its jobs. */
export async function openIngest(config: IngestConfig, log: (line: string) => void): Promise<Ingest> {
  const sandbox = await findSandbox(config.dataFolder);
  const warning = warnOfMissing(sandbox.walls);
  if (warning && config.strict) throw new StepFailure({ is: 'tool-missing' }, `${warning} RUSHES_STRICT_INGEST=1 forbids to go on.`);
  if (warning) log(warning);
  const tools = await findMediaTools(config, sandbox);
  // A worker whose server is gone may have started the database again: that must not outlive it.
  const tied = process.channel !== undefined;
  const database = await openArchive(config, { tied });
  const files = openArchiveFiles(config.dataFolder);
  // No film is worked on with somebody in it who was forgotten.
  await applyErasures({ pool: database.pool, ...files });
  const encoder = openMeaningProcess();
  const queue = await openJobQueue(database.pool, { onError: (error) => log(`jobs: ${error.message}`) });
  return {
    context: {
      ...{ pool: database.pool, ...files, tools, encoder, reserveBytes: config.reserveBytes },
      runEngine: (input, call) => runChild(sandbox, input, call),
      runProgram: (input, call) => runHeld(sandbox, input, call),
      speech: config.speech,
    },
    address: database.address,
    walls: sandbox.walls,
    queue,
    close: async () => {
      await queue.stop();
      encoder.close();
      await database.close();
    },
  };
}

const reachedBehind: Readonly<Record<Wall, string>> = {
  files: 'read the files of the archive',
  sockets: 'connect to the database',
  network: 'open network connections on this machine',
  processes: 'see other processes',
  memory: 'take all the memory',
};

function warnOfMissing(standing: readonly Wall[]): string | undefined {
  const open = walls.filter((wall) => !standing.includes(wall)).map((wall) => reachedBehind[wall]);
  if (open.length === 0) return undefined;
  return (
    `A tool that reads footage could ${open.join(', ')}, because this machine does not allow to hold it back; let the worker make ` +
    'namespaces (docs/operations.md, "What ingest may do"), install bubblewrap, or import files from people you trust only.'
  );
}
