import { constants, type Dirent, type Stats } from 'node:fs';
import { lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isFolderOfPeople, isFootageName, readSidecarName } from '#contract/footage-names.ts';
import { sha256Of } from '#domain/files/sha256.ts';
import { errorCodeOf, isForbidden } from '#domain/system/error-code.ts';
import { isWithin } from '#domain/system/is-within.ts';
import { ignoreAbsent } from '#domain/system/null-when-absent.ts';
import { explainUnread } from './why-unread.ts';

/** What paths given by a person stand for. */
export interface FoundFiles {
  readonly files: string[];
  /** Links to what else would have been taken: each may lead anywhere on this machine, and is left alone. */
  readonly links: string[];
  /** Folders that could not be read, and why. */
  readonly unread: { readonly path: string; readonly why: string }[];
}

interface LookedFor {
  /** Footage where it is not told. */
  readonly isWanted?: (name: string) => boolean;
  /** Folders of the archive's own, by their true paths: nothing in them is found. */
  readonly own?: readonly string[];
}

/**
 * The files that paths given by a person stand for: a file is itself, a folder is what is in it and in the folders of people below it under a
 * name that is looked for. Throws on a path that is not there, and on one in a folder of the archive's own.
 */
export async function findFootageFiles(
  paths: readonly string[],
  { isWanted = isFootageName, own = [] }: LookedFor = {},
): Promise<FoundFiles> {
  const files = new Set<string>();
  const found: FoundFiles = { files: [], links: [], unread: [] };
  for (const path of paths) {
    const absolute = resolve(path);
    // A name that is no UTF-8 comes as another one, under which nothing is there; whoever reads the file says so.
    const kind = absolute.includes('\ufffd') ? await stat(absolute).catch(ignoreAbsent) : await stat(absolute);
    const truly = kind ? await realpath(absolute) : absolute;
    const keeper = own.find((folder) => isWithin(truly, folder));
    if (keeper) throw new Error(`${path} lies in ${keeper}, where the archive keeps its own files. Import from another folder.`);
    if (kind?.isDirectory()) await findBelow(truly, { isWanted, own }, found);
    else files.add(absolute);
    for (const one of found.files.splice(0).sort()) files.add(one);
  }
  return { ...found, files: [...files] };
}

async function findBelow(folder: string, looked: Required<LookedFor>, found: FoundFiles): Promise<void> {
  for (const entry of await entriesOf(folder, found)) {
    const { name } = entry;
    const path = join(folder, name);
    if (entry.isDirectory() && isFolderOfPeople(name) && !looked.own.includes(path)) await findBelow(path, looked, found);
    if (name.startsWith('.')) continue;
    if (entry.isFile() && looked.isWanted(name)) found.files.push(path);
    if (entry.isSymbolicLink() && (looked.isWanted(name) || (await isLinkToFolder(path)))) found.links.push(path);
  }
}

async function entriesOf(folder: string, { unread }: FoundFiles): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const why = explainUnread(error, folder);
    if (why === undefined) throw error;
    unread.push({ path: folder, why });
    return [];
  }
}

async function isLinkToFolder(path: string): Promise<boolean> {
  return (
    isFolderOfPeople(basename(path)) &&
    (await stat(path)
      .then((found) => found.isDirectory())
      .catch(() => false))
  );
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
      if (errorCodeOf(error) === '') throw error;
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
export async function readFilmVersion(path: string): Promise<string> {
  const folder = dirname(path);
  return await versionOf(folder, (await readdir(folder)).filter((name) => belongsTo(basename(path), name)).sort());
}

/** Sizes and times of a film and of what lies beside it under its name: the same for as long as nobody writes into them. */
export async function versionOf(folder: string, names: readonly string[]): Promise<string> {
  const files = await Promise.all(
    names.map(async (name) => {
      const found = await lstat(join(folder, name)).catch(ignoreAbsent);
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
    const found = await lstat(beside).catch(ignoreAbsent);
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
