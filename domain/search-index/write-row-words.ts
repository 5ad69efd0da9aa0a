import { type FileHandle, open } from 'node:fs/promises';
import type { IndexState } from '../files/index-state.ts';
import type { IndexRow, PlacedRow, VideoRows } from './index-row.ts';
import { linesBetweenPassages } from './passages.ts';
import {
  bytesPerCode,
  type CodeSink,
  putWordCodes,
  rowHeaderLength,
  rowKinds,
  rowMark,
  sectionEnd,
  type WordListener,
} from './word-code.ts';

/**
 * Writes the words of all rows, beside the tables: the ranking looks at a hundred rows for every answer, and a table takes
 * 50 µs to find one of them. The file is made of 32-bit numbers, little endian, and only grows. A section holds the rows of
 * one kind of a video; each begins with the mark, its kind and the two halves of the video's id, and goes on with the codes
 * of its words, a line end behind every line. Lines that a passage shares with the next one stand there alone, behind its
 * mark. Rows come behind those that count: what a killed writer left there is cut off.
 */
export class RowWordsWriter {
  readonly #file: FileHandle;
  readonly #sink: CodeSink = { codes: new Int32Array(1 << 20), length: 0 };
  /** Where the codes that wait will stand, in bytes. */
  #start: number;
  #rows: number;
  readonly #listener: WordListener | undefined;

  private constructor(file: FileHandle, { bytes, rows }: IndexState['rowWords'], listener: WordListener | undefined) {
    this.#file = file;
    this.#listener = listener;
    this.#start = bytes;
    this.#rows = rows;
  }

  /** Writes behind what was `written`. The listener hears every word of a video, those of shared lines once. */
  static async open(path: string, written: IndexState['rowWords'], listener?: WordListener): Promise<RowWordsWriter> {
    const file = await open(path, written.bytes > 0 ? 'r+' : 'w');
    await file.truncate(written.bytes);
    return new RowWordsWriter(file, written, listener);
  }

  /** The rows of a video with their places. They are in the file once `flush` returns. */
  add({ head, passages }: VideoRows): { head: PlacedRow; passages: PlacedRow[] } {
    const placed = passages.map((row, n) => this.#addRow(row, passages[n + 1]));
    this.#rows += passages.length;
    return { head: this.#addRow(head, undefined), passages: placed };
  }

  /** Writes what waits. What was written so far, to be kept with the tables. */
  async flush(): Promise<IndexState['rowWords']> {
    const bytes = Buffer.from(this.#sink.codes.buffer, 0, this.#sink.length * bytesPerCode);
    // A disk that fills up takes a part before it takes nothing.
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, this.#start + done);
      done += bytesWritten;
    }
    this.#start += bytes.length;
    this.#sink.length = 0;
    return { bytes: this.#start, rows: this.#rows };
  }

  /** Whether so much waits that it should be written before more is added. */
  get isFull(): boolean {
    return this.#sink.length * bytesPerCode > 8_000_000;
  }

  /** Makes what was written outlast a power cut, and closes the file. */
  async close(): Promise<void> {
    await this.#file.datasync();
    await this.#file.close();
  }

  #addRow(row: IndexRow, next: IndexRow | undefined): PlacedRow {
    const sink = this.#sink;
    const place = this.#start + sink.length * bytesPerCode;
    const shared = next?.kind === row.kind ? ownEnd(row.text, next.text) : undefined;
    this.#makeRoom(row.text.length + rowHeaderLength + 2);
    sink.codes.set([rowMark, rowKinds.indexOf(row.kind), ...halvesOf(row.video)], sink.length);
    const own = shared === undefined ? row.text : row.text.slice(0, shared);
    sink.length += rowHeaderLength;
    putWordCodes(own, sink, this.#listener);
    if (shared === undefined) sink.codes[sink.length++] = sectionEnd;
    return { ...row, place };
  }

  #makeRoom(more: number): void {
    const { codes, length } = this.#sink;
    if (length + more <= codes.length) return;
    this.#sink.codes = new Int32Array(Math.max(codes.length * 2, length + more));
    this.#sink.codes.set(codes.subarray(0, length));
  }
}

/** Where the lines end that a passage does not share with the next; undefined when it shares none. */
function ownEnd(text: string, next: string): number | undefined {
  let end = -1;
  for (let line = 0; line < linesBetweenPassages; line++) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) return undefined;
  }
  const shared = text.slice(end + 1);
  return next.startsWith(shared) && (next.length === shared.length || next.charAt(shared.length) === '\n') ? end : undefined;
}

/** An id is ten hexadecimal digits: two numbers of five. */
function halvesOf(id: string): [number, number] {
  return [Number.parseInt(id.slice(0, 5), 16), Number.parseInt(id.slice(5), 16)];
}
