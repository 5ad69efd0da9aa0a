import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';
import { z } from 'zod';
import type { ArchiveFiles } from '../files/open-archive-files.ts';
import { Sha256 } from '../files/sha256.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { errorCodeOf } from '../system/error-code.ts';
import { parseJson } from '../system/parse-json.ts';
import { type ArchiveFile, fileGroups, groupOfKey, listFiles, openFile, videoOfKey } from './archive-files.ts';
import { type BackupFolder, filesAtOnce, readFileInChunks } from './backup-folder.ts';
import type { Content } from './content-set.ts';
import { ContentFault, hasContent, keepContent, readPackedContent } from './contents.ts';
import type { DumpedFilm } from './dump-database.ts';
import type { Snapshot } from './snapshot.ts';

/** A file as a snapshot names it: a line of its list. */
export const ListedFile = z.object({
  key: z.string(),
  sha256: Sha256,
  sizeBytes: z.number().int(),
  modifiedMs: z.number().int(),
});
export type ListedFile = z.infer<typeof ListedFile>;

/** The files of a list, in its order. With `mayEndEarly` the first line that is none is the end: the list of a backup that was killed. */
export async function* readFileList(bytes: AsyncIterable<Uint8Array>, { mayEndEarly = false } = {}): AsyncGenerator<ListedFile, void> {
  for await (const line of linesOf(bytes)) {
    const listed = ListedFile.safeParse(parseJson(line));
    if (listed.success) yield listed.data;
    else if (mayEndEarly) return;
    else throw new Error('A list of files was made by a newer version of Rushes; use that version.');
  }
}

/** What is wrong with a list that names so many files instead of all. */
export function sayListed(listed: number, all: number): string {
  return `its list names ${listed} files instead of ${all}`;
}

/** Whether a file that was listed is as it was. Some file systems round its time. */
export function isUnchanged(listed: ListedFile, now: { sizeBytes: number; modifiedMs: number }): boolean {
  return listed.sizeBytes === now.sizeBytes && Math.abs(listed.modifiedMs - now.modifiedMs) <= 1;
}

/** A line of a list. */
function listLine({ key, sha256, sizeBytes, modifiedMs }: ListedFile): string {
  return `${JSON.stringify({ key, sha256, sizeBytes, modifiedMs })}\n`;
}

/** Gives the files of a list group by group, when it is asked for the groups in their order: a list need not fit into memory. */
function readByGroup(list: AsyncGenerator<ListedFile, void>, groups: readonly string[]) {
  let next: ListedFile | undefined;
  let isOver = false;
  const advance = async () => {
    const { value, done } = await list.next();
    next = value ?? undefined;
    isOver = done === true;
  };
  return async (group: string): Promise<ListedFile[]> => {
    const found: ListedFile[] = [];
    const until = groups.indexOf(group);
    if (next === undefined && !isOver) await advance();
    while (next !== undefined) {
      const at = groups.indexOf(groupOfKey(next.key));
      if (at > until) break;
      if (at === until) found.push(next);
      await advance();
    }
    return found;
  };
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

interface KeptFiles {
  readonly list: Snapshot['files'];
  /** Bytes that were read and kept; what was kept before is not read again. */
  readonly newBytes: number;
  /** What the archive lacks, or has otherwise than the database says, in sentences. */
  readonly problems: readonly string[];
}

interface KeepFilesOptions {
  readonly archive: ArchiveFiles;
  readonly folder: BackupFolder;
  /** What the database knew at its instant, which came before this. */
  readonly films: readonly DumpedFilm[];
  /** The newest snapshot, whose files need not be read again where they are as they were. */
  readonly before: Snapshot | undefined;
  /** Which of these films the archive has still, with the same original: asked when files of theirs are gone or others. */
  readonly stillKnown: (films: readonly DumpedFilm[]) => Promise<readonly string[]>;
  /** Films whose lost originals an operator has given up. */
  readonly givenUp: ReadonlySet<string>;
  /** Throws when another run may have begun meanwhile. */
  readonly requireLock: () => void;
}

/** Keeps every file of the archive by its hash, and the list of them. The archive may go on changing meanwhile. */
export async function keepFiles(options: KeepFilesOptions): Promise<KeptFiles> {
  const { archive, folder, before, films, requireLock } = options;
  const known = [...(before ? [listOfSnapshot(folder, before)] : []), ...(await listsOfKilledRuns(folder))];
  const listed = known.map((list) => readByGroup(list, fileGroups));
  const videoIds = new Set([...(await archive.store.listVideos()), ...films.map(({ id }) => id)]);
  // Held open: its lines stay together whoever tidies up there.
  await using ownList = await open(join(folder.incoming, `list-${randomUUID()}.jsonl`), 'ax+', 0o600);
  const sums = { count: 0, totalBytes: 0, newBytes: 0 };
  const problems: string[] = [];
  for (const group of fileGroups) {
    requireLock();
    const earlier = new Map((await Promise.all(listed.map((filesOf) => filesOf(group)))).flat().map((file) => [file.key, file]));
    const ids = [...videoIds].filter((id) => id.startsWith(group));
    const files = await listFiles(archive, group === 'rest' ? 'rest' : { videoIds: ids });
    const kept = await keepGroup(options, { earlier, films: films.filter(({ id }) => id.startsWith(group)), files });
    await ownList.appendFile(kept.files.map(listLine).join(''));
    sums.count += kept.files.length;
    sums.totalBytes += kept.files.reduce((sum, file) => sum + file.sizeBytes, 0);
    sums.newBytes += kept.newBytes;
    problems.push(...kept.problems);
  }
  const list = await keepContent(folder, ownList.createReadStream({ start: 0, autoClose: false }).pipe(createGzip()));
  return { list: { ...list, count: sums.count, totalBytes: sums.totalBytes }, newBytes: sums.newBytes, problems };
}

interface Group {
  readonly earlier: ReadonlyMap<string, ListedFile>;
  readonly films: readonly DumpedFilm[];
  readonly files: readonly ArchiveFile[];
}

async function keepGroup({ archive, folder, stillKnown, givenUp }: KeepFilesOptions, group: Group) {
  const kept = new Map<string, ListedFile>();
  const gone = new Set<string>();
  const unreadable: string[] = [];
  const hashes = new Map(group.films.map(({ id, contentHash }) => [toVideoKeys(id).original, contentHash]));
  let newBytes = 0;
  const keepAll = async (files: readonly ArchiveFile[]) => {
    const toRead: ArchiveFile[] = [];
    for (const file of files) {
      const listed = await reuseEntry(folder, file, { earlier: group.earlier.get(file.key), hash: hashes.get(file.key) });
      if (listed) kept.set(file.key, listed);
      else toRead.push(file);
    }
    await folder.files.ensureRoom(toRead.map(({ sizeBytes }) => sizeBytes));
    await eachAtOnce(toRead, async ({ key, modifiedMs }) => {
      const content = await keepFile(archive, folder, key);
      if (content === 'unreadable') return void unreadable.push(`${key} cannot be read; its disk may be failing.`);
      if (content === 'gone') return void gone.add(key);
      kept.set(key, { key, modifiedMs, ...content });
      newBytes += content.sizeBytes;
    });
  };
  await keepAll(group.files);
  // Whoever takes or replaces something does it by a rename: a second look finds what came in its place.
  const doubtful = new Set([...[...gone].map(videoOfKey), ...findFilmFaults(group.films, kept).map(({ id }) => id)]);
  const second = await listFiles(archive, { videoIds: [...doubtful].filter((id) => id !== null) });
  await keepAll(second.filter(({ key }) => !kept.has(key)));
  const faults = findFilmFaults(group.films, kept).filter(({ id }) => !givenUp.has(id) || kept.has(toVideoKeys(id).original));
  const faulty = new Set(faults.map(({ id }) => id));
  const known = new Set(faults.length > 0 ? await stillKnown(group.films.filter(({ id }) => faulty.has(id))) : []);
  const problems = [...unreadable, ...faults.filter(({ id }) => known.has(id)).map(({ fault }) => fault)];
  return { files: [...kept.values()], newBytes, problems };
}

/** The entry of a file that need not be read: it is as a list says, or an original whose content is here under the hash of its import. */
async function reuseEntry(
  folder: BackupFolder,
  file: ArchiveFile,
  { earlier, hash }: { earlier: ListedFile | undefined; hash: string | undefined },
): Promise<ListedFile | undefined> {
  const sha256 = earlier && isUnchanged(earlier, file) ? earlier.sha256 : hash;
  return sha256 !== undefined && (await hasContent(folder, { ...file, sha256 })) ? { ...file, sha256 } : undefined;
}

async function keepFile(archive: ArchiveFiles, folder: BackupFolder, key: string): Promise<Content | 'gone' | 'unreadable'> {
  try {
    const bytes = await openFile(archive, key);
    return bytes ? await keepContent(folder, bytes) : 'gone';
  } catch (error) {
    if (errorCodeOf(error) === 'EIO') return 'unreadable';
    // It went while it was opened, unless it is the folder of backups that went.
    if (errorCodeOf(error) === 'ENOENT' && existsSync(folder.incoming)) return 'gone';
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
  await Promise.all(Array.from({ length: filesAtOnce }, worker));
}

/** States in which a film has its original. One that failed long ago may have none. */
const statesWithOriginal = ['Uploaded', 'Processing', 'Processed'];

/** What these films lack of what the database says they have, in sentences. */
function findFilmFaults(films: readonly DumpedFilm[], files: ReadonlyMap<string, ListedFile>): { id: string; fault: string }[] {
  return films.flatMap((film) => faultsOf(film, files).map((fault) => ({ id: film.id, fault })));
}

function faultsOf({ id, state, contentHash, streams }: DumpedFilm, files: ReadonlyMap<string, ListedFile>): string[] {
  if (!statesWithOriginal.includes(state)) return [];
  const keys = toVideoKeys(id);
  const original = files.get(keys.original);
  const faults: string[] = [];
  if (!original) faults.push(`The original of video ${id} is missing.`);
  else if (original.sha256 !== contentHash)
    faults.push(`The original of video ${id} has changed since it was imported; its disk may be failing.`);
  if (state === 'Processed' && streams && !files.has(`${keys.hls}/master.m3u8`)) faults.push(`The renditions of video ${id} are missing.`);
  return faults;
}
