import { type Dirent, existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../db/error-code.ts';
import type { ArchiveFolder } from '../files/archive-folder.ts';

/** A file that belongs into a backup. */
export interface ArchiveFile {
  /** `media/{video}/{name within the video's folder}`, `trash/…`, or the name of a file that lies in the data folder itself. */
  readonly key: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly mode: number;
}

/** The groups in which files are listed, in order: first what lies in the data folder itself, then the trash, then a 256th of the videos each. */
export const fileGroups: readonly string[] = ['', 'trash', ...Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'))];

/** The files of a group as they are now. What can be made anew is none of them: the index, stage and work, the database's own folder. */
export async function listFileGroup(folder: ArchiveFolder, group: string): Promise<ArchiveFile[]> {
  if (group === '') return (await filesBelow(folder.root, { below: false })).filter(({ key }) => !isPassing(key));
  if (group === 'trash') return withKeys('trash', await filesBelow(join(folder.root, 'trash')));
  const files: ArchiveFile[] = [];
  for (const id of await videoIdsIn(folder, group)) files.push(...(await listVideoFiles(folder, id)));
  return files;
}

/** The files of one video as they are now. */
export async function listVideoFiles(folder: ArchiveFolder, id: string): Promise<ArchiveFile[]> {
  return withKeys(`media/${id}`, await filesBelow(folder.video(id).root));
}

/** Which group a key belongs to, and of which video it is. */
export function placeOfKey(key: string): { group: string; videoId: string | null } {
  const [top = '', id = ''] = key.split('/');
  if (top === 'media') return { group: id.slice(0, 2), videoId: id };
  return { group: key === top ? '' : top, videoId: null };
}

/** Where the file of a key lies. Throws for a key that could lead anywhere else. */
export function pathOfKey(folder: ArchiveFolder, key: string): string {
  const parts = key.split('/');
  const [top, id = ''] = parts;
  const leadsElsewhere = parts.some((part) => ['', '.', '..'].includes(part)) || /[\\\0]/.test(key);
  const isKnown = parts.length === 1 || top === 'trash' || (top === 'media' && parts.length > 2);
  if (leadsElsewhere || !isKnown) throw new Error(`"${key}" is no file of an archive`);
  return top === 'media' ? join(folder.video(id).root, ...parts.slice(2)) : join(folder.root, ...parts);
}

/** Files that say something about running processes, or are half written. */
function isPassing(name: string): boolean {
  return /^\.|\.(lock|log|pid|new|tmp)$|^lock$|^secrets\.json\.|^restoring\.json$/.test(name);
}

async function videoIdsIn(folder: ArchiveFolder, group: string): Promise<string[]> {
  const names = await readdir(join(folder.root, 'media', group)).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => /^[0-9a-f]{10}$/.test(name)).sort();
}

function withKeys(top: string, files: readonly ArchiveFile[]): ArchiveFile[] {
  return files.map((file) => ({ ...file, key: `${top}/${file.key}` }));
}

/** Keys are relative to `root`, and sorted. A root that is not there has no files. */
async function filesBelow(root: string, { below } = { below: true }): Promise<ArchiveFile[]> {
  const files: ArchiveFile[] = [];
  for (const entry of (await entriesBelow(root, below)).filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const found = await stat(path).catch(() => undefined);
    if (!found) continue;
    files.push({ key: path.slice(root.length + 1), path, sizeBytes: found.size, modifiedMs: found.mtimeMs, mode: found.mode & 0o777 });
  }
  return files.sort((a, b) => (a.key < b.key ? -1 : 1));
}

async function entriesBelow(root: string, below: boolean): Promise<Dirent[]> {
  for (;;) {
    try {
      return await readdir(root, { recursive: below, withFileTypes: true });
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      // A folder within may have been replaced while it was listed; then everything is looked at again.
      if (!existsSync(root)) return [];
    }
  }
}
