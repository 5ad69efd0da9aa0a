import { open } from 'node:fs/promises';
import { CodeRoom } from '../code-room.ts';
import type { RowWordsReader } from '../read-row-words.ts';
import { toVideoNumber } from '../video-number.ts';
import { bytesPerCode } from '../word-code.ts';
import { type CodeRange, GatheredWords } from './gathered-words.ts';
import { bytesOfBlockFacts, PartWriter, rowsPerBlock, shareSteps, timesMax } from './part-file.ts';
import { GrowingBytes } from './short-numbers.ts';
import { lengthLossOf, shareMax, shareOfTimes } from './weigh-words.ts';

/** A film of a part. Times in milliseconds since 1970. */
export interface PartFilm {
  readonly id: string;
  /** Where its head row stands in the file of words, in bytes; undefined where the film has left the archive. */
  readonly head: number | undefined;
  readonly createdMs: number;
  readonly publishedMs: number;
}

export interface PartRows {
  readonly films: readonly PartFilm[];
  /** Where the passages of these films stand, in bytes, rising. */
  readonly passages: Float64Array;
}

/** The file of words. */
type Words = Pick<RowWordsReader, 'ahead'>;

/**
 * Writes a part with these rows to the disk. Takes a second for some five million words, and about four bytes of memory for each of
 * `wordsAtOnce`: for more of them the rows are gone through again.
 */
export async function writePart(
  path: string,
  { films, passages }: PartRows,
  { words, wordsAtOnce = 80_000_000 }: { words: Words; wordsAtOnce?: number },
): Promise<void> {
  await using file = await open(path, 'w');
  const writer = new PartWriter(file);
  const there = films.filter(({ head }) => head !== undefined).sort((a, b) => (a.head ?? 0) - (b.head ?? 0));
  const ordered = [...there, ...films.filter(({ head }) => head === undefined)];
  const heads = Float64Array.from(there, ({ head = 0 }) => head);
  const firstPassages = firstPassagesOf(heads, { passages, films: ordered.length });
  await writeLists(writer, { kind: 'heads', offsets: heads, words, wordsAtOnce });
  await writeLists(writer, { kind: 'passages', offsets: passages, words, wordsAtOnce });
  await writer.put('passages.places', offsetsOf(passages, { heads, firstPassages }));
  await writer.put('films.firstPassages', firstPassages);
  const ids = Float64Array.from(ordered, ({ id }) => toVideoNumber(id));
  await writer.put('films.ids', ids);
  await writer.put(
    'films.byId',
    Uint32Array.from(ids.keys()).sort((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0)),
  );
  await writer.put(
    'films.heads',
    Float64Array.from(ordered, ({ head = Number.NaN }) => head),
  );
  await writer.put(
    'films.createdMs',
    Float64Array.from(ordered, ({ createdMs }) => createdMs),
  );
  await writer.put(
    'films.publishedMs',
    Float64Array.from(ordered, ({ publishedMs }) => publishedMs),
  );
  await writer.end();
  await file.sync();
}

/** The number of the first passage of each film, which stands behind its head, and one more. */
function firstPassagesOf(heads: Float64Array, { passages, films }: { passages: Float64Array; films: number }): Uint32Array {
  const first = new Uint32Array(films + 1).fill(passages.length);
  let row = 0;
  for (const [film, head] of heads.entries()) {
    while (row < passages.length && (passages[row] ?? 0) < head) row++;
    first[film] = row;
  }
  return first;
}

/** Where each passage stands, in codes behind the head of its film. */
function offsetsOf(passages: Float64Array, { heads, firstPassages }: { heads: Float64Array; firstPassages: Uint32Array }): Uint32Array {
  const offsets = new Uint32Array(passages.length);
  for (const [film, head] of heads.entries())
    for (let n = firstPassages[film] ?? 0; n < (firstPassages[film + 1] ?? 0); n++) offsets[n] = ((passages[n] ?? 0) - head) / bytesPerCode;
  return offsets;
}

/** About so many words are gathered for each number of the file of words: neighbours share lines. */
const wordsPerCode = 1.25;

async function writeLists(
  writer: PartWriter,
  { kind, offsets, words, wordsAtOnce }: { kind: string; offsets: Float64Array; words: Words; wordsAtOnce: number },
): Promise<void> {
  const span = ((offsets.at(-1) ?? 0) - (offsets[0] ?? 0)) / bytesPerCode;
  const lengths = new Uint16Array(offsets.length);
  const [codes, starts, counts]: [number[], number[], number[]] = [[], [], []];
  let losses: Float64Array = new Float64Array(0);
  let lists: ListWriter | undefined;
  for (const range of rangesOf(Math.ceil((span * wordsPerCode) / wordsAtOnce))) {
    const gathered = gather(offsets, { range, words, lengths });
    // The lengths of rows are known now.
    if (!lists) {
      losses = lossesOf(lengths);
      lists = new ListWriter(writer, { lengths, losses });
    }
    for (const code of gathered.codes()) {
      starts.push(writer.position);
      codes.push(code);
      counts.push(lists.write(gathered, code));
      if (writer.isFull) await writer.flush();
    }
  }
  starts.push(writer.position);
  await writer.put(`${kind}.lengths`, lengths);
  await writer.put(`${kind}.losses`, losses);
  await writer.put(`${kind}.codes`, Int32Array.from(codes));
  await writer.put(`${kind}.starts`, Float64Array.from(starts));
  await writer.put(`${kind}.counts`, Uint32Array.from(counts));
}

/** All codes, in so many ranges. */
function rangesOf(count: number): CodeRange[] {
  const border = (n: number) => Math.floor(-(2 ** 31) + (n * 2 ** 32) / Math.max(1, count));
  return Array.from({ length: Math.max(1, count) }, (_, n) => ({ from: border(n), to: border(n + 1) }));
}

/** The words of a range in all rows; how many words of all each row has is put into `lengths`. */
function gather(offsets: Float64Array, { range, words, lengths }: { range: CodeRange; words: Words; lengths: Uint16Array }): GatheredWords {
  const gathered = new GatheredWords();
  const read = words.ahead();
  const room = new CodeRoom();
  for (let row = 0; row < offsets.length; row++) {
    room.clear();
    lengths[row] = Math.min(gathered.add(row, read(offsets[row] ?? 0, room).words, range), lengthMax);
  }
  return gathered;
}

/** A row of more words is weighed as one of so many. */
const lengthMax = 4_095;

/** What its length takes from the words of a row, by that length. */
function lossesOf(lengths: Uint16Array): Float64Array {
  const sum = lengths.reduce((words, length) => words + length, 0);
  const most = lengths.reduce((longest, length) => Math.max(longest, length), 0);
  const mean = Math.max(1, sum / Math.max(1, lengths.length));
  return Float64Array.from({ length: most + 1 }, (_, length) => lengthLossOf(length, mean));
}

/** Writes the lists of words, one after the other, as `part-file.ts` describes them. */
class ListWriter {
  readonly #writer: Pick<PartWriter, 'append'>;
  readonly #lengths: Uint16Array;
  readonly #losses: Float64Array;
  readonly #rowBytes = new GrowingBytes();
  readonly #positionBytes = new GrowingBytes();
  readonly #lastRows: number[] = [];
  readonly #ends: number[] = [];
  readonly #positionEnds: number[] = [];
  readonly #most: number[] = [];
  /** How often the word stands in each row of the block that is written. */
  readonly #blockTimes: number[] = [];
  #count = 0;
  #row = -1;
  #rowBefore = -1;
  #position = -1;
  #times = 0;

  constructor(writer: Pick<PartWriter, 'append'>, { lengths, losses }: { lengths: Uint16Array; losses: Float64Array }) {
    this.#writer = writer;
    this.#lengths = lengths;
    this.#losses = losses;
  }

  /** Writes the list of a word; how many rows hold it. */
  write(words: GatheredWords, code: number): number {
    this.#begin();
    words.positionsOf(code, (row, position) => {
      if (row !== this.#row) {
        this.#endRow();
        this.#row = row;
      }
      this.#positionBytes.putNumber(position - this.#position);
      this.#position = position;
      this.#times++;
    });
    this.#endRow();
    if (this.#count % rowsPerBlock !== 0) this.#endBlock();
    const facts = factsOf([this.#lastRows, this.#ends, this.#positionEnds], this.#most);
    this.#writer.append(facts);
    this.#writer.append(this.#rowBytes.bytes.subarray(0, this.#rowBytes.length));
    this.#writer.append(this.#positionBytes.bytes.subarray(0, this.#positionBytes.length));
    return this.#count;
  }

  #begin(): void {
    for (const list of [this.#lastRows, this.#ends, this.#positionEnds, this.#most]) list.length = 0;
    for (const bytes of [this.#rowBytes, this.#positionBytes]) bytes.length = 0;
    this.#count = 0;
    this.#row = -1;
    this.#rowBefore = -1;
  }

  #endRow(): void {
    if (this.#row >= 0) {
      if (this.#count % rowsPerBlock === 0) this.#most.push(0);
      this.#rowBytes.putNumber(this.#row - this.#rowBefore);
      this.#blockTimes.push(this.#times);
      this.#rowBefore = this.#row;
      const share = shareOfTimes(Math.min(this.#times, timesMax), this.#losses[this.#lengths[this.#row] ?? 0] ?? 0);
      this.#most[this.#most.length - 1] = Math.max(this.#most.at(-1) ?? 0, share);
      if (++this.#count % rowsPerBlock === 0) this.#endBlock();
    }
    this.#position = -1;
    this.#times = 0;
  }

  #endBlock(): void {
    const times = this.#blockTimes;
    for (let n = 0; n < times.length; n += 2)
      this.#rowBytes.put(Math.min(times[n] ?? 0, timesMax) | (Math.min(times[n + 1] ?? 0, timesMax) << 4));
    for (const often of times) if (often >= timesMax) this.#rowBytes.putNumber(often);
    times.length = 0;
    this.#lastRows.push(this.#rowBefore);
    this.#ends.push(this.#rowBytes.length);
    this.#positionEnds.push(this.#positionBytes.length);
  }
}

function factsOf(numbers: readonly (readonly number[])[], most: readonly number[]): Uint8Array {
  const facts = new Uint8Array(most.length * bytesOfBlockFacts);
  const view = new DataView(facts.buffer);
  let at = 0;
  for (const number of numbers.flat()) {
    view.setUint32(at, number, true);
    at += 4;
  }
  for (const share of most) {
    view.setUint16(at, Math.min(shareSteps, Math.ceil((share / shareMax) * shareSteps)), true);
    at += 2;
  }
  return facts;
}
