import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { writeWhole } from '../../system/durable-file.ts';
import { WordsClosed } from '../read-row-words.ts';
import { bytesOfChunk, ChunkCache } from './chunk-cache.ts';

/*
 * A part of the index: the postings of many films, in a file that is written once. Lists stand first, sections of numbers behind them, and
 * a footer that says where each section begins: JSON, its length in bytes, and a mark. All numbers are little endian.
 *
 *   of films      ids · their numbers in the order of their ids · offsets of their head rows · created · published · number of the first passage of each, and one more
 *   of each kind  words of each row · what each length takes from the words of a row · codes of the words, rising · where the list of each begins, and one more · rows that hold each
 *   of passages   where each begins, in codes behind the head of its film
 *
 * Rows have the order of the file of words; a head has the number of its film. A film without a head has left the archive: it takes its rows
 * in parts before this one with it.
 *
 * A list is cut into blocks of 128 rows. First stand the facts of all blocks: their last rows, where each ends in bytes, where its positions
 * end, and the most that one of its rows comes to. Then come the blocks: for each row its distance to the one before; four bits for each
 * row, the lower ones first, with how often the word stands there; and for those that say fifteen, how often it really does. Behind all blocks
 * stand the positions of the word in each row: how far each is from the one before, in words. All but the four bits
 * are short numbers (short-numbers.ts).
 */

export const rowsPerBlock = 128;
/** A word that stands in a row so often, or more often, is weighed as if it stood there so often. */
export const timesMax = 15;
/** What a list says of each block: three numbers of 32 bits, and one of 16. */
export const bytesOfBlockFacts = 14;
/** The most that a row comes to is kept in so many steps, rounded up. */
export const shareSteps = 65_535;

const footerMark = 0x52_70_31_0a;
const footerTailBytes = 8;

/** Where each section begins, in bytes, and how many numbers it has. */
export const PartSections = z.record(z.string(), z.object({ at: z.number().int(), count: z.number().int() }));
export type PartSections = z.infer<typeof PartSections>;

/** Reads a part, and keeps what it reads of its lists in a cache; throws where it is not whole. */
export class PartFile {
  readonly #file: number;
  readonly #sizeBytes: number;
  readonly #sections: PartSections;
  readonly #cache: ChunkCache;
  readonly #number = ChunkCache.numberOfFile();
  #isClosed = false;

  constructor(path: string, cache: ChunkCache = new ChunkCache(0)) {
    this.#file = openSync(path, 'r');
    this.#sizeBytes = fstatSync(this.#file).size;
    this.#cache = cache;
    try {
      this.#sections = this.#readFooter();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  doubles(name: string): Float64Array {
    return new Float64Array(this.#readSection(name, Float64Array.BYTES_PER_ELEMENT));
  }

  codes(name: string): Int32Array {
    return new Int32Array(this.#readSection(name, Int32Array.BYTES_PER_ELEMENT));
  }

  counts(name: string): Uint32Array {
    return new Uint32Array(this.#readSection(name, Uint32Array.BYTES_PER_ELEMENT));
  }

  shorts(name: string): Uint16Array {
    return new Uint16Array(this.#readSection(name, Uint16Array.BYTES_PER_ELEMENT));
  }

  /** The n-th chunk of the file. Throws `WordsClosed`. */
  chunk(n: number): Uint8Array {
    this.#checkOpen();
    return this.#cache.get(this.#number, n, () => {
      const bytes = new Uint8Array(Math.min(bytesOfChunk, this.#sizeBytes - n * bytesOfChunk));
      this.#fill(bytes, n * bytesOfChunk);
      return bytes;
    });
  }

  #fill(bytes: Uint8Array, at: number): void {
    this.#checkOpen();
    for (let read = 0; read < bytes.length; ) {
      const more = readSync(this.#file, bytes, read, bytes.length - read, at + read);
      if (more === 0) throw new Error('A part of the index is shorter than it should be.');
      read += more;
    }
  }

  close(): void {
    if (!this.#isClosed) closeSync(this.#file);
    this.#isClosed = true;
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new WordsClosed('A part of the index is closed.');
  }

  #readFooter(): PartSections {
    const size = this.#sizeBytes;
    const [length = 0, mark] = size < footerTailBytes ? [] : new Uint32Array(this.#bytesAt(size - footerTailBytes, footerTailBytes));
    if (mark !== footerMark || length + footerTailBytes > size) throw new Error('This is no part of an index.');
    return PartSections.parse(JSON.parse(Buffer.from(this.#bytesAt(size - footerTailBytes - length, length)).toString()));
  }

  #readSection(name: string, bytesOfEach: number): ArrayBuffer {
    const section = this.#sections[name];
    if (!section) throw new Error(`A part of the index lacks ${name}.`);
    return this.#bytesAt(section.at, section.count * bytesOfEach);
  }

  #bytesAt(at: number, length: number): ArrayBuffer {
    const bytes = new Uint8Array(length);
    this.#fill(bytes, at);
    return bytes.buffer;
  }
}

const alignedBytes = 8;

/** Writes a part from its beginning to its end: bytes of lists, then sections, then what says where they are. */
export class PartWriter {
  readonly #file: FileHandle;
  readonly #sections: PartSections = {};
  /** Where what waits will stand. */
  #start = 0;
  #waiting = Buffer.alloc(1 << 21);
  #length = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Where the next byte will stand. */
  get position(): number {
    return this.#start + this.#length;
  }

  /** Puts bytes behind what waits. */
  append(bytes: Uint8Array): void {
    if (this.#waiting.length - this.#length < bytes.length) {
      const larger = Buffer.alloc(Math.max(this.#waiting.length * 2, this.#length + bytes.length));
      this.#waiting.copy(larger, 0, 0, this.#length);
      this.#waiting = larger;
    }
    this.#waiting.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Whether so much waits that it should be written before more is added. */
  get isFull(): boolean {
    return this.#length > 1 << 20;
  }

  async flush(): Promise<void> {
    await writeWhole(this.#file, this.#waiting.subarray(0, this.#length), this.#start);
    this.#start += this.#length;
    this.#length = 0;
  }

  /** Writes a section of numbers. */
  async put(name: string, numbers: Float64Array | Int32Array | Uint32Array | Uint16Array): Promise<void> {
    await this.flush();
    this.#start = Math.ceil(this.#start / alignedBytes) * alignedBytes;
    this.#sections[name] = { at: this.#start, count: numbers.length };
    await writeWhole(this.#file, Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength), this.#start);
    this.#start += numbers.byteLength;
  }

  /** Writes the footer. */
  async end(): Promise<void> {
    await this.flush();
    const text = Buffer.from(JSON.stringify(this.#sections));
    const tail = Buffer.from(Uint32Array.of(text.length, footerMark).buffer);
    await writeWhole(this.#file, Buffer.concat([text, tail]), this.#start);
  }
}
