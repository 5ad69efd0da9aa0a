import { createHash, type Hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** How far the file of an upload was read, and what of. */
interface HashedSoFar {
  readonly hash: Hash;
  readonly end: number;
}

/** Uploads that come at once at most, many times over. */
const keptMax = 1_000;

/**
 * SHA-256 of what lies on disk of uploads, read while more comes: of a film of 50 GB nobody waits at its end until it is read once more. It knows only what came
 * to this process without a gap; the rest is read as a whole.
 */
export class UploadHashes {
  readonly #kept = new LRUCache<string, HashedSoFar>({ max: keptMax });

  /** To go on with behind `offset`; undefined where what lies before it was not read here. It is the caller's until it is kept again. */
  take(id: string, offset: number): Hash | undefined {
    const known = this.#kept.get(id);
    this.#kept.delete(id);
    if (offset === 0) return createHash('sha256');
    return known?.end === offset ? known.hash : undefined;
  }

  keep(id: string, soFar: HashedSoFar): void {
    this.#kept.set(id, soFar);
  }

  /** In hexadecimal digits, where all of it was read here. */
  ofWhole({ id, sizeBytes }: { readonly id: string; readonly sizeBytes: number }): string | undefined {
    const known = this.#kept.get(id);
    return known?.end === sizeBytes ? known.hash.copy().digest('hex') : undefined;
  }
}
