import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** SHA-256 of every file below these names of a folder, by its path there; what is not there has none. */
export function checksumFiles(folder: string, names: readonly string[]): ReadonlyMap<string, string> {
  const checksums = new Map<string, string>();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name).slice(folder.length + 1);
    if (names.some((top) => path === top || path.startsWith(`${top}/`)))
      checksums.set(
        path,
        createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex'),
      );
  }
  return checksums;
}

/** A sentence for each of the first files that is missing in the second, or has other bytes there. */
export function lostFiles(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...before].filter(([path, checksum]) => after.get(path) !== checksum).map(([path]) => `the file ${path}`);
}
