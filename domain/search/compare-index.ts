import type { Table } from '@lancedb/lancedb';
import type { Db } from '../db/database.ts';
import { errorMessage } from '../db/error-message.ts';
import { compareRows } from './compare-rows.ts';
import { countWrongWords } from './count-wrong-words.ts';
import { findPending, findVideosAfter } from './find-videos-to-index.ts';
import { type IndexRow, rowsOf, termsOf } from './index-row.ts';
import type { TableKind } from './index-tables.ts';
import { indexedRows } from './indexed-rows.ts';
import { addToPrint, isPrintOf, keyOfRow, keysOfRows, type RowsPrint } from './row-prints.ts';

/** What a comparison of index and database found. All but the first four are faults, 0 in a sound archive. */
export interface IndexCheck {
  /** Public videos of the archive. */
  readonly videos: number;
  /** Rows of passages in the index. */
  readonly passages: number;
  /** Different words in the index. */
  readonly words: number;
  /** Videos that the index has yet to take in or to let go. */
  readonly waiting: number;
  /** Rows that videos lack. */
  readonly missing: number;
  /** Rows that stand there more often than they should. */
  readonly twice: number;
  /** Rows of videos that the archive does not hold, or does not show. */
  readonly foreign: number;
  /** Rows that say something else than the database. */
  readonly wrong: number;
  /** Words that are counted otherwise than they occur. */
  readonly wordCountsWrong: number;
}

export interface TableOfIndex {
  readonly kind: TableKind;
  readonly table: Table;
}

/** A table of the index cannot be read, or is there no more. */
export class UnreadableIndex extends Error {
  constructor(cause: unknown) {
    super(`The index cannot be read: ${errorMessage(cause)}`);
  }
}

const videosPerRead = 100;
const videosPerLine = 10_000;
const rowsPerLook = 100_000;

/**
 * Compares these tables with what `db`, a transaction with a snapshot, says they should hold. A hash per video is kept in
 * memory, and every word; rows only of videos that differ or wait. Throws `UnreadableIndex`.
 */
export async function compareIndex(db: Db, index: readonly TableOfIndex[], progress: (line: string) => void): Promise<IndexCheck> {
  const { prints, passages } = await printRows(index);
  const pending = await findPending(db);
  const suspects = openSuspects(index);
  const words = suspects.words;
  let videos = 0;
  let missing = 0;
  for (let afterId = ''; ; ) {
    const read = await findVideosAfter(db, { afterId, limit: videosPerRead });
    for (const video of read) {
      const print = prints.get(video.id);
      prints.delete(video.id);
      const rows = rowsOf(video);
      const keys = keysOfRows(rows);
      if (pending.has(video.id)) await suspects.add(video.id, print, 'whatever');
      else if (!print) missing += keys.length;
      else if (isPrintOf(print, keys)) countWords(words, [rows.head, ...rows.passages]);
      else await suspects.add(video.id, print, keys);
    }
    videos += read.length;
    if (videos % videosPerLine < read.length) progress(`${videos} videos compared`);
    const last = read.at(-1);
    if (!last) break;
    afterId = last.id;
  }
  let foreign = 0;
  // What is left has no public video.
  for (const [id, print] of prints) {
    if (!pending.has(id)) foreign += print.rows;
    await suspects.add(id, print, 'whatever');
  }
  const faults = await suspects.settle();
  const found = { videos, passages, words: words.size, waiting: pending.size };
  return { ...found, ...faults, missing: missing + faults.missing, foreign, wordCountsWrong: await countWrongWords(db, words) };
}

async function printRows(index: readonly TableOfIndex[]): Promise<{ prints: Map<string, RowsPrint>; passages: number }> {
  const prints = new Map<string, RowsPrint>();
  let passages = 0;
  for (const { kind, table } of index) {
    for await (const rows of rowsIn(table)) {
      if (kind === 'passages') passages += rows.length;
      for (const row of rows) prints.set(row.video, addToPrint(prints.get(row.video), keyOfRow(kind, row)));
    }
  }
  return { prints, passages };
}

async function* rowsIn(table: Table): AsyncGenerator<IndexRow[]> {
  try {
    yield* indexedRows(table);
  } catch (error) {
    throw new UnreadableIndex(error);
  }
}

function countWords(words: Map<string, number>, rows: readonly IndexRow[]): void {
  for (const term of termsOf(rows.map(({ text }) => text))) words.set(term, (words.get(term) ?? 0) + 1);
}

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
    for (const { kind, table } of wanted.size > 0 ? index : []) {
      for await (const rows of rowsIn(table)) {
        for (const row of rows.filter(({ video }) => wanted.has(video))) {
          const own = found.get(row.video) ?? { keys: [], rows: [] };
          found.set(row.video, own);
          own.keys.push(keyOfRow(kind, row));
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

  async function add(id: string, print: RowsPrint | undefined, keys: readonly string[] | 'whatever') {
    if (!print) return;
    wanted.set(id, keys);
    rowsWanted += print.rows + (keys === 'whatever' ? 0 : keys.length);
    if (rowsWanted >= rowsPerLook) await settle();
  }

  return { words, add, settle };
}
