import { hash } from 'node:crypto';
import { toLanguageNumber } from '../../words/languages/languages.ts';
import { codeFilmText } from '../films/film-codes.ts';
import type { IndexRow, StoredRow, VideoRows } from '../index-row.ts';
import type { TableKind } from '../index-tables.ts';
import type { RowWordsReader } from '../read-row-words.ts';
import { dropMarks, wordCodesOf } from '../word-code.ts';

/** What is kept of a video's rows to compare them: their number, and the sum of their hashes, which no order changes. */
export interface RowsChecksum {
  readonly rows: number;
  readonly low: number;
  readonly high: number;
}

const noRows: RowsChecksum = { rows: 0, low: 0, high: 0 };

/** `before` with one more row. */
export function addToChecksum(before: RowsChecksum | undefined, key: string): RowsChecksum {
  const { rows, low, high } = before ?? noRows;
  const digest = hash('sha1', key, 'buffer');
  return { rows: rows + 1, low: (low + digest.readUInt32LE(0)) >>> 0, high: (high + digest.readUInt32LE(4)) >>> 0 };
}

/** Whether `checksum` is that of exactly these rows. */
export function isChecksumOf(checksum: RowsChecksum | undefined, keys: readonly string[]): boolean {
  const { rows, low, high } = checksum ?? noRows;
  if (rows !== keys.length) return false;
  const wanted = keys.reduce<RowsChecksum>(addToChecksum, noRows);
  return wanted.low === low && wanted.high === high;
}

/** All that makes a row what it is, its table among it. */
function keyOfRow(kind: TableKind, row: IndexRow): string {
  return JSON.stringify([kind, row.video, row.kind, row.createdMs, row.publishedMs, row.text]);
}

/** The key of a row as it was found: another one when its words do not stand at its offset, or the film behind a head is another. */
export function keyOfFoundRow({ kind, words }: { readonly kind: TableKind; readonly words: RowWordsReader }, row: StoredRow): string {
  const key = keyOfRow(kind, row);
  if (!standsAtItsOffset(words, row)) return `${key} without words`;
  return kind === 'heads' ? key + filmAtItsOffset(words, row) : key;
}

function filmAtItsOffset(words: RowWordsReader, { offset }: StoredRow): string {
  try {
    const film = words.readFilm(offset);
    return checksumOfFilm(film, film);
  } catch {
    return ' without film';
  }
}

type FilmInCodes = ReturnType<typeof codeFilmText>;

/** All that a film is matched by. */
function checksumOfFilm(
  { revision, language }: { revision: number; language: number },
  { lines, names, lineOffsets }: FilmInCodes,
): string {
  const codes = [lines.Transcript, lines.Ocr, lines.Rough, ...names.map((name) => name.codes)].map((each) =>
    hash('sha1', bytesOf(dropMarks(each))),
  );
  const { starts, ofKind } = lineOffsets();
  const offsets = [starts, ofKind.Transcript, ofKind.Ocr, ofKind.Rough].map((each) => hash('sha1', bytesOf(each)));
  const named = names.map(({ kind, isSpeaker, text, lines: appearances }) => [kind, isSpeaker, text, appearances]);
  return hash('sha1', JSON.stringify([revision, language, codes, named, offsets]));
}

function standsAtItsOffset(words: RowWordsReader, row: StoredRow): boolean {
  try {
    const found = words.read(row.offset);
    const isSame = found.video === row.video && found.kind === row.kind;
    return isSame && Buffer.compare(bytesOf(found.words), bytesOf(wordCodesOf(row.text))) === 0;
  } catch {
    // Whatever it fails with, the row cannot be ranked.
    return false;
  }
}

function bytesOf(words: Int32Array): Buffer {
  return Buffer.from(words.buffer, words.byteOffset, words.byteLength);
}

/** The keys of all rows that a video should have. */
export function keysOfRows({ revision, language, head, passages, film }: VideoRows): string[] {
  const checksum = checksumOfFilm({ revision, language: toLanguageNumber(language) }, codeFilmText(film));
  return [keyOfRow('heads', head) + checksum, ...passages.map((row) => keyOfRow('passages', row))];
}
