import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isFootageName, readSidecarName } from '#contract/footage-names.ts';
import { errorCode } from '#domain/db/error-code.ts';
import { nullWhenAbsent } from '#domain/files/null-when-absent.ts';

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
export async function watchedFilms(folder: string): Promise<WatchedFilms> {
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
export async function versionOfFilm(path: string): Promise<string> {
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
