import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncToDisk } from '../files/sync-to-disk.ts';

/** Writes a small file as a whole: when this returns, a power cut no longer takes it back, and nobody ever sees half of it. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  {
    await using file = await open(draft, 'w', 0o600);
    await file.writeFile(text);
    await file.sync();
  }
  await rename(draft, path);
  await syncToDisk(dirname(path));
}
