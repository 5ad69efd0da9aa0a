import { closeSync, openSync, readSync } from 'node:fs';
import { CodeRoom, codesOfFilm } from './code-room.ts';
import { decodeFilmRecord, type FilmRecord, readFilmLength } from './films/film-record.ts';
import { linesPerPassage } from './passages.ts';
import { bytesPerCode, isPlayableRow, kindOfRow, languageOfRow, lineEndCode, rowHeaderLength, rowMark, sectionEnd } from './word-code.ts';

/** Words of a row as the ranking reads them. */
export interface RowWords {
  readonly video: string;
  readonly kind: string;
  /** The number of its film's language. */
  readonly language: number;
  readonly isPlayable: boolean;
  /** Codes of words, a line end behind every line. */
  readonly words: Int32Array;
}

/** The reader was closed, because another index is in its place or nobody searches any more. */
export class WordsClosed extends Error {}

/** A quarter of a megabyte: some hundred rows. */
const codesAhead = 65_536;

/** Reads rows by their offsets. The file may grow meanwhile. */
export class RowWordsReader {
  readonly #file: number;
  /** Room for nearly every row. */
  readonly #codes = new Int32Array(256);
  #isClosed = false;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
  }

  /** The row at `offset`, in bytes; its words stand in a room. Throws when none begins there, and `WordsClosed`. */
  read(offset: number, room?: CodeRoom): RowWords {
    for (let codes = this.#codes; ; codes = new Int32Array(codes.length * 8)) {
      const read = this.#fill(codes, offset);
      const row = rowOf(read, room);
      if (row) return row;
      if (read.length < codes.length) throw new Error(`No row of the index stands at ${offset}.`);
    }
  }

  /** Reads the film whose head row stands at `offset`, in bytes, into a room. Throws when none stands there, and `WordsClosed`. */
  readFilm(offset: number, room = new CodeRoom()): FilmRecord {
    for (let wanted = codesOfFilm, known = room.free(0); ; ) {
      const codes = room.free(wanted);
      // In the same room the beginning stands there already.
      const from = known.buffer === codes.buffer ? known.length : 0;
      const read = codes.subarray(0, from + this.#fill(codes.subarray(from), offset + from * bytesPerCode).length);
      if (read[0] !== rowMark) throw new Error('No row of the index begins here.');
      const headEnd = read.indexOf(sectionEnd, rowHeaderLength);
      const film = read.subarray(headEnd + 1);
      const length = headEnd < 0 ? undefined : readFilmLength(film);
      if (length !== undefined && length <= film.length) {
        room.take(headEnd + 1 + length);
        return {
          ...decodeFilmRecord(film.subarray(0, length)),
          language: languageOfRow(read[1] ?? 0),
          head: read.subarray(rowHeaderLength, headEnd),
        };
      }
      if (read.length < codes.length) throw new Error(`No film of the index stands at ${offset}.`);
      wanted = length === undefined ? wanted * 4 : headEnd + 1 + length;
      known = read;
    }
  }

  /** Reads rows as `read` does, those that stand behind one another with one access to the file. For one sweep: what is known by then is not read again. */
  ahead(): (offset: number, room?: CodeRoom) => RowWords {
    const codes = new Int32Array(codesAhead);
    let from = 0;
    let known = codes.subarray(0, 0);
    return (offset, room) => {
      const at = (offset - from) / bytesPerCode;
      const row = at >= 0 && at < known.length ? rowOf(known.subarray(at), room) : undefined;
      if (row) return row;
      from = offset;
      known = this.#fill(codes, offset);
      return rowOf(known, room) ?? this.read(offset, room);
    };
  }

  /** As much as there is from `offset` on. */
  #fill(codes: Int32Array<ArrayBuffer>, offset: number): Int32Array<ArrayBuffer> {
    if (this.#isClosed) throw new WordsClosed('The words of the rows are closed.');
    const bytes = readSync(this.#file, codes, 0, codes.byteLength, offset);
    return codes.subarray(0, Math.floor(bytes / bytesPerCode));
  }

  close(): void {
    if (!this.#isClosed) closeSync(this.#file);
    this.#isClosed = true;
  }
}

/** The row at the beginning of `codes`; undefined when they hold only a part of it. Throws when it is none. */
function rowOf(codes: Int32Array, room?: CodeRoom): RowWords | undefined {
  const kind = kindOfRow(codes[1] ?? -1);
  if (codes.length >= rowHeaderLength && (codes[0] !== rowMark || !kind)) throw new Error('No row of the index begins here.');
  const free = room?.free(codes.length);
  const length = wordsOf(codes, free);
  if (length === undefined) return undefined;
  const words = free?.subarray(0, length) ?? new Int32Array(length);
  if (free) room?.take(length);
  else wordsOf(codes, words);
  const facts = { language: languageOfRow(codes[1] ?? 0), isPlayable: isPlayableRow(codes[1] ?? 0) };
  return { video: idOf(codes[2] ?? 0, codes[3] ?? 0), kind: kind ?? '', ...facts, words };
}

/** How many words and line ends the row at the beginning has, undefined when some are missing; they are put into `words`. */
function wordsOf(codes: Int32Array, words?: Int32Array): number | undefined {
  let [length, lines] = [0, 0];
  for (let at = rowHeaderLength; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === rowMark) {
      at += rowHeaderLength - 1;
      continue;
    }
    if (code === sectionEnd) return length;
    if (words) words[length] = code;
    length++;
    if (code === lineEndCode && ++lines === linesPerPassage) return length;
  }
  return undefined;
}

function idOf(high: number, low: number): string {
  return high.toString(16).padStart(5, '0') + low.toString(16).padStart(5, '0');
}
