import { open } from 'node:fs/promises';

export interface Content {
  readonly sha256: string;
  readonly sizeBytes: number;
}

/**
 * Hashes of contents in little memory, some 20 bytes each: a `Set` of JavaScript ends at 16.7 million, and takes a hundred for one. It keeps
 * 96 bits of each, so what was never added may look as if it had been, once in more backups than anybody makes.
 */
export interface ContentSet {
  /** Whether it is new here. With `sizeBytes` another size is another content. */
  add(sha256: string, sizeBytes?: number): boolean;
  has(sha256: string, sizeBytes?: number): boolean;
}

const wordsEach = 3;
const fullest = 0.75;

/** An empty set, in 256 parts by the first two digits of the hash, each of which grows by itself. */
export function makeContentSet(): ContentSet {
  const parts = Array.from({ length: 256 }, () => ({ words: new Uint32Array(16 * wordsEach), count: 0 }));
  const partOf = (sha256: string) => {
    const part = parts[firstByteOf(sha256)];
    if (!part) throw new Error('not a SHA-256');
    return part;
  };
  return {
    add: (sha256, sizeBytes = 0) => {
      const part = partOf(sha256);
      const words = wordsOf(sha256, sizeBytes);
      const at = placeOf(part.words, words);
      if (isTaken(part.words, at)) return false;
      part.words.set(words, at);
      part.count += 1;
      if (part.count * wordsEach > part.words.length * fullest) part.words = twiceAsLarge(part.words);
      return true;
    },
    has: (sha256, sizeBytes = 0) => {
      const { words } = partOf(sha256);
      return isTaken(words, placeOf(words, wordsOf(sha256, sizeBytes)));
    },
  };
}

/** Bits 8 to 104 of a hash, the last of them mixed with the size. All of them 0 would look like nothing. */
function wordsOf(sha256: string, sizeBytes: number): readonly [number, number, number] {
  const word = (at: number) => Number.parseInt(sha256.slice(at, at + 8), 16);
  const mixed = (word(18) ^ sizeBytes ^ Math.floor(sizeBytes / 2 ** 32)) >>> 0;
  return [word(2) || 1, word(10), mixed];
}

/** Where these words stand, or would: the first place that is theirs or nobody's. */
function placeOf(words: Uint32Array, [a, b, c]: readonly [number, number, number]): number {
  const places = words.length / wordsEach;
  let place = a % places;
  for (;;) {
    const at = place * wordsEach;
    if (!isTaken(words, at) || (words[at] === a && words[at + 1] === b && words[at + 2] === c)) return at;
    place = (place + 1) % places;
  }
}

function isTaken(words: Uint32Array, at: number): boolean {
  return words[at] !== 0;
}

function twiceAsLarge(words: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(words.length * 2);
  for (let at = 0; at < words.length; at += wordsEach) {
    if (isTaken(words, at))
      larger.set(words.subarray(at, at + wordsEach), placeOf(larger, [words[at] ?? 0, words[at + 1] ?? 0, words[at + 2] ?? 0]));
  }
  return larger;
}

/** Contents by hash and size in a file, 24 bytes each: in memory is only where those begin that share their first four digits. */
export interface ContentList {
  has(content: Content): Promise<boolean>;
  close(): Promise<void>;
}

const entryBytes = 24;
const firstDigits = 4;
const entriesAtOnce = 4_096;

/** Writes such a file of contents that come in the order of their hashes, as stores list them. Throws when they come in another. */
export async function writeContentList(path: string, contents: AsyncIterable<Content>): Promise<ContentList> {
  const file = await open(path, 'wx+', 0o600);
  const begins = new Float64Array(16 ** firstDigits + 1);
  try {
    let count = 0;
    let reached = 0;
    const entries: Buffer[] = [];
    for await (const content of contents) {
      const at = placeIn(content);
      if (at < reached)
        throw new Error('The store lists its objects in another order than that of their names; keep backups in one that does as S3 does.');
      begins.fill(count, reached + 1, at + 1);
      reached = at;
      entries.push(entryOf(content));
      count += 1;
      if (entries.length === entriesAtOnce) await file.writeFile(Buffer.concat(entries.splice(0)));
    }
    await file.writeFile(Buffer.concat(entries));
    begins.fill(count, reached + 1);
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    has: async (content) => {
      const at = placeIn(content);
      const [from = 0, to = 0] = [begins[at], begins[at + 1]];
      const { buffer } = await file.read(Buffer.alloc((to - from) * entryBytes), 0, undefined, from * entryBytes);
      const entry = entryOf(content);
      for (let n = 0; n < buffer.length; n += entryBytes) if (buffer.compare(entry, 0, entryBytes, n, n + entryBytes) === 0) return true;
      return false;
    },
    close: () => file.close(),
  };
}

function placeIn({ sha256 }: Content): number {
  return Number.parseInt(sha256.slice(0, firstDigits), 16);
}

/** 128 bits of the hash, and the size. */
function entryOf({ sha256, sizeBytes }: Content): Buffer {
  const entry = Buffer.alloc(entryBytes);
  entry.write(sha256.slice(0, 32), 'hex');
  entry.writeDoubleLE(sizeBytes, 16);
  return entry;
}

/** So many contents are remembered at once, in some 700 MB. */
const contentsAtOnce = 2 ** 25;

/** Whether a hash belongs to a pass. */
type Pass = (sha256: string) => boolean;

/** The passes, by the first two digits of their hash, in which so many contents are gone through; never more than 256. */
export function passesFor(contents: number, atOnce = contentsAtOnce): Pass[] {
  const passes = Math.min(256, Math.max(1, Math.ceil(contents / atOnce)));
  return Array.from({ length: passes }, (_, n) => (sha256) => Math.floor((firstByteOf(sha256) * passes) / 256) === n);
}

function firstByteOf(sha256: string): number {
  return Number.parseInt(sha256.slice(0, 2), 16);
}
