import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isFootageName } from '#contract/footage-names.ts';

/**
 * The files that paths given by a person stand for: a file is itself, a folder is what is in it and below under a name that is looked for,
 * footage unless told otherwise. Throws on a path that is not there.
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
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && isWanted(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
