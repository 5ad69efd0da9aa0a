import { relative, sep } from 'node:path';

/** Whether a path is a folder itself or lies in it, by their names alone. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`);
}
