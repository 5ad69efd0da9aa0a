import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { errorMessageOf } from '../system/error-message.ts';

/** What the thread that hashes uploads is told, in the order in which it is to be done. */
export type HashOrder =
  /** Read on, from where the last order about it ended. What begins at 0 begins anew. */
  | { readonly order: 'read'; readonly id: string; readonly path: string; readonly from: number; readonly until: number }
  | { readonly order: 'forget'; readonly id: string }
  /** Say the hash of the first so many bytes. */
  | { readonly order: 'say'; readonly id: string; readonly sizeBytes: number; readonly question: number };

/** The SHA-256 in hexadecimal digits; undefined where not all of it was read. */
export interface HashSaid {
  readonly question: number;
  readonly sha256: string | undefined;
}

/** Uploads that come at once at most, many times over. */
const uploadsMax = 1_000;

/** The thread holds one piece of a file and a few numbers for each upload. */
const threadMemory = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 };

/**
 * SHA-256 of what lies on disk of uploads, read while more comes, by a thread beside the server's: of a film of 50 GB nobody waits at its end until it is read
 * once more. It knows only what came to this process without a gap; the rest is read as a whole.
 */
export class UploadHashes {
  readonly #ends = new LRUCache<string, number>({
    max: uploadsMax,
    dispose: (_, id, why) => why !== 'set' && this.#thread?.postMessage({ order: 'forget', id } satisfies HashOrder),
  });
  readonly #asked = new Map<number, (sha256: string | undefined) => void>();
  #questions = 0;
  #thread: Worker | undefined;

  /** Has a stretch of its file read that has been written. What does not go on behind what was read here is not worth it: that one is forgotten. */
  read(id: string, stretch: { readonly path: string; readonly from: number; readonly until: number }): void {
    if (stretch.from === stretch.until) return;
    if (stretch.from !== 0 && this.#ends.get(id) !== stretch.from) {
      this.#ends.delete(id);
      return;
    }
    this.#ends.set(id, stretch.until);
    this.#tell({ order: 'read', id, ...stretch });
  }

  /** In hexadecimal digits, where all of it was read here. */
  async ofWhole({ id, sizeBytes }: { readonly id: string; readonly sizeBytes: number }): Promise<string | undefined> {
    if (this.#ends.get(id) !== sizeBytes) return undefined;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const question = ++this.#questions;
    this.#asked.set(question, resolve);
    this.#thread?.ref();
    this.#tell({ order: 'say', id, sizeBytes, question });
    return await promise;
  }

  #tell(order: HashOrder): void {
    this.#thread ??= this.#start();
    this.#thread.postMessage(order);
  }

  #start(): Worker {
    const thread = new Worker(new URL('./hash-uploads.ts', import.meta.url), { resourceLimits: threadMemory });
    thread.unref();
    thread.on('message', ({ question, sha256 }: HashSaid) => {
      this.#asked.get(question)?.(sha256);
      this.#asked.delete(question);
      if (this.#asked.size === 0) thread.unref();
    });
    /** What it read is gone with it: those uploads are read as a whole. */
    const end = () => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      this.#ends.clear();
      for (const answer of this.#asked.values()) answer(undefined);
      this.#asked.clear();
    };
    thread.on('error', (error) => process.emitWarning(`Uploads are read once more at their end: ${errorMessageOf(error)}`));
    thread.on('exit', end);
    return thread;
  }
}
