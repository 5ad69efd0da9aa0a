import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first of these programs that stands on the PATH. */
export function onPath(wanted: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => wanted.map((name) => join(folder, name))).find(isExecutable);
}

/** Installs packages where this is Debian and we are root; answers whether they are there now. */
export function installDebianPackages(...names: string[]): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false;
  console.info(`Installing the package ${names[0]}`);
  aptGet(['update', '-qq']);
  return aptGet(['install', '-y', '-qq', '--no-install-recommends', ...names]);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function aptGet(args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0;
}
