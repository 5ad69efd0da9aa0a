import { hash } from 'node:crypto';
import type { IndexRow, VideoRows } from './index-row.ts';
import type { TableKind } from './index-tables.ts';

/** What is kept of a video's rows to compare them: their number, and the sum of their hashes, which no order changes. */
export interface RowsPrint {
  readonly rows: number;
  readonly low: number;
  readonly high: number;
}

const noRows: RowsPrint = { rows: 0, low: 0, high: 0 };

/** `before` with one more row. */
export function addToPrint(before: RowsPrint | undefined, key: string): RowsPrint {
  const { rows, low, high } = before ?? noRows;
  const digest = hash('sha1', key, 'buffer');
  return { rows: rows + 1, low: (low + digest.readUInt32LE(0)) >>> 0, high: (high + digest.readUInt32LE(4)) >>> 0 };
}

/** Whether `print` is that of exactly these rows. */
export function isPrintOf(print: RowsPrint | undefined, keys: readonly string[]): boolean {
  const { rows, low, high } = print ?? noRows;
  if (rows !== keys.length) return false;
  const wanted = keys.reduce<RowsPrint>(addToPrint, noRows);
  return wanted.low === low && wanted.high === high;
}

/** All that makes a row what it is, its table among it. */
export function keyOfRow(kind: TableKind, row: IndexRow): string {
  return JSON.stringify([kind, row.video, row.kind, row.createdMs, row.publishedMs, row.text]);
}

/** The keys of all rows that a video should have. */
export function keysOfRows({ head, passages }: VideoRows): string[] {
  return [keyOfRow('heads', head), ...passages.map((row) => keyOfRow('passages', row))];
}
