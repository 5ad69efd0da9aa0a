import { LRUCache } from 'lru-cache';

/** Files are read, and kept, in pieces of so many bytes. */
export const bytesOfChunk = 16_384;

let filesOpened = 0;

/** What was read of files, in chunks; those that nobody asked for longest go first. */
export class ChunkCache {
  readonly #chunks: LRUCache<number, Uint8Array>;

  constructor(bytes: number) {
    this.#chunks = new LRUCache({ max: Math.max(1, Math.floor(bytes / bytesOfChunk)) });
  }

  /** A chunk of a file, by their numbers; `read` makes it where it is not there. */
  get(file: number, chunk: number, read: () => Uint8Array): Uint8Array {
    const key = file * chunksMax + chunk;
    const known = this.#chunks.get(key);
    if (known) return known;
    const bytes = read();
    this.#chunks.set(key, bytes);
    return bytes;
  }

  /** A number for a file, which no other one has. */
  static numberOfFile(): number {
    return filesOpened++;
  }
}

/** A file of so many chunks would have sixty terabytes. */
const chunksMax = 2 ** 32;
