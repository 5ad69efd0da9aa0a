import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isFootageName } from '#contract/footage-names.ts';

/** The files that paths given by a person stand for: a file is itself, a folder is the footage in it and below. Throws on a path that is not there. */
export async function findFootageFiles(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const absolute = resolve(path);
    if ((await stat(absolute)).isDirectory()) found.push(...(await footageBelow(absolute)));
    else found.push(absolute);
  }
  return [...new Set(found)];
}

async function footageBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && isFootageName(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
