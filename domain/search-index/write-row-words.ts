import { type FileHandle, open } from 'node:fs/promises';
import type { IndexState } from '../files/index-state.ts';
import { writeWhole } from '../system/durable-file.ts';
import { toLanguageNumber } from '../words/languages/languages.ts';
import { encodeFilmRecord, sectionLengthsAt } from './films/film-record.ts';
import { textKinds } from './films/film-text.ts';
import type { IndexRow, StoredRow, VideoRows } from './index-row.ts';
import { beginsPassage } from './passages.ts';
import {
  bytesPerCode,
  type CodeSink,
  putWordCodes,
  type RowFacts,
  rowHeaderLength,
  rowMark,
  sectionEnd,
  toRowKindCode,
  type WordListener,
} from './word-code.ts';

/**
 * Writes the words of all rows, beside the tables: the ranking looks at a hundred rows for every answer, and a table takes
 * 50 µs to find one of them. The file is made of 32-bit numbers, little endian, and only grows. Of each video it holds the head row,
 * the record of its film, and a section for each kind of lines that it has. A row begins with the mark, its kind with the number of the
 * film's language and whether it can be played and the two halves of the video's id, and goes on with the codes of its words, a line end behind every line. In a section all lines stand once and in
 * order, with a mark where a passage begins. What is new comes behind what counts: what a killed writer left there is cut off.
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

  /** The rows of a video with their offsets. They are in the file once `flush` returns. */
  add({ revision, language, isPlayable, head, passages, film }: VideoRows): { head: StoredRow; passages: StoredRow[] } {
    const sink = this.#sink;
    const of = { video: head.video, language: toLanguageNumber(language), isPlayable };
    const offset = this.#beginRow({ ...of, kind: head.kind });
    this.#makeRoom(head.text.length + 2);
    putWordCodes(head.text, sink, this.#listener);
    sink.codes[sink.length++] = sectionEnd;
    const record = encodeFilmRecord({ revision, film });
    this.#makeRoom(record.length);
    const recordAt = sink.length;
    sink.codes.set(record, recordAt);
    sink.length += record.length;
    const stored = textKinds.flatMap((kind) => {
      const from = sink.length;
      const offsets = this.#addSection(film.lines[kind], { ...of, kind });
      sink.codes[recordAt + sectionLengthsAt[kind]] = sink.length - from;
      return passages.flatMap((row) => (row.kind === kind ? [{ ...row, offset: offsets.get(row.from) ?? Number.NaN }] : []));
    });
    this.#rows += passages.length;
    return { head: { ...head, offset }, passages: stored };
  }

  /** Writes what waits. What was written so far, to be kept with the tables. */
  async flush(): Promise<IndexState['rowWords']> {
    const bytes = Buffer.from(this.#sink.codes.buffer, 0, this.#sink.length * bytesPerCode);
    await writeWhole(this.#file, bytes, this.#start);
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

  /** Adds the lines of a kind. Where the passages begin, in bytes, by their first lines. */
  #addSection(lines: readonly string[], row: RowHeader): Map<number, number> {
    const offsets = new Map<number, number>();
    for (const [n, line] of lines.entries()) {
      if (beginsPassage(n, lines.length)) offsets.set(n, this.#beginRow(row));
      this.#makeRoom(line.length + 2);
      putWordCodes(line, this.#sink, this.#listener);
    }
    if (lines.length > 0) this.#sink.codes[this.#sink.length++] = sectionEnd;
    return offsets;
  }

  /** Where a row begins, in bytes. */
  #beginRow({ video, ...facts }: RowHeader): number {
    this.#makeRoom(rowHeaderLength);
    const sink = this.#sink;
    const offset = this.#start + sink.length * bytesPerCode;
    sink.codes.set([rowMark, toRowKindCode(facts), ...halvesOf(video)], sink.length);
    sink.length += rowHeaderLength;
    return offset;
  }

  #makeRoom(more: number): void {
    const { codes, length } = this.#sink;
    if (length + more <= codes.length) return;
    this.#sink.codes = new Int32Array(Math.max(codes.length * 2, length + more));
    this.#sink.codes.set(codes.subarray(0, length));
  }
}

type RowHeader = RowFacts & Pick<IndexRow, 'video'>;

/** An id is ten hexadecimal digits: two numbers of five. */
function halvesOf(id: string): [number, number] {
  return [Number.parseInt(id.slice(0, 5), 16), Number.parseInt(id.slice(5), 16)];
}
