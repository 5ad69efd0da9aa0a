import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isFootageName, readSidecarName } from '#contract/footage-names.ts';
import { Problem } from '#contract/problem.ts';
import {
  forgetWatchedFile,
  listWatchedFiles,
  noteWatchedFile,
  type RememberedFile,
  type WatchedFile,
  watchedFileId,
} from '#domain/footage/watched-files.ts';
import { errorCode } from '#domain/system/error-code.ts';
import { errorMessage } from '#domain/system/error-message.ts';
import { isWithin } from '#domain/system/is-within.ts';
import type { Say } from '#domain/system/log.ts';
import { nullWhenAbsent } from '#domain/system/null-when-absent.ts';
import { pause } from '#domain/system/pause.ts';
import { type IngestConfig, IngestConfigFault, NotThereYet } from '../config.ts';
import { isDiskFull } from '../run-steps.ts';
import { StepFailure } from '../step-failure.ts';
import { type ImportContext, importFile } from './import-file.ts';

const lookEveryMs = 2_500;
/** A look at a large folder of a slow share takes seconds: this many times as long nobody looks. */
const restPerLook = 9;
/** In how many looks in a row a film has to be the same: ten seconds of nobody writing into it. */
export const looksUntilWhole = 5;

/** Throws an IngestConfigFault for a folder that cannot be watched, NotThereYet where it may come to be there. */
export async function checkWatchedFolder({ watchedFolder, dataFolder }: Pick<IngestConfig, 'watchedFolder' | 'dataFolder'>): Promise<void> {
  if (!watchedFolder) return;
  const found = await stat(watchedFolder).catch((error: unknown) => errorCode(error));
  if (typeof found === 'string' || !found.isDirectory())
    throw new NotThereYet(`RUSHES_WATCH: there is no folder ${watchedFolder}. Create or mount it, or remove the setting.`);
  const watched = await realpath(watchedFolder);
  const data = await realpath(dataFolder).catch(() => dataFolder);
  if (isWithin(watched, data) || isWithin(data, watched))
    throw new IngestConfigFault(
      `RUSHES_WATCH: ${watchedFolder} and the data folder ${dataFolder} must not contain each other. Watch a separate folder.`,
    );
}

interface Watching {
  readonly folder: string;
  readonly log: Say;
  readonly signal: AbortSignal;
}

/** Takes in what comes to lie in a folder until the signal is raised; ends when the film that is being taken in then is safe. */
export async function startWatching(context: ImportContext, watching: Watching): Promise<void> {
  const { folder, log, signal } = watching;
  log(`watched folder: watching ${folder}`, { level: 'info' });
  let watch: FolderWatch | undefined;
  while (!signal.aborted) {
    const begunMs = performance.now();
    try {
      watch ??= await openFolderWatch(context, watching);
      await lookThrough(watch);
    } catch (error) {
      // The database is away for a moment.
      if (!signal.aborted) log(`watched folder: ${errorMessage(error)}; trying again`, { error });
    }
    await pause(Math.max(lookEveryMs, restPerLook * (performance.now() - begunMs)), signal);
  }
}

/** What is watched, with all that earlier runs remember of it. */
interface FolderWatch extends Watching {
  readonly context: ImportContext;
  readonly remembered: Map<string, RememberedFile>;
  /** What was there at the last look and is not remembered as it is: in how many looks in a row it was the same. */
  unsettled: Map<string, { readonly version: string; readonly looks: number }>;
  /** What could not be read at the last look. */
  unreadable: ReadonlySet<string>;
}

/** Reads what earlier runs remember of the folder; nothing is looked at yet. */
export async function openFolderWatch(context: ImportContext, watching: Watching): Promise<FolderWatch> {
  const remembered = new Map((await listWatchedFiles(context.pool)).map((file) => [file.id, file]));
  return { ...watching, context, remembered, unsettled: new Map(), unreadable: new Set() };
}

/** Looks through the folder once, and takes in what has been the same for long enough. */
export async function lookThrough(watch: FolderWatch): Promise<void> {
  const root = await realpath(watch.folder).catch(nullWhenUnreadable);
  const found = root === null ? null : await watchedFilms(root).catch(nullWhenUnreadable);
  tellUnreadable(watch, found ? found.unreadable : [watch.folder]);
  if (!found) return;
  const seen: FolderWatch['unsettled'] = new Map();
  for (const path of found.films) {
    if (watch.signal.aborted) return;
    await lookAt(watch, path, seen);
  }
  watch.unsettled = seen;
  if (found.unreadable.length === 0) await forgetGone(watch, found.films);
}

function tellUnreadable(watch: FolderWatch, paths: readonly string[]): void {
  for (const path of paths)
    if (!watch.unreadable.has(path)) watch.log(`watched folder: ${path} cannot be read (is its share mounted?); trying again`);
  for (const path of watch.unreadable) if (!paths.includes(path)) watch.log(`watched folder: ${path} can be read again`, { level: 'info' });
  watch.unreadable = new Set(paths);
}

/** Counts in how many looks a film was the same, and takes it in after enough of them; what is remembered as it is now is passed over. */
async function lookAt(watch: FolderWatch, path: string, seen: FolderWatch['unsettled']): Promise<void> {
  const found = await lstat(path).catch(nullWhenUnreadable);
  if (found?.isFile() === false) return;
  // What is not valid UTF-8 in a name is read as this sign, and there is no file of that name.
  if (!found && !path.includes('\ufffd')) return;
  const file = { path, sizeBytes: found?.size ?? 0, modifiedMs: found?.mtimeMs ?? 0 };
  if (isSettled(watch.remembered.get(watchedFileId(path)), file)) return;
  if (!found) return await leaveOut(watch, file, { is: 'refused', message: 'Its name is not valid UTF-8. Rename it.' });
  const version = await versionOfFilm(path).catch(nullWhenUnreadable);
  if (version === null) return;
  const before = watch.unsettled.get(path);
  const looks = before?.version === version ? before.looks + 1 : 1;
  if (looks < looksUntilWhole) seen.set(path, { version, looks });
  // A folder may have become a link to another one since it was listed.
  else if ((await realpath(path).catch(nullWhenUnreadable)) === path) await take(watch, file);
}

function isSettled(known: RememberedFile | undefined, { sizeBytes, modifiedMs }: FileAsItIs): boolean {
  return known !== undefined && known.state !== 'waiting' && known.sizeBytes === sizeBytes && known.modifiedMs === modifiedMs;
}

type FileAsItIs = Omit<WatchedFile, 'outcome'>;

async function take(watch: FolderWatch, file: FileAsItIs): Promise<void> {
  let noted: RememberedFile | undefined;
  try {
    const { videoId, wasKnown, remarks } = await importFile(watch.context, file.path, async (db, added) => {
      noted = await noteWatchedFile(db, { ...file, outcome: { is: added.wasKnown ? 'known' : 'taken', videoId: added.videoId } });
    });
    if (noted) watch.remembered.set(noted.id, noted);
    say(watch, file, wasKnown ? `already in the archive, as video ${videoId}` : `added as video ${videoId}`, {
      video: videoId,
      level: 'info',
    });
    for (const remark of remarks) say(watch, file, remark, { video: videoId });
  } catch (error) {
    const outcome = whyLeftOut(error);
    if (outcome) await leaveOut(watch, file, outcome);
  }
}

async function leaveOut(watch: FolderWatch, file: FileAsItIs, outcome: LeftOut): Promise<void> {
  const before = watch.remembered.get(watchedFileId(file.path));
  const noted = await noteWatchedFile(watch.context.pool, { ...file, outcome });
  watch.remembered.set(noted.id, noted);
  // What waits is tried again and again; that is said once.
  if (before?.state === noted.state && before.modifiedMs === noted.modifiedMs) return;
  say(watch, file, `${outcome.is === 'refused' ? 'refused' : 'waits'}: ${outcome.message}`);
}

function say({ log }: FolderWatch, { path }: FileAsItIs, ...[text, about]: Parameters<Say>): void {
  log(`watched folder: ${path}: ${text}`, about);
}

interface LeftOut {
  readonly is: 'refused' | 'waiting';
  readonly message: string;
}

/** Undefined for a film that has gone, or goes on growing: the next looks see to it. */
function whyLeftOut(error: unknown): LeftOut | undefined {
  if (error instanceof StepFailure && error.kind.is === 'bad-media') return { is: 'refused', message: error.message };
  if (['version_mismatch', 'ENOENT'].includes(errorCode(error))) return undefined;
  if (error instanceof Problem && error.code === 'conflict') return { is: 'refused', message: error.message };
  if (['EACCES', 'EPERM'].includes(errorCode(error)))
    return { is: 'waiting', message: 'The archive may not read this file. Give its user read permission.' };
  if (isDiskFull(error)) return { is: 'waiting', message: error instanceof Problem ? error.message : "The archive's disk is full." };
  return { is: 'waiting', message: `It could not be added (${errorMessage(error)}). Trying again.` };
}

/** Of what was refused or waits and has gone, nothing is shown any more. What was taken stays known: a share may be away for a while. */
async function forgetGone({ context, remembered }: FolderWatch, films: readonly string[]): Promise<void> {
  const here = new Set(films.map(watchedFileId));
  for (const { id, state } of remembered.values()) {
    if (here.has(id) || state === 'taken' || state === 'known') continue;
    await forgetWatchedFile(context.pool, id);
    remembered.delete(id);
  }
}

/** For the `catch` of a read: null for what the system does not let us read now; a bug goes on. */
function nullWhenUnreadable(error: unknown): null {
  if (errorCode(error) === '') throw error;
  return null;
}

/** Films as they lie in a watched folder, and folders below it that cannot be read. */
interface WatchedFilms {
  readonly films: readonly string[];
  readonly unreadable: readonly string[];
}

// What a NAS or Windows keeps beside the files of people: previews, snapshots, what they threw away.
const notOfPeople = new Set(['@eaDir', '#recycle', '#snapshot', '$RECYCLE.BIN', 'System Volume Information', 'lost+found']);
/** What browsers and other senders put behind the name of a file that has not come as a whole. */
const partialEndings = ['.part', '.partial', '.crdownload', '.download', '.tmp', '.aria2', '~'];

/**
 * The films in a folder and below it, in order. Hidden files, links, and films beside a partial file of their name are left out. Throws
 * when the folder itself cannot be read.
 */
async function watchedFilms(folder: string): Promise<WatchedFilms> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = new Set(entries.map(({ name }) => name));
  const isPartial = (name: string) => partialEndings.some((ending) => names.has(`${name}${ending}`));
  const films: string[] = [];
  const unreadable: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { name } = entry;
    const path = join(folder, name);
    if (/^[.~]/.test(name)) continue;
    if (entry.isFile() && isFootageName(name) && !isPartial(name)) films.push(path);
    // A link to a folder is no folder here: what it leads to is somebody else's.
    if (!entry.isDirectory() || notOfPeople.has(name)) continue;
    const below = await watchedFilms(path).catch((error: unknown) => {
      // Without a code it is a bug of ours.
      if (errorCode(error) === '') throw error;
      return { films: [], unreadable: [path] };
    });
    films.push(...below.films);
    unreadable.push(...below.unreadable);
  }
  return { films, unreadable };
}

/** Sizes and times of a film and of what lies beside it under its name: the same for as long as nobody writes into them. */
async function versionOfFilm(path: string): Promise<string> {
  const folder = dirname(path);
  const film = basename(path);
  const names = (await readdir(folder)).filter((name) => name === film || readSidecarName(name, film)).sort();
  const files = await Promise.all(
    names.map(async (name) => {
      const found = await lstat(join(folder, name)).catch(nullWhenAbsent);
      return [name, found?.ino, found?.size, found?.mtimeMs];
    }),
  );
  return JSON.stringify(files);
}
