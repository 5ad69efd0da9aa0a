import { isDeepStrictEqual } from 'node:util';
import { readFact, writeFact } from '../db/archive-facts.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { IndexState } from '../files/index-state.ts';

/** Number of the last change of the index that counts; 0 before the first. */
export async function findIndexedBatch(db: Db): Promise<number> {
  const { rows } = await db.query<{ batch: number }>(sql`select batch from search_index`);
  return rows[0]?.batch ?? 0;
}

/** The tables and versions that count, by the database; null when the index has to be built. */
export async function findIndexState(db: Db): Promise<IndexState | null> {
  const { rows } = await db.query<{ state: unknown }>(sql`select state from search_index`);
  return IndexState.safeParse(rows[0]?.state).data ?? null;
}

/**
 * Makes `state`, one batch later than the last, the one that counts, and tells whoever follows the index. Throws when another writer was quicker: then this
 * one has lost its lock, with the connection that held it.
 */
export async function commitIndexState(db: Db, state: IndexState): Promise<void> {
  const { rowCount } = await db.query(sql`
    update search_index set batch = ${state.batch}, built_percent = null, state = ${JSON.stringify(state)}::jsonb where batch = ${state.batch - 1}`);
  if (rowCount !== 1) throw new Error('The search index was changed by another process meanwhile.');
  await db.query(sql`select pg_notify('search_index', ${String(state.batch)})`);
}

/**
 * Lets `work` happen while `state` is the one that counts, and no other one can become it; false, without it, when it does not
 * count any more.
 */
export async function whileStateCounts(pool: Pool, state: IndexState, work: () => Promise<void>): Promise<boolean> {
  return await inTransaction(pool, async (db) => {
    // A machine that stands still must not hold up the writer.
    await db.query("set local idle_in_transaction_session_timeout = '5s'");
    const { rows } = await db.query<{ state: unknown }>(sql`select state from search_index for share`);
    const counting = IndexState.safeParse(rows[0]?.state).data;
    if (!isDeepStrictEqual(counting, state)) return false;
    await work();
    return true;
  });
}

/** Notes that the store lacks something of this index, so that it is built anew. */
export async function noteLostIndex(db: Db, { generation }: IndexState): Promise<void> {
  await writeFact(db, 'lost_index', generation);
}

/** Whether a machine found that the store lacks something of this index. */
export async function isIndexLost(db: Db, state: IndexState | null): Promise<boolean> {
  return state !== null && (await readFact(db, 'lost_index')) === state.generation;
}
