import { randomUUID } from 'node:crypto';
import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { errorCode } from '../db/error-code.ts';
import type { ArchiveFolder } from '../files/archive-folder.ts';
import { type ArchiveFile, fileGroups, listFileGroup, listVideoFiles, placeOfKey } from './archive-files.ts';
import type { BackupFolder } from './backup-folder.ts';
import { ensureRoom } from './backup-space.ts';
import { ContentFault, hasContent, keepContent, readFileInChunks, readPackedContent } from './contents.ts';
import type { DumpedFilm } from './dump-database.ts';
import { inGroups, type ListedFile, listLine, readFileList } from './file-list.ts';
import { findFilmFaults } from './film-faults.ts';
import type { Snapshot } from './snapshot.ts';

export interface KeptFiles {
  readonly list: Snapshot['files'];
  /** Bytes that were read and kept; what was kept before is not read again. */
  readonly newBytes: number;
  /** What the archive lacks, or has otherwise than the database says, in sentences. */
  readonly problems: readonly string[];
}

export interface KeepFilesOptions {
  readonly archive: ArchiveFolder;
  readonly folder: BackupFolder;
  /** What the database knew at its instant, which came before this. */
  readonly films: readonly DumpedFilm[];
  /** The newest snapshot, whose files need not be read again where they are as they were. */
  readonly before: Snapshot | undefined;
  /** Which of these films have a footage still: asked when files of theirs are gone. */
  readonly stillKnown: (ids: readonly string[]) => Promise<readonly string[]>;
}

const atOnce = 4;
/** Restored files have their times to the microsecond, which is less than some file systems keep. */
const sameMomentMs = 1;

/** Keeps every file of the archive by its hash, and the list of them. The archive may go on changing meanwhile. */
export async function keepFiles(options: KeepFilesOptions): Promise<KeptFiles> {
  const { archive, folder, before, films } = options;
  const known = [...(before ? [listOfSnapshot(folder, before)] : []), ...(await listsOfKilledRuns(folder))];
  const listed = known.map((list) => inGroups(list, fileGroups));
  const ownList = join(folder.incoming, `list-${randomUUID()}.jsonl`);
  await appendFile(ownList, '', { mode: 0o600 });
  const sums = { count: 0, totalBytes: 0, newBytes: 0 };
  const problems: string[] = [];
  for (const group of fileGroups) {
    const earlier = new Map((await Promise.all(listed.map((groupOf) => groupOf(group)))).flat().map((file) => [file.key, file]));
    const groupFilms = films.filter(({ id }) => id.startsWith(group) && group.length === 2);
    const kept = await keepGroup(options, { earlier, films: groupFilms, files: await listFileGroup(archive, group) });
    await appendFile(ownList, kept.files.map(listLine).join(''));
    sums.count += kept.files.length;
    sums.totalBytes += kept.files.reduce((sum, file) => sum + file.sizeBytes, 0);
    sums.newBytes += kept.newBytes;
    problems.push(...kept.problems);
  }
  const list = await keepContent(folder, Readable.from(readFileInChunks(ownList)).pipe(createGzip()));
  return { list: { ...list, count: sums.count, totalBytes: sums.totalBytes }, newBytes: sums.newBytes, problems };
}

interface Group {
  readonly earlier: ReadonlyMap<string, ListedFile>;
  readonly films: readonly DumpedFilm[];
  readonly files: readonly ArchiveFile[];
}

async function keepGroup(options: KeepFilesOptions, group: Group) {
  const { archive, folder } = options;
  const kept = new Map<string, ListedFile>();
  const gone = new Set<string>();
  const hashes = new Map(group.films.map(({ id, contentHash }) => [`media/${id}/original`, contentHash]));
  let newBytes = 0;
  const keepAll = async (files: readonly ArchiveFile[]) => {
    const toRead: ArchiveFile[] = [];
    for (const file of files) {
      const listed = await keptBefore(folder, file, { earlier: group.earlier.get(file.key), hash: hashes.get(file.key) });
      if (listed) kept.set(file.key, listed);
      else toRead.push(file);
    }
    await ensureRoom(
      folder.root,
      toRead.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    );
    await eachAtOnce(toRead, async (file) => {
      const listed = await keepFile(folder, file);
      if (!listed) return void gone.add(file.key);
      kept.set(file.key, listed);
      newBytes += listed.sizeBytes;
    });
  };
  await keepAll(group.files);
  // Whoever replaced or moved something did so by a rename: a second look finds what took its place.
  const touched = new Set([...gone].map((key) => placeOfKey(key).videoId).filter((id) => id !== null));
  for (const id of touched) await keepAll((await listVideoFiles(archive, id)).filter(({ key }) => !kept.has(key)));
  return {
    files: [...kept.values()],
    newBytes,
    problems: await findFilmFaults(group.films, { has: kept, stillKnown: options.stillKnown }),
  };
}

/** The entry of a file that need not be read: it is as a list says, or an original whose content is here under the hash of its import. */
async function keptBefore(
  folder: BackupFolder,
  { key, sizeBytes, modifiedMs, mode }: ArchiveFile,
  { earlier, hash }: { earlier: ListedFile | undefined; hash: string | undefined },
): Promise<ListedFile | undefined> {
  const isSame = earlier?.sizeBytes === sizeBytes && Math.abs(earlier.modifiedMs - modifiedMs) < sameMomentMs;
  const sha256 = isSame ? earlier.sha256 : hash;
  if (sha256 === undefined || !(await hasContent(folder, { sha256, sizeBytes }))) return undefined;
  return { key, sha256, sizeBytes, modifiedMs, mode };
}

async function keepFile(folder: BackupFolder, { key, path, modifiedMs, mode }: ArchiveFile): Promise<ListedFile | undefined> {
  try {
    return { key, modifiedMs, mode, ...(await keepContent(folder, readFileInChunks(path))) };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A damaged list costs the reading of files that were kept before, and nothing else. */
async function* listOfSnapshot(folder: BackupFolder, { files }: Snapshot): AsyncGenerator<ListedFile, void> {
  try {
    yield* readFileList(readPackedContent(folder, files), { mayEndEarly: true });
  } catch (error) {
    if (!(error instanceof ContentFault)) throw error;
  }
}

async function listsOfKilledRuns(folder: BackupFolder) {
  const names = (await readdir(folder.incoming)).filter((name) => /^list-.*\.jsonl$/.test(name));
  return names.map((name) => readFileList(readFileInChunks(join(folder.incoming, name)), { mayEndEarly: true }));
}

async function eachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
