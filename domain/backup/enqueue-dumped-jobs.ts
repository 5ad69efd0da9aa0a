import type pg from 'pg';
import { copyIn } from '../db/copy-rows.ts';
import type { Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { type JobData, openJobQueue } from '../jobs/job-queue.ts';
import type { BackupFolder } from './backup-folder.ts';
import { readPackedContent } from './contents.ts';
import { quotedColumns } from './our-tables.ts';
import type { DatabaseDump } from './snapshot.ts';

/**
 * The tables of the queue are its library's, and another version of it has others: then the jobs that wait, or were at work, are given to
 * the queue anew, and what it remembered of jobs that had ended is left behind. Returns that in a sentence.
 */
export async function enqueueDumpedJobs(options: {
  pool: Pool;
  client: pg.PoolClient;
  folder: BackupFolder;
  dump: DatabaseDump;
}): Promise<string[]> {
  const { pool, client, folder, dump } = options;
  const table = dump.tables.find(({ schema, name }) => schema === 'jobs' && name === 'job');
  if (!table) return [];
  const columns = table.columns.map((column) => `${quotedColumns([column])} text`).join(', ');
  await client.query(`create temp table dumped_jobs (${columns}) on commit drop`);
  await copyIn(client, `copy dumped_jobs (${quotedColumns(table.columns)}) from stdin`, readPackedContent(folder, table));
  const { rows } = await client.query<{ name: string; data: JobData | null }>(sql`
    select name, data::jsonb as data from dumped_jobs where state in ('created', 'retry', 'active') order by name, created_on`);
  const queue = await openJobQueue(pool, { onError: () => {} });
  try {
    for (const { name, data } of rows) await queue.enqueue(name, data ?? {}, { db: client });
  } finally {
    await queue.stop();
  }
  return [`The job queue is of another version: its ${rows.length} waiting jobs were given to it anew.`];
}
