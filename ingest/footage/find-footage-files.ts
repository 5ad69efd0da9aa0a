import { constants, type Dirent, type Stats } from 'node:fs';
import { lstat, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isFolderOfPeople, isFootageName, readSidecarName } from '#contract/footage-names.ts';
import { sha256Of } from '#domain/files/sha256.ts';
import { errorCode, isForbidden } from '#domain/system/error-code.ts';
import { nullWhenAbsent } from '#domain/system/null-when-absent.ts';

/**
 * The files that paths given by a person stand for: a file is itself, a folder is what is in it and in the folders of people below it under a
 * name that is looked for, footage unless told otherwise. Throws on a path that is not there.
 */
export async function findFootageFiles(paths: readonly string[], isWanted = isFootageName): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const absolute = resolve(path);
    if ((await stat(absolute)).isDirectory()) found.push(...(await filesBelow(absolute, isWanted)));
    else found.push(absolute);
  }
  return [...new Set(found)];
}

async function filesBelow(folder: string, isWanted: (name: string) => boolean): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && isFolderOfPeople(entry.name)) for (const one of await filesBelow(path, isWanted)) found.push(one);
    if (entry.isFile() && !entry.name.startsWith('.') && isWanted(entry.name)) found.push(path);
  }
  return found.sort();
}

/** A film as it lies in a watched folder: by its true path, with its own name and those of what belongs to it there, in order. */
export interface WatchedFilm {
  readonly path: string;
  readonly names: readonly string[];
}

/** The films of a watched folder, and folders below it that cannot be read. */
interface WatchedFilms {
  readonly films: readonly WatchedFilm[];
  readonly unreadable: readonly string[];
}

/** What browsers and other senders put behind the name of a file that has not come as a whole. */
const partialEndings = ['.part', '.partial', '.crdownload', '.download', '.tmp', '.aria2', '~'];

/**
 * The films in a folder and below it, in order. Hidden files, links, and films beside a partial file of their name are left out. Throws
 * when the folder itself cannot be read.
 */
export async function findWatchedFilms(folder: string): Promise<WatchedFilms> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = new Set(entries.map(({ name }) => name));
  const isPartial = (name: string) => partialEndings.some((ending) => names.has(`${name}${ending}`));
  const films: WatchedFilm[] = [];
  const unreadable: string[] = [];
  const inOrder = entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const isFilm = (entry: Dirent) => entry.isFile() && isFootageName(entry.name) && !/^[.~]/.test(entry.name) && !isPartial(entry.name);
  const ofFilms = namesOfFilms(
    inOrder.filter(isFilm).map(({ name }) => name),
    [...names].sort(),
  );
  for (const entry of inOrder) {
    const { name } = entry;
    const path = join(folder, name);
    const own = ofFilms.get(name);
    if (own) films.push({ path, names: own });
    // A link to a folder is no folder here: what it leads to is somebody else's.
    if (!entry.isDirectory() || !isFolderOfPeople(name)) continue;
    const below = await findWatchedFilms(path).catch((error: unknown) => {
      // Without a code it is a bug of ours.
      if (errorCode(error) === '') throw error;
      return { films: [], unreadable: [path] };
    });
    for (const film of below.films) films.push(film);
    unreadable.push(...below.unreadable);
  }
  return { films, unreadable };
}

/** Of each film its own name and those of what belongs to it, among the names of its folder. Each name is looked at once: a folder may hold 40,000. */
function namesOfFilms(films: readonly string[], names: readonly string[]): ReadonlyMap<string, string[]> {
  const byStem = Map.groupBy(films, (film) => film.slice(0, film.lastIndexOf('.')).normalize('NFC'));
  const found = new Map<string, string[]>(films.map((film) => [film, []]));
  // What belongs to a film is called by its stem and what stands behind a point.
  for (const name of names) {
    const composed = name.normalize('NFC');
    for (let at = composed.indexOf('.'); at >= 0; at = composed.indexOf('.', at + 1))
      for (const film of byStem.get(composed.slice(0, at)) ?? []) if (belongsTo(film, name)) found.get(film)?.push(name);
  }
  return found;
}

function belongsTo(film: string, name: string): boolean {
  return name === film || readSidecarName(name, film) !== undefined;
}

/** The version of a film as its folder is now. */
export async function versionNow(path: string): Promise<string> {
  const folder = dirname(path);
  return await versionOf(folder, (await readdir(folder)).filter((name) => belongsTo(basename(path), name)).sort());
}

/** Sizes and times of a film and of what lies beside it under its name: the same for as long as nobody writes into them. */
export async function versionOf(folder: string, names: readonly string[]): Promise<string> {
  const files = await Promise.all(
    names.map(async (name) => {
      const found = await lstat(join(folder, name)).catch(nullWhenAbsent);
      return [name, found?.ino, found?.size, found?.mtimeMs];
    }),
  );
  return JSON.stringify(files);
}

/**
 * Names, sizes and times of what lies beside a film under its name, and which of it may not be read, as a hash: a share that is mounted anew numbers its files
 * anew, and that is no change.
 */
export async function besideOf(path: string, names: readonly string[]): Promise<string> {
  const files: unknown[] = [];
  for (const name of names) {
    if (name === basename(path)) continue;
    const beside = join(dirname(path), name);
    const found = await lstat(beside).catch(nullWhenAbsent);
    // The right to read a file changes neither its size nor its time.
    files.push([name, found?.size, found?.mtimeMs, ...((await isClosedToUs(beside, found)) ? ['may not be read'] : [])]);
  }
  return sha256Of(JSON.stringify(files));
}

/** Asked of the system only where not everybody may read it: a look at a large folder of a slow share takes long enough. */
async function isClosedToUs(path: string, found: Stats | null): Promise<boolean> {
  if (!found?.isFile() || (found.mode & constants.S_IROTH) !== 0) return false;
  return await open(path, 'r').then(
    async (file) => {
      await file.close();
      return false;
    },
    (error: unknown) => isForbidden(error, path),
  );
}
