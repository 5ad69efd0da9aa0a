import type { Table } from '@lancedb/lancedb';
import { serverLimits } from '#contract/limits.ts';
import { type Db, inTransaction, type Pool } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { type IndexState, partPathIn, rowWordsPathIn } from '../../files/index-state.ts';
import { findPending, findVideosAfter } from '../find-videos-to-index.ts';
import { findIndexedBatch, findIndexState } from '../index-commit.ts';
import { type IndexRow, indexFormat, rowsOf, termsOf } from '../index-row.ts';
import { connectIndex, nameMainTable, openTableAt, type TableKind } from '../index-tables.ts';
import { readIndexedRows, UnreadableIndex } from '../indexed-rows.ts';
import { ChunkCache } from '../postings/chunk-cache.ts';
import { Parts } from '../postings/parts.ts';
import { RowWordsReader } from '../read-row-words.ts';
import { countMislaid } from './check-parts.ts';
import { addToChecksum, isChecksumOf, keyOfFoundRow, keysOfRows, type RowsChecksum } from './row-checksums.ts';

interface IndexLook {
  readonly check: IndexCheck;
  /** What was looked at; null when there is no index that can be read. */
  readonly state: IndexState | null;
}

/**
 * Compares the index under `folder` with the database, row by row, and its postings with its rows. It looks at one state of both, by a transaction and the
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
        return { ...(await lookOnce(pool, progress, () => Promise.resolve(nothing))), state: null };
      }
      if (look === serverLimits.indexCheckLooksMax)
        throw new Error('The index is replaced faster than it can be compared. Try again when less is imported.');
    }
  }
}

function lookOnce(pool: Pool, progress: (line: string) => void, open: (state: IndexState) => Promise<OpenIndex>): Promise<IndexLook> {
  return inTransaction(pool, async (db) => {
    await db.query('set transaction isolation level repeatable read, read only');
    const noted = await findIndexState(db);
    const state = noted?.format === indexFormat ? noted : null;
    const index = state ? await open(state) : nothing;
    try {
      return { check: await compareIndex(db, index, progress), state };
    } finally {
      index.parts.close();
      for (const { table, words } of index.tables) {
        table.close();
        words.close();
      }
    }
  });
}

async function openIndexAt(folder: string, state: IndexState): Promise<OpenIndex> {
  try {
    const parts = new Parts(state.parts, (number) => partPathIn(folder, state, number), { cache: new ChunkCache(0) });
    const connection = await connectIndex(folder, state.generation);
    const words = new RowWordsReader(rowWordsPathIn(folder, state));
    const open = async ([name, version]: [string, number]): Promise<TableOfIndex> => ({
      kind: name.endsWith('heads') ? 'heads' : 'passages',
      table: await openTableAt(connection, { name, version }),
      isRecent: name !== nameMainTable('heads') && name !== nameMainTable('passages'),
      words,
    });
    return { tables: await Promise.all(Object.entries(state.versions).map(open)), parts };
  } catch (error) {
    throw new UnreadableIndex(error);
  }
}

/** What a comparison of index and database found. All but the first four are faults, 0 in a sound archive. */
interface IndexCheck {
  /** Public videos of the archive. */
  readonly videos: number;
  /** Rows of passages in the index. */
  readonly passages: number;
  /** Different words in the index. */
  readonly words: number;
  /** Videos that the index has yet to take in or to drop. */
  readonly waiting: number;
  /** Rows that videos lack. */
  readonly missing: number;
  /** Rows that stand there more often than they should. */
  readonly twice: number;
  /** Rows of videos that the archive does not hold, or does not show. */
  readonly foreign: number;
  /** Rows that say something else than the database. */
  readonly wrong: number;
  /** Films that the postings have otherwise than the tables. */
  readonly mislaid: number;
  /** Words that are counted otherwise than they occur. */
  readonly wordCountsWrong: number;
}

const videosPerRead = 100;
const videosPerLine = 10_000;

/**
 * Compares these tables with what `db`, a transaction with a snapshot, says they should hold. A hash per video is kept in
 * memory, and every word; rows only of videos that differ or wait. Throws `UnreadableIndex`.
 */
async function compareIndex(db: Db, { tables: index, parts }: OpenIndex, progress: (line: string) => void): Promise<IndexCheck> {
  const { checksums, passages } = await checksumRows(index);
  const mislaid = await countMislaid(parts, index);
  const pending = await findPending(db);
  const suspects = openSuspects(index);
  const words = suspects.words;
  let videos = 0;
  let missing = 0;
  for (let afterId = ''; ; ) {
    const read = await findVideosAfter(db, { afterId, limit: videosPerRead });
    for (const video of read) {
      const checksum = checksums.get(video.id);
      checksums.delete(video.id);
      const rows = rowsOf(video);
      const keys = keysOfRows(rows);
      if (pending.has(video.id)) await suspects.add(video.id, checksum, 'whatever');
      else if (!checksum) missing += keys.length;
      else if (isChecksumOf(checksum, keys)) countWords(words, [rows.head, ...rows.passages]);
      else await suspects.add(video.id, checksum, keys);
    }
    videos += read.length;
    if (videos % videosPerLine < read.length) progress(`${videos} videos compared`);
    const last = read.at(-1);
    if (!last) break;
    afterId = last.id;
  }
  let foreign = 0;
  // What is left has no public video.
  for (const [id, checksum] of checksums) {
    if (!pending.has(id)) foreign += checksum.rows;
    await suspects.add(id, checksum, 'whatever');
  }
  const faults = await suspects.settle();
  const found = { videos, passages, words: words.size, waiting: pending.size };
  return { ...found, ...faults, missing: missing + faults.missing, foreign, mislaid, wordCountsWrong: await countWrongWords(db, words) };
}

async function checksumRows(index: readonly TableOfIndex[]): Promise<{ checksums: Map<string, RowsChecksum>; passages: number }> {
  const checksums = new Map<string, RowsChecksum>();
  let passages = 0;
  for (const looked of index) {
    for await (const rows of readIndexedRows(looked.table)) {
      if (looked.kind === 'passages') passages += rows.length;
      for (const row of rows) checksums.set(row.video, addToChecksum(checksums.get(row.video), keyOfFoundRow(looked, row)));
    }
  }
  return { checksums, passages };
}

const termsPerRead = 50_000;

/** How many words of the vocabulary have another number of videos than `counts`, which is used up by this. */
async function countWrongWords(db: Db, counts: Map<string, number>): Promise<number> {
  let wrong = 0;
  for (let after = ''; ; ) {
    const { rows } = await db.query<{ term: string; videos: number }>(sql`
      select term, video_count as videos from vocabulary where term > ${after} order by term limit ${termsPerRead}`);
    for (const { term, videos } of rows) {
      if ((counts.get(term) ?? 0) !== videos) wrong++;
      counts.delete(term);
    }
    const last = rows.at(-1);
    if (!last) return wrong + counts.size;
    after = last.term;
  }
}

/** What is looked at. */
interface OpenIndex {
  readonly tables: readonly TableOfIndex[];
  readonly parts: Parts;
}

const nothing: OpenIndex = { tables: [], parts: new Parts([], String, { cache: new ChunkCache(0) }) };

/** A table of the index, open in the version that is looked at. */
interface TableOfIndex {
  readonly kind: TableKind;
  readonly table: Table;
  /** Whether its rows have yet to join the main table. */
  readonly isRecent: boolean;
  /** The words of its rows. */
  readonly words: RowWordsReader;
}

const rowsPerLook = 100_000;

/**
 * Videos whose rows have to be read again, because they differ, or to count the words of what they hold while they wait:
 * many at a time, since each look goes through the whole index.
 */
function openSuspects(index: readonly TableOfIndex[]) {
  const words = new Map<string, number>();
  const faults = { missing: 0, twice: 0, wrong: 0 };
  const wanted = new Map<string, readonly string[] | 'whatever'>();
  let rowsWanted = 0;

  async function settle() {
    const found = new Map<string, { keys: string[]; rows: IndexRow[] }>();
    for (const looked of wanted.size > 0 ? index : []) {
      for await (const rows of readIndexedRows(looked.table)) {
        for (const row of rows.filter(({ video }) => wanted.has(video))) {
          const own = found.get(row.video) ?? { keys: [], rows: [] };
          found.set(row.video, own);
          own.keys.push(keyOfFoundRow(looked, row));
          own.rows.push(row);
        }
      }
    }
    for (const [id, { keys, rows }] of found) {
      countWords(words, rows);
      const should = wanted.get(id) ?? 'whatever';
      if (should === 'whatever') continue;
      const { missing, twice, wrong } = compareRows(should, keys);
      faults.missing += missing;
      faults.twice += twice;
      faults.wrong += wrong;
    }
    wanted.clear();
    rowsWanted = 0;
    return faults;
  }

  async function add(id: string, checksum: RowsChecksum | undefined, keys: readonly string[] | 'whatever') {
    if (!checksum) return;
    wanted.set(id, keys);
    rowsWanted += checksum.rows + (keys === 'whatever' ? 0 : keys.length);
    if (rowsWanted >= rowsPerLook) await settle();
  }

  return { words, add, settle };
}

/** Counts a video for each of the words in these rows of it. */
function countWords(words: Map<string, number>, rows: readonly IndexRow[]): void {
  for (const term of termsOf(rows.map(({ text }) => text))) words.set(term, (words.get(term) ?? 0) + 1);
}

/** Rows of one video that are not as they should be. */
interface RowFaults {
  readonly missing: number;
  /** Rows that stand there once more than they should. */
  readonly twice: number;
  /** Rows that say something else than the database. */
  readonly wrong: number;
}

/** Compares the rows that a video should have with those that it has, by their keys. */
function compareRows(wanted: readonly string[], found: readonly string[]): RowFaults {
  const left = new Map<string, number>();
  for (const key of wanted) left.set(key, (left.get(key) ?? 0) + 1);
  const known = new Set(wanted);
  let twice = 0;
  let wrong = 0;
  for (const key of found) {
    const open = left.get(key) ?? 0;
    if (open > 0) left.set(key, open - 1);
    else if (known.has(key)) twice++;
    else wrong++;
  }
  const absent = [...left.values()].reduce((sum, open) => sum + open, 0);
  // A row with another text stands in the place of the one that is not there.
  return { missing: Math.max(0, absent - wrong), twice, wrong };
}
