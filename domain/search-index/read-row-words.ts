import { closeSync, openSync, readSync } from 'node:fs';
import { linesPerPassage } from './passages.ts';
import { bytesPerCode, lineEndCode, rowHeaderLength, rowKinds, rowMark, sectionEnd } from './word-code.ts';

/** Words of a row as the ranking reads them. */
export interface RowWords {
  readonly video: string;
  readonly kind: string;
  /** Codes of words, a line end behind every line. */
  readonly words: Int32Array;
}

/** The reader was closed, because another index is in its place or nobody searches any more. */
export class WordsClosed extends Error {}

/** Reads rows by their places. The file may grow meanwhile. */
export class RowWordsReader {
  readonly #file: number;
  /** Room for nearly every row. */
  readonly #codes = new Int32Array(256);
  #isClosed = false;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
  }

  /** The row at `place`, in bytes. Throws when none begins there, and `WordsClosed`. */
  read(place: number): RowWords {
    if (this.#isClosed) throw new WordsClosed('The words of the rows are closed.');
    for (let codes = this.#codes; ; codes = new Int32Array(codes.length * 8)) {
      const bytes = readSync(this.#file, codes, 0, codes.byteLength, place);
      const row = rowOf(codes.subarray(0, Math.floor(bytes / bytesPerCode)));
      if (row) return row;
      if (bytes < codes.byteLength) throw new Error(`No row of the index stands at ${place}.`);
    }
  }

  close(): void {
    if (!this.#isClosed) closeSync(this.#file);
    this.#isClosed = true;
  }
}

/** The row at the beginning of `codes`; undefined when they hold only a part of it. Throws when it is none. */
function rowOf(codes: Int32Array): RowWords | undefined {
  const [mark, kind = -1, high = 0, low = 0] = codes;
  if (codes.length >= rowHeaderLength && (mark !== rowMark || !rowKinds[kind])) throw new Error('No row of the index begins here.');
  const words = new Int32Array(codes.length);
  let [length, lines] = [0, 0];
  for (let at = rowHeaderLength; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === rowMark) {
      at += rowHeaderLength - 1;
      continue;
    }
    if (code !== sectionEnd) words[length++] = code;
    if (code === lineEndCode) lines++;
    if (code === sectionEnd || lines === linesPerPassage)
      return { video: idOf(high, low), kind: rowKinds[kind] ?? '', words: words.subarray(0, length) };
  }
  return undefined;
}

function idOf(high: number, low: number): string {
  return high.toString(16).padStart(5, '0') + low.toString(16).padStart(5, '0');
}
