import type { Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { IndexCopy } from '../files/index-copy.ts';
import { type IndexWriter, openIndexWriter } from './index-writer.ts';
import { cleanIndex, mergeRecent, shouldMerge } from './merge-recent.ts';
import { type RebuildOptions, rebuildIndex } from './rebuild-index.ts';
import { updateIndex } from './update-index.ts';

const writerLock = 728_374_010;
/** Every batch leaves small files and versions of the tables behind, which nobody needs a minute later. */
const batchesPerCleaning = 50;

/**
 * Runs `work` while this process alone may change the index; waits for another writer to end before. Throws as soon as the
 * connection that holds the turn is lost: the next writer may begin then, so the process has to end.
 */
export async function withWriterLock(pool: Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  const { promise: lost, reject } = Promise.withResolvers<never>();
  client.once('end', () => reject(new Error('The connection to the database that held the turn to write the index was lost.')));
  try {
    await client.query(sql`select pg_advisory_lock(${writerLock})`);
    await Promise.race([work(), lost]);
  } finally {
    lost.catch(() => {});
    // A closed connection gives the lock back, also when it is broken.
    client.release(true);
  }
}

/** Opens the index, or builds it anew when it cannot be used, and brings in everything that waits. */
export async function catchUpIndex(pool: Pool, copy: IndexCopy, options: RebuildOptions = {}): Promise<IndexWriter> {
  const writer = (await openIndexWriter(pool, copy)) ?? (await rebuildIndex(pool, copy, options));
  return await bringIn(writer);
}

/** Brings in everything that waits, batch by batch. */
export async function bringIn(writer: IndexWriter): Promise<IndexWriter> {
  let current = writer;
  for (;;) {
    const update = await updateIndex(current);
    current = update.writer;
    if (update.videos + update.removed === 0) return current;
    if (shouldMerge(current, { idle: false })) current = await mergeRecent(current);
    if (current.state.batch % batchesPerCleaning === 0) current = await cleanIndex(current);
  }
}
