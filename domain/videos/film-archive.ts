import type { Pool } from '../db/database.ts';
import type { ArchiveFiles } from '../files/open-archive-files.ts';
import type { JobQueue } from '../jobs/job-queue.ts';

/** What work with films needs of an archive: its database, its files, and the queue of what is to be done with them. Who needs less of it picks that. */
export interface FilmArchive extends ArchiveFiles {
  readonly pool: Pool;
  readonly queue: JobQueue;
}
