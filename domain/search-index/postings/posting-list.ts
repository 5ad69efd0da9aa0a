import { bytesOfChunk } from './chunk-cache.ts';
import { bytesOfBlockFacts, rowsPerBlock, shareSteps, timesMax } from './part-file.ts';
import { bytesOfNumber, numberAt } from './short-numbers.ts';
import { shareMax } from './weigh-words.ts';

/** The n-th chunk of a file. */
export type ReadChunk = (n: number) => Uint8Array;

/** A stretch of a file, of which some bytes are looked at at a time. */
class Stretch {
  readonly #read: ReadChunk;
  readonly #start: number;
  #chunk = -1;
  #bytes: Uint8Array = new Uint8Array(0);
  /** Bytes that lie in several chunks. */
  #joined = new Uint8Array(0);

  constructor(read: ReadChunk, start: number) {
    this.#read = read;
    this.#start = start;
  }

  /** Where the bytes stand that were brought last. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Brings the bytes from one up to, but not, another; where they begin among `bytes`. */
  bring(from: number, to: number): number {
    const [start, end] = [this.#start + from, this.#start + to];
    const first = Math.floor(start / bytesOfChunk);
    if (end > (first + 1) * bytesOfChunk) return this.#join(start, end);
    if (first !== this.#chunk) {
      this.#bytes = this.#read(first);
      this.#chunk = first;
    }
    return start - first * bytesOfChunk;
  }

  #join(start: number, end: number): number {
    if (this.#joined.length < end - start) this.#joined = new Uint8Array(Math.max(end - start, 2 * this.#joined.length));
    for (let at = start; at < end; ) {
      const chunk = Math.floor(at / bytesOfChunk);
      const bytes = this.#read(chunk).subarray(at - chunk * bytesOfChunk, end - chunk * bytesOfChunk);
      this.#joined.set(bytes, at - start);
      at += bytes.length;
    }
    this.#bytes = this.#joined;
    this.#chunk = -1;
    return 0;
  }
}

/** The list of a word in a part, as `part-file.ts` describes it. */
export class PostingList {
  /** Rows that hold the word. */
  readonly length: number;
  readonly blocks: number;
  /** The last row of each block. */
  readonly lastRows: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #positionEnds: Uint32Array;
  readonly #most: Uint16Array;
  readonly #rowBytes: Stretch;
  readonly #positionBytes: Stretch;
  /** How many bytes stand before the blocks, and before the positions. */
  readonly #rowsFrom: number;
  readonly #positionsFrom: number;
  /** Where it says how often the word stands in the rows of the block that was read last. */
  #timesAt = 0;
  /** Where the positions come next that are to be read. */
  #positionsAt = 0;

  /** `start`: where the list begins in the file. */
  constructor(read: ReadChunk, { start, length }: { start: number; length: number }) {
    const blocks = Math.ceil(length / rowsPerBlock);
    this.length = length;
    this.blocks = blocks;
    this.#rowBytes = new Stretch(read, start);
    this.#positionBytes = new Stretch(read, start);
    this.#rowsFrom = blocks * bytesOfBlockFacts;
    const at = this.#rowBytes.bring(0, this.#rowsFrom);
    const facts = this.#rowBytes.bytes.slice(at, at + this.#rowsFrom).buffer;
    this.lastRows = new Uint32Array(facts, 0, blocks);
    this.#ends = new Uint32Array(facts, blocks * 4, blocks);
    this.#positionEnds = new Uint32Array(facts, blocks * 8, blocks);
    this.#most = new Uint16Array(facts, blocks * 12, blocks);
    this.#positionsFrom = this.#rowsFrom + (this.#ends[blocks - 1] ?? 0);
  }

  /** What none of the rows of a block comes above. */
  most(block: number): number {
    return ((this.#most[block] ?? 0) * shareMax) / shareSteps;
  }

  /** Reads the rows of a block; how many they are. */
  readRows(block: number, rows: Int32Array): number {
    const count = Math.min(rowsPerBlock, this.length - block * rowsPerBlock);
    const from = block === 0 ? 0 : (this.#ends[block - 1] ?? 0);
    const length = (this.#ends[block] ?? 0) - from;
    let at = this.#rowBytes.bring(this.#rowsFrom + from, this.#rowsFrom + from + length);
    const { bytes } = this.#rowBytes;
    let row = block === 0 ? -1 : (this.lastRows[block - 1] ?? 0);
    // Mostly each number takes one byte: a loop that knows of others takes four times as long.
    if (length === count + Math.ceil(count / 2)) {
      for (let n = 0; n < count; n++) {
        row += bytes[at++] ?? 0;
        rows[n] = row;
      }
    } else at = readLongRows(bytes, at, { row, count, rows });
    this.#timesAt = at;
    return count;
  }

  /** Of the block that was read last, how often the word stands in each of all its rows, which are so many, up to `timesMax`. */
  readTimes(times: Uint8Array, count: number): void {
    const { bytes } = this.#rowBytes;
    let at = this.#timesAt;
    for (let n = 0; n < count; n += 2) {
      const byte = bytes[at++] ?? 0;
      times[n] = byte & timesMax;
      times[n + 1] = byte >>> 4;
    }
  }

  /** From what `readTimes` read, how often the word stands in all rows before each, and before the end of the block, however often that is. */
  sumTimes(times: Uint8Array, count: number, sums: Int32Array): void {
    const { bytes } = this.#rowBytes;
    let at = this.#timesAt + Math.ceil(count / 2);
    let sum = 0;
    for (let n = 0; n < count; n++) {
      sums[n] = sum;
      const often = times[n] ?? 0;
      if (often < timesMax) sum += often;
      else {
        sum += numberAt(bytes, at);
        at += bytesOfNumber(bytes, at);
      }
    }
    sums[count] = sum;
  }

  /** How many bytes the positions of a block take. */
  positionBytesOf(block: number): number {
    return (this.#positionEnds[block] ?? 0) - (block === 0 ? 0 : (this.#positionEnds[block - 1] ?? 0));
  }

  /** Brings the positions of a block, for `readPositions`. Each is that of a word of its row, from 0 on. */
  bringPositions(block: number): void {
    const before = this.#positionsFrom + (block === 0 ? 0 : (this.#positionEnds[block - 1] ?? 0));
    this.#positionsAt = this.#positionBytes.bring(before, before + this.positionBytesOf(block));
  }

  /** Reads so many positions of the block, where each takes one byte, behind so many others. */
  readPlainPositions(positions: Int32Array, times: number, behind: number): void {
    const { bytes } = this.#positionBytes;
    let at = this.#positionsAt + behind;
    let position = -1;
    for (let n = 0; n < times; n++) {
      position += bytes[at++] ?? 0;
      positions[n] = position;
    }
  }

  /** Reads so many positions of the block, behind so many others that stand behind those that were read last. */
  readPositions(positions: Int32Array, times: number, behind: number): void {
    const { bytes } = this.#positionBytes;
    let at = this.#positionsAt;
    for (let left = behind; left > 0; left--) at += bytesOfNumber(bytes, at);
    let position = -1;
    for (let n = 0; n < times; n++) {
      position += numberAt(bytes, at);
      at += bytesOfNumber(bytes, at);
      positions[n] = position;
    }
    this.#positionsAt = at;
  }
}

/** Reads rows whose distances to the ones before take more than a byte at times; where the next byte stands. */
function readLongRows(
  bytes: Uint8Array,
  from: number,
  { row: before, count, rows }: { row: number; count: number; rows: Int32Array },
): number {
  let [at, row] = [from, before];
  for (let n = 0; n < count; n++) {
    row += numberAt(bytes, at);
    at += bytesOfNumber(bytes, at);
    rows[n] = row;
  }
  return at;
}
