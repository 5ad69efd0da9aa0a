import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Whether a program is on the PATH; on Debian root brings its package first when it is missing. */
export function bringProgram(program: string, debianPackage = program): boolean {
  if (isThere(program)) return true;
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false;
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', debianPackage], options);
  return isThere(program);
}

function isThere(program: string): boolean {
  return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program]).status === 0;
}
