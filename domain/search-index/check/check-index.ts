import { inTransaction, type Pool } from '../../db/database.ts';
import { type IndexState, rowWordsPath } from '../../files/index-state.ts';
import { findIndexedBatch, findIndexState } from '../index-commit.ts';
import { indexFormat } from '../index-row.ts';
import { connectIndex, openTableAt } from '../index-tables.ts';
import { UnreadableIndex } from '../indexed-rows.ts';
import { RowWordsReader } from '../read-row-words.ts';
import { compareIndex, type IndexCheck } from './compare-index.ts';
import type { TableOfIndex } from './suspect-rows.ts';

export interface IndexLook {
  readonly check: IndexCheck;
  /** What was looked at; null when there is no index that can be read. */
  readonly state: IndexState | null;
}

const looksMax = 5;

/**
 * Compares the index under `folder` with the database, row by row. It looks at one state of both, by a transaction and the
 * versions that were committed with it, so the archive goes on meanwhile. Throws when the index was replaced under it again
 * and again.
 */
export async function checkIndex(pool: Pool, folder: string, progress: (line: string) => void = () => {}): Promise<IndexLook> {
  for (let look = 1; ; look++) {
    const batch = await findIndexedBatch(pool);
    try {
      return await lookOnce(pool, progress, async (state) => await openIndexAt(folder, state));
    } catch (error) {
      if (!(error instanceof UnreadableIndex)) throw error;
      // The versions of this look may be gone by now; when nothing has changed, the index is damaged.
      if ((await findIndexedBatch(pool)) === batch) {
        progress(error.message);
        return { ...(await lookOnce(pool, progress, () => Promise.resolve([]))), state: null };
      }
      if (look === looksMax) throw new Error('The index is replaced faster than it can be compared. Try again when less is imported.');
    }
  }
}

function lookOnce(pool: Pool, progress: (line: string) => void, open: (state: IndexState) => Promise<TableOfIndex[]>): Promise<IndexLook> {
  return inTransaction(pool, async (db) => {
    await db.query('set transaction isolation level repeatable read, read only');
    const noted = await findIndexState(db);
    const state = noted?.format === indexFormat ? noted : null;
    const index = state ? await open(state) : [];
    try {
      return { check: await compareIndex(db, index, progress), state };
    } finally {
      for (const { table, words } of index) {
        table.close();
        words.close();
      }
    }
  });
}

async function openIndexAt(folder: string, state: IndexState): Promise<TableOfIndex[]> {
  try {
    const connection = await connectIndex(folder, state.generation);
    const words = new RowWordsReader(rowWordsPath(folder, state));
    const open = async ([name, version]: [string, number]): Promise<TableOfIndex> => ({
      kind: name.endsWith('heads') ? 'heads' : 'passages',
      table: await openTableAt(connection, { name, version }),
      words,
    });
    return await Promise.all(Object.entries(state.versions).map(open));
  } catch (error) {
    throw new UnreadableIndex(error);
  }
}
