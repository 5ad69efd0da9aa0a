import { createHash } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { nullWhenAbsent } from '../null-when-absent.ts';
import { parseJson } from '../parse-json.ts';
import { sha256OfFile } from '../sha256.ts';
import type { FileStore, StoredFile } from '../store.ts';
import { NotInStore } from '../store-away.ts';

const Moved = z.object({ key: z.string(), sizeBytes: z.number(), modifiedAt: z.string(), sha256: z.string() });
type Moved = z.infer<typeof Moved>;

/** From which store to which, and where it is noted what has come there: the next call goes on from it. */
export interface MediaMove {
  readonly from: FileStore;
  readonly to: FileStore;
  readonly ledger: string;
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
 * what comes back is something else than what went, and where a store is away.
 */
export async function moveMedia({ from, to, ledger, tell }: MediaMove): Promise<MoveFigures> {
  const before = await readLedger(ledger);
  const [seen, figures] = [new Set<string>(), { copied: 0, copiedBytes: 0, kept: 0, removed: 0 }];
  for await (const file of from.list('media')) {
    seen.add(file.key);
    if (isSame(before.get(file.key), file)) {
      figures.kept += 1;
      continue;
    }
    const sha256 = await copyCompared({ from, to }, file.key);
    if (sha256 === null) continue;
    await appendFile(ledger, `${JSON.stringify(moved(file, sha256))}\n`, { mode: 0o600 });
    figures.copied += 1;
    figures.copiedBytes += file.sizeBytes;
    tell?.({ files: figures.copied, bytes: figures.copiedBytes });
  }
  for (const { key, sha256 } of before.values()) {
    if (seen.has(key) || sha256 === '' || (await from.stat(key))) continue;
    if (await to.remove(key, 'it is gone where it was moved from')) figures.removed += 1;
    await appendFile(ledger, `${JSON.stringify({ key, sizeBytes: 0, modifiedAt: '', sha256: '' })}\n`);
  }
  return figures;
}

/** The hash of what lies in both now; null for a file that went meanwhile. */
async function copyCompared({ from, to }: Pick<MediaMove, 'from' | 'to'>, key: string): Promise<string | null> {
  try {
    return await from.withLocalCopy(key, async (path) => {
      const sha256 = await sha256OfFile(path);
      await to.put(key, { copyOf: path });
      if ((await sha256OfStored(to, key)) !== sha256)
        throw new Error(`${key} came back as something else than it was put; nothing was removed.`);
      return sha256;
    });
  } catch (error) {
    if (error instanceof NotInStore) return null;
    throw error;
  }
}

async function sha256OfStored(store: FileStore, key: string): Promise<string | null> {
  const found = await store.openRange(key);
  if (!found) return null;
  const hash = createHash('sha256');
  for await (const chunk of found.stream()) hash.update(chunk);
  return hash.digest('hex');
}

function moved({ key, sizeBytes, modifiedAt }: StoredFile, sha256: string): Moved {
  return { key, sizeBytes, modifiedAt: modifiedAt.toISOString(), sha256 };
}

function isSame(before: Moved | undefined, { sizeBytes, modifiedAt }: StoredFile): boolean {
  return before?.sizeBytes === sizeBytes && before.modifiedAt === modifiedAt.toISOString();
}

/** The last that was noted of each key. A line that was cut off was not noted. */
async function readLedger(path: string): Promise<Map<string, Moved>> {
  const text = (await readFile(path, 'utf8').catch(nullWhenAbsent)) ?? '';
  const lines = text.split('\n').flatMap((line) => Moved.safeParse(parseJson(line)).data ?? []);
  return new Map(lines.map((line) => [line.key, line]));
}
