import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ignoreAbsent } from '../../system/null-when-absent.ts';
import { OperatorFault } from '../../system/operator-fault.ts';
import { parseJson } from '../../system/parse-json.ts';
import { sha256OfFile, sha256OfStored } from '../sha256.ts';
import type { FileStore, StoredFile } from '../store.ts';
import { NotInStore } from '../store-away.ts';
import { toVideoKeys } from '../video-keys.ts';

const Moved = z.object({ key: z.string(), sizeBytes: z.number(), modifiedAt: z.string(), sha256: z.string() });
type Moved = z.infer<typeof Moved>;

/** From which store to which, and a folder in which it is noted what has come there, of these two stores alone: the next call goes on from it. */
export interface MediaMove {
  readonly from: FileStore;
  readonly to: FileStore;
  readonly notes: string;
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
 * Copies every file of media that the other store lacks or has otherwise, reads it back and compares its SHA-256, film by film: of none
 * more has to be known at once. What it copies from is not changed, and may be in use: files that come or change meanwhile are for the
 * next call. It may be ended at any moment. Throws where what comes back is something else than what went, where a store is away, and an
 * OperatorFault where films are gone that should be there.
 */
export async function moveMedia(move: MediaMove): Promise<MoveFigures> {
  await mkdir(move.notes, { recursive: true, mode: 0o700 });
  const noted = await readdir(move.notes);
  const { present, erased } = await findErased(move, noted);
  const figures = { copied: 0, copiedBytes: 0, kept: 0, removed: 0 };
  for (const id of [...new Set([...noted, ...present])].sort()) await moveFilm(move, { id, isErased: erased.has(id), figures });
  return figures;
}

interface MovedFilm {
  readonly id: string;
  readonly isErased: boolean;
  readonly figures: { -readonly [Figure in keyof MoveFigures]: MoveFigures[Figure] };
}

async function moveFilm(move: MediaMove, film: MovedFilm): Promise<void> {
  const { from, to, tell } = move;
  const { id, isErased, figures } = film;
  const { all } = toVideoKeys(id);
  const notes = join(move.notes, id);
  const before = await readNotes(notes);
  const arrived = new Set(before.size > 0 ? await Array.fromAsync(to.list(all), ({ key }) => key) : []);
  const seen = new Set<string>();
  for await (const file of from.list(all)) {
    seen.add(file.key);
    if (isSame(before.get(file.key), file)) {
      if (arrived.has(file.key)) figures.kept += 1;
      // It was erased there. Else it was lost there, and goes over once more.
      if (arrived.has(file.key) || isErased) continue;
    }
    const sha256 = await copyCompared(move, file.key);
    if (sha256 === null) continue;
    await appendFile(notes, `${JSON.stringify(toMoved(file, sha256))}\n`, { mode: 0o600 });
    figures.copied += 1;
    figures.copiedBytes += file.sizeBytes;
    tell?.({ files: figures.copied, bytes: figures.copiedBytes });
  }
  if (isErased && seen.size === 0) await removeFilm(move, { ...film, notes });
  else await removeWhatWent(move, film, { before, seen, notes });
}

const reason = 'it is gone where it was moved from';

/** Files that a film does not have any more. Of one that should be there, what is gone was taken away only where its original still lies. */
async function removeWhatWent(
  { from, to }: MediaMove,
  { id, isErased, figures }: MovedFilm,
  { before, seen, notes }: { before: Notes; seen: ReadonlySet<string>; notes: string },
): Promise<void> {
  if (!isErased && !seen.has(toVideoKeys(id).original)) return;
  for (const key of before.keys()) {
    if (seen.has(key) || (await from.stat(key))) continue;
    if (await to.remove(key, reason)) figures.removed += 1;
    await appendFile(notes, `${JSON.stringify({ key, sizeBytes: 0, modifiedAt: '', sha256: '' })}\n`);
  }
}

/** A film that is gone as a whole. What was erased for good, and lies in no trash there, is kept in none here. */
async function removeFilm({ from, to }: MediaMove, { id, figures, notes }: MovedFilm & { notes: string }): Promise<void> {
  const { all } = toVideoKeys(id);
  const { length } = await Array.fromAsync(to.list(all));
  if (length > 0) await to.remove(all, reason);
  if ((await from.trash.list(id)).length === 0) await to.trash.purgeOf(id);
  figures.removed += length;
  await rm(notes, { force: true });
}

/** As many films may be lost without doubt that this is the store they came from. */
const lostMax = { films: 3, share: 0.01 };
const wayOut =
  'Nothing was copied or removed. If the archive already uses the other store, there is nothing to move; otherwise mount the volume that contains them.';

/** The films that are there, and those that the database does not name any more. Throws an OperatorFault where many of the noted are gone that it names, or all. */
async function findErased({ from, unnamed }: MediaMove, noted: readonly string[]) {
  const [erased, present] = [new Set(await unnamed(noted)), new Set(await from.listVideos())];
  if (noted.length > 0 && present.size === 0)
    throw new OperatorFault(`None of the ${noted.length} videos already copied is still at its source. ${wayOut}`);
  const lost = noted.filter((id) => !present.has(id) && !erased.has(id));
  if (lost.length > lostMax.films && lost.length > noted.length * lostMax.share)
    throw new OperatorFault(
      `${lost.length} of the ${noted.length} videos already copied are no longer at their source, and the database still names them. ${wayOut}`,
    );
  return { present, erased };
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

function toMoved({ key, sizeBytes, modifiedAt }: StoredFile, sha256: string): Moved {
  return { key, sizeBytes, modifiedAt: modifiedAt.toISOString(), sha256 };
}

function isSame(before: Moved | undefined, { sizeBytes, modifiedAt }: StoredFile): boolean {
  return before?.sizeBytes === sizeBytes && before.modifiedAt === modifiedAt.toISOString();
}

type Notes = ReadonlyMap<string, Moved>;

/** The last that was noted of each file of a film that was not removed since. A line that was cut off was not noted. */
async function readNotes(path: string): Promise<Notes> {
  const text = (await readFile(path, 'utf8').catch(ignoreAbsent)) ?? '';
  const lines = text.split('\n').flatMap((line) => Moved.safeParse(parseJson(line)).data ?? []);
  const last = new Map(lines.map((line) => [line.key, line]));
  return new Map([...last].filter(([, { sha256 }]) => sha256 !== ''));
}
