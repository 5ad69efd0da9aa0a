import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../db/error-code.ts';
import type { ArchiveFolder } from './archive-folder.ts';

const lookedAtAtOnce = 64;

/** Ids of all videos that have a folder among the media, whoever knows of them: one look at each of the 256 folders that hold them. */
export async function findMediaIds({ root }: ArchiveFolder): Promise<Set<string>> {
  const media = join(root, 'media');
  const prefixes = (await namesIn(media)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const ids = await Promise.all(
    prefixes.map(async (prefix) => (await namesIn(join(media, prefix))).filter((id) => /^[0-9a-f]{10}$/.test(id) && id.startsWith(prefix))),
  );
  return new Set(ids.flat());
}

/** Which of these videos have no original; `present` are those that have a folder at all. */
export async function findMissingOriginals(folder: ArchiveFolder, ids: readonly string[], present: ReadonlySet<string>): Promise<string[]> {
  const missing = new Set(ids.filter((id) => !present.has(id)));
  const waiting = ids.filter((id) => present.has(id)).values();
  const look = async () => {
    for (const id of waiting) {
      if (!(await exists(folder.video(id).original))) missing.add(id);
    }
  };
  await Promise.all(Array.from({ length: lookedAtAtOnce }, look));
  return ids.filter((id) => missing.has(id));
}

/** A disk that cannot be read is no proof that something is missing. */
async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

function isAbsence(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error));
}
