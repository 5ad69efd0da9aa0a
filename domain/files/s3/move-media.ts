import { appendFile, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { nullWhenAbsent } from '../../system/null-when-absent.ts';
import { OperatorFault } from '../../system/operator-fault.ts';
import { parseJson } from '../../system/parse-json.ts';
import { sha256OfFile, sha256OfStored } from '../sha256.ts';
import type { FileStore, StoredFile } from '../store.ts';
import { NotInStore } from '../store-away.ts';
import { videoIdOfKey, videoKeys } from '../video-keys.ts';

const Moved = z.object({ key: z.string(), sizeBytes: z.number(), modifiedAt: z.string(), sha256: z.string() });
type Moved = z.infer<typeof Moved>;

/** From which store to which, and where it is noted what has come there, of these two stores alone: the next call goes on from it. */
export interface MediaMove {
  readonly from: FileStore;
  readonly to: FileStore;
  readonly ledger: string;
  /** Which of these videos have no files by the database. */
  unnamed(ids: readonly string[]): Promise<readonly string[]>;
  readonly tell?: (progress: { readonly files: number; readonly bytes: number }) => void;
}

/** What one walk over all media came to. */
export interface MoveFigures {
  readonly copied: number;
  readonly copiedBytes: number;
  /** What was there as a whole already. */
  readonly kept: number;
  /** What is gone where it came from, and lies in the trash where it went. */
  readonly removed: number;
}

/**
 * Copies every file of media that the other store lacks or has otherwise, reads it back and compares its SHA-256. What it copies from is
 * not changed, and may be in use: files that come or change meanwhile are for the next call. It may be ended at any moment. Throws where
 * what comes back is something else than what went, where a store is away, and an OperatorFault where films are gone that should be there.
 */
export async function moveMedia({ from, to, ledger, unnamed, tell }: MediaMove): Promise<MoveFigures> {
  const before = await readLedger(ledger);
  const erased = await findErased({ from, unnamed }, before);
  const arrived = await findArrived(to, before);
  const [seen, figures] = [new Set<string>(), { copied: 0, copiedBytes: 0, kept: 0, removed: 0 }];
  for await (const file of from.list('media')) {
    seen.add(file.key);
    if (isSame(before.get(file.key), file)) {
      if (arrived.has(file.key)) figures.kept += 1;
      // It was erased there. Else it was lost there, and goes over once more.
      if (arrived.has(file.key) || erased.has(videoIdOfKey(file.key))) continue;
    }
    const sha256 = await copyCompared({ from, to }, file.key);
    if (sha256 === null) continue;
    await appendFile(ledger, `${JSON.stringify(moved(file, sha256))}\n`, { mode: 0o600 });
    figures.copied += 1;
    figures.copiedBytes += file.sizeBytes;
    tell?.({ files: figures.copied, bytes: figures.copiedBytes });
  }
  for (const key of before.keys()) {
    const id = videoIdOfKey(key);
    // Of a film that should be there, what is gone was taken away only where its original still lies.
    const isOver = erased.has(id) || seen.has(videoKeys(id).original);
    if (!isOver || seen.has(key) || (await from.stat(key))) continue;
    if (await to.remove(key, 'it is gone where it was moved from')) figures.removed += 1;
    await appendFile(ledger, `${JSON.stringify({ key, sizeBytes: 0, modifiedAt: '', sha256: '' })}\n`);
  }
  return figures;
}

/** As many films may be lost without doubt that this is the store they came from. */
const lostMax = { films: 3, share: 0.01 };
const wayOut =
  'Nothing was copied or removed. If the archive already uses the other store, there is nothing to move; otherwise mount the volume that contains them.';

/** Films that were moved and that the database does not name any more. Throws an OperatorFault where many are gone that it names, or all. */
async function findErased({ from, unnamed }: Pick<MediaMove, 'from' | 'unnamed'>, before: Ledger): Promise<ReadonlySet<string>> {
  const ids = [...new Set([...before.keys()].map(videoIdOfKey))];
  const [erased, present] = [new Set(await unnamed(ids)), new Set(await from.listVideos())];
  if (ids.length > 0 && present.size === 0)
    throw new OperatorFault(`None of the ${ids.length} videos already copied is still at its source. ${wayOut}`);
  const lost = ids.filter((id) => !present.has(id) && !erased.has(id));
  if (lost.length > lostMax.films && lost.length > ids.length * lostMax.share)
    throw new OperatorFault(
      `${lost.length} of the ${ids.length} videos already copied are no longer at their source, and the database still names them. ${wayOut}`,
    );
  return erased;
}

/** What was moved and still lies there. */
async function findArrived(to: FileStore, before: Ledger): Promise<ReadonlySet<string>> {
  const arrived = new Set<string>();
  if (before.size === 0) return arrived;
  for await (const { key } of to.list('media')) if (before.has(key)) arrived.add(key);
  return arrived;
}

/** The hash of what lies in both now; null for a file that went meanwhile. */
async function copyCompared({ from, to }: Pick<MediaMove, 'from' | 'to'>, key: string): Promise<string | null> {
  try {
    return await from.withLocalCopy(key, async (path) => {
      const sha256 = await sha256OfFile(path);
      await to.put(key, { copyOf: path });
      const there = await to.openRange(key);
      if (!there || (await sha256OfStored(there)) !== sha256) throw new Error(`${key} differs from its copy; nothing was removed.`);
      return sha256;
    });
  } catch (error) {
    if (error instanceof NotInStore) return null;
    throw error;
  }
}

function moved({ key, sizeBytes, modifiedAt }: StoredFile, sha256: string): Moved {
  return { key, sizeBytes, modifiedAt: modifiedAt.toISOString(), sha256 };
}

function isSame(before: Moved | undefined, { sizeBytes, modifiedAt }: StoredFile): boolean {
  return before?.sizeBytes === sizeBytes && before.modifiedAt === modifiedAt.toISOString();
}

type Ledger = ReadonlyMap<string, Moved>;

/** The last that was noted of each key that was not removed since. A line that was cut off was not noted. */
async function readLedger(path: string): Promise<Ledger> {
  const text = (await readFile(path, 'utf8').catch(nullWhenAbsent)) ?? '';
  const lines = text.split('\n').flatMap((line) => Moved.safeParse(parseJson(line)).data ?? []);
  const last = new Map(lines.map((line) => [line.key, line]));
  return new Map([...last].filter(([, { sha256 }]) => sha256 !== ''));
}
