import type { Pool } from '../db/database.ts';
import type { ArchiveFiles } from '../files/open-archive-files.ts';
import type { JobQueue } from '../jobs/job-queue.ts';

/** An archive that is open: its database, its files, and the queue of what is to be done with films. Who needs less of it picks that. */
export interface OpenArchive extends ArchiveFiles {
  readonly pool: Pool;
  readonly queue: JobQueue;
}
