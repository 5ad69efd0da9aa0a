import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isAlive, startOf } from '../../system/is-alive.ts';
import { namesIn } from '../names-in.ts';
import { sha256Of } from '../sha256.ts';
import { ensureSpace } from '../stage-file.ts';
import type { StoredRange } from '../store.ts';
import { StoreAway } from '../store-away.ts';

/** Where the copies lie, and when one that nobody uses any more may go. */
export interface LocalCopiesOptions {
  readonly folder: string;
  readonly reserveBytes?: number | undefined;
  readonly idleMs?: number;
}

/** What a copy is made of. */
interface CopySource {
  readonly key: string;
  readonly etag: string;
  readonly sizeBytes: number;
  open(): Promise<StoredRange | null>;
}

export interface LocalCopies {
  /** Hands over a copy of this version of a file, fetched unless it is here. Throws `storage_full`, StoreAway, and what `work` throws. */
  use<T>(source: CopySource, work: (path: string) => Promise<T>): Promise<T>;
}

interface Copy {
  readonly path: string;
  readonly whole: Promise<void>;
  users: number;
  idle: NodeJS.Timeout | undefined;
}

/** A film goes along several steps, and is put off between them: to fetch it for each would be most of the work. */
const cachedIdleMs = 10 * 60 * 1_000;

/**
 * Copies of stored files on this machine, for tools that read nothing else. They belong to one process, which shares each between all
 * who use it; those of processes that are gone are swept when the first one is made.
 */
export function openLocalCopies({ folder, reserveBytes, idleMs = cachedIdleMs }: LocalCopiesOptions): LocalCopies {
  const own = join(folder, `${ownSign}-${randomUUID().slice(0, 8)}`);
  const copies = new Map<string, Copy>();
  let swept: Promise<void> | undefined;

  const drop = async (name: string, copy: Copy) => {
    clearTimeout(copy.idle);
    // Another try may have brought it since, and work be under way with that.
    if (copies.get(name) !== copy) return;
    copies.delete(name);
    await rm(copy.path, { force: true });
  };
  const makeRoom = async (neededBytes: number) => {
    swept ??= sweepForeign(folder);
    await swept;
    await mkdir(own, { recursive: true });
    try {
      await ensureSpace([own], neededBytes, reserveBytes);
    } catch {
      // What is only kept for later makes room first.
      for (const [name, copy] of [...copies]) if (copy.users === 0) await drop(name, copy);
      await ensureSpace([own], neededBytes, reserveBytes);
    }
  };
  const fetched = async (source: CopySource, path: string) => {
    await makeRoom(source.sizeBytes);
    const found = await source.open();
    if (found?.sizeBytes !== source.sizeBytes) throw new StoreAway(`${source.key} was replaced while it was fetched`);
    const draft = `${path}.part`;
    try {
      await pipeline(found.stream(), createWriteStream(draft, { mode: 0o600 }));
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  };

  return {
    use: async (source, work) => {
      const name = sha256Of(`${source.key} ${source.etag}`);
      let copy = copies.get(name);
      if (!copy) {
        const path = join(own, name);
        copy = { path, whole: fetched(source, path), users: 0, idle: undefined };
        copies.set(name, copy);
      }
      const used = copy;
      clearTimeout(used.idle);
      used.users += 1;
      try {
        await used.whole.catch((error: unknown) => {
          if (copies.get(name) === used) copies.delete(name);
          throw error;
        });
        return await work(used.path);
      } finally {
        used.users -= 1;
        if (used.users === 0 && copies.get(name) === used)
          used.idle = setTimeout(() => void drop(name, used).catch(() => {}), idleMs).unref();
      }
    },
  };
}

const ownSign = `${process.pid}-${startOf(process.pid)}`;

async function sweepForeign(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) if (!isInUse(name)) await rm(join(folder, name), { recursive: true, force: true });
}

function isInUse(name: string): boolean {
  const [, pid = '', start = ''] = /^(\d+)-(\d*)-/.exec(name) ?? [];
  return Number(pid) > 0 && isAlive(Number(pid)) && startOf(Number(pid)) === start;
}
