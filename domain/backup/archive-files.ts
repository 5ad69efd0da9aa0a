import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveFolder } from '../files/archive-folder.ts';
import type { ArchiveFiles } from '../files/open-archive-files.ts';
import { ignoreAbsent } from '../system/null-when-absent.ts';
import { readFileInChunks } from './backup-folder.ts';

/** A file that belongs into a backup. */
export interface ArchiveFile {
  /** A key of the store, `trash/…`, or the name of a file that lies in the data folder itself. */
  readonly key: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

const rest = 'rest';

/**
 * The groups in which files are listed, in order: a 256th of the videos each, then the trash and the files of the data folder itself.
 * What is taken away while a backup runs is met in the trash, if not before.
 */
export const fileGroups: readonly string[] = [...Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0')), rest];

/** Which group the files of a key or of a video's id belong to. */
export function groupOfKey(key: string): string {
  return videoOfKey(key)?.slice(0, 2) ?? rest;
}

/** The id of the video whose file this is; null for other files. */
export function videoOfKey(key: string): string | null {
  return /^media\/([0-9a-f]{10})\//.exec(key)?.[1] ?? null;
}

/** The files of these videos as they are now, or those that are no video's. What can be made anew is none of them: the index, stage and work. */
export async function listFiles({ folder, store }: ArchiveFiles, of: { videoIds: readonly string[] } | 'rest'): Promise<ArchiveFile[]> {
  if (of === 'rest') return [...(await filesBelow(join(folder.root, 'trash'), 'trash/')), ...(await listOwnFiles(folder.root))];
  const files: ArchiveFile[] = [];
  for (const id of of.videoIds) {
    for await (const { key, sizeBytes, modifiedAt } of store.list(`media/${id}`))
      files.push({ key, sizeBytes, modifiedMs: modifiedAt.getTime() });
  }
  return files;
}

/** The bytes of a file; null when it is not there any more. */
export async function openFile({ folder, store }: ArchiveFiles, key: string): Promise<AsyncIterable<Buffer> | null> {
  if (videoOfKey(key) !== null) return (await store.openRange(key))?.stream() ?? null;
  const path = ownPathIn(folder, key);
  return (await stat(path).catch(ignoreAbsent)) && readFileInChunks(path);
}

/** Where a file lies that is no video's. Throws for a key that could lead anywhere else. */
export function ownPathIn(folder: ArchiveFolder, key: string): string {
  const parts = key.split('/');
  const leadsElsewhere = parts.some((part) => ['', '.', '..'].includes(part)) || /[\\\0]/.test(key);
  if (leadsElsewhere || (parts.length > 1 && parts[0] !== 'trash')) throw new Error(`"${key}" is not a file of an archive`);
  return join(folder.root, ...parts);
}

async function listOwnFiles(root: string): Promise<ArchiveFile[]> {
  const names = (await readdir(root)).filter((name) => !isPassing(name)).sort();
  const files = await Promise.all(names.map((name) => fileAt(join(root, name), name)));
  return files.filter((file) => file !== null);
}

/** Files that say something about running processes, or are half written. */
function isPassing(name: string): boolean {
  return /^\.|\.(lock|log|pid|new|tmp)$|^lock$|^secrets\.json\.|^restoring\.json$/.test(name);
}

async function filesBelow(folder: string, prefix: string): Promise<ArchiveFile[]> {
  const files: ArchiveFile[] = [];
  for (const entry of (await readdir(folder, { withFileTypes: true }).catch(ignoreAbsent)) ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...(await filesBelow(path, `${prefix}${entry.name}/`)));
    const file = await fileAt(path, `${prefix}${entry.name}`);
    if (file) files.push(file);
  }
  return files;
}

async function fileAt(path: string, key: string): Promise<ArchiveFile | null> {
  const found = await stat(path).catch(ignoreAbsent);
  return found?.isFile() ? { key, sizeBytes: found.size, modifiedMs: found.mtime.getTime() } : null;
}
