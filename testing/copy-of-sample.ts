import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** A sample film by its name, in a folder of the test's own and without what lies beside it. */
export async function copyOfSample(name: string, folder: string): Promise<string> {
  const path = join(folder, `${name}.mp4`);
  await copyFile(resolve(import.meta.dirname, '../samples', `${name}.mp4`), path);
  return path;
}
