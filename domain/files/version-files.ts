import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { IndexState } from './index-state.ts';

/**
 * The files of the tables of `state` in the versions that it names, by their paths below the generation.
 *
 * A table of LanceDB is a folder, and each of its versions a manifest in it, which names the files that it is made of; no file is
 * changed once it is written. Files of data and transactions stand in the manifest by their names, word indexes by the 16 bytes of
 * their UUID. Lists of deleted rows are small, and taken all.
 */
export async function filesOfVersions(folder: string, { generation, versions }: IndexState): Promise<string[]> {
  const root = join(folder, generation);
  const tables = Object.entries(versions).map(([name, version]) => filesOfTable(join(root, `${name}.lance`), version));
  return (await Promise.all(tables)).flat().map((path) => relative(root, path));
}

async function filesOfTable(folder: string, version: number): Promise<string[]> {
  const manifestName = await findManifest(folder, version);
  const manifest = await readFile(join(folder, '_versions', manifestName));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const belongs = (path: string): boolean => {
    const [part = '', name = ''] = path.split('/');
    if (part === '_versions') return name === manifestName;
    if (part === '_indices') return manifest.includes(Buffer.from(name.replaceAll('-', ''), 'hex'));
    return part === 'data' || part === '_transactions' ? manifest.includes(name) : true;
  };
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths.filter((path) => belongs(relative(folder, path)));
}

const largest = 2n ** 64n - 1n;

/** The newer way to name manifests counts backwards, so that the latest version comes first in a list. */
async function findManifest(folder: string, version: number): Promise<string> {
  const names = [`${largest - BigInt(version)}.manifest`, `${version}.manifest`];
  const found = (await readdir(join(folder, '_versions'))).find((name) => names.includes(name));
  if (found === undefined) throw new Error(`${folder} has no version ${version}.`);
  return found;
}
