import type { Table } from '@lancedb/lancedb';
import { type IndexRow, termsOf } from '../index-row.ts';
import type { TableKind } from '../index-tables.ts';
import { indexedRows } from '../indexed-rows.ts';
import type { RowWordsReader } from '../read-row-words.ts';
import { keyOfFoundRow, type RowsChecksum } from './row-checksums.ts';

/** A table of the index, open in the version that is looked at. */
export interface TableOfIndex {
  readonly kind: TableKind;
  readonly table: Table;
  /** The words of its rows. */
  readonly words: RowWordsReader;
}

const rowsPerLook = 100_000;

/**
 * Videos whose rows have to be read again, because they differ, or to count the words of what they hold while they wait:
 * many at a time, since each look goes through the whole index.
 */
export function openSuspects(index: readonly TableOfIndex[]) {
  const words = new Map<string, number>();
  const faults = { missing: 0, twice: 0, wrong: 0 };
  const wanted = new Map<string, readonly string[] | 'whatever'>();
  let rowsWanted = 0;

  async function settle() {
    const found = new Map<string, { keys: string[]; rows: IndexRow[] }>();
    for (const looked of wanted.size > 0 ? index : []) {
      for await (const rows of indexedRows(looked.table)) {
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
export function countWords(words: Map<string, number>, rows: readonly IndexRow[]): void {
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
