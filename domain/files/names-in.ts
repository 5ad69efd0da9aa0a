import { readdir } from 'node:fs/promises';
import { errorCodeOf } from '../system/error-code.ts';

/** Names in a folder; none where there is no such folder. A disk that cannot be read throws: it is no proof that something is missing. */
export async function namesIn(path: string): Promise<string[]> {
  return await readdir(path).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCodeOf(error))) return [];
    throw error;
  });
}
