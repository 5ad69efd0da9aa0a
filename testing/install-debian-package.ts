import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Installs packages of Debian or Ubuntu with as little beside them as can be; false where this is no such machine or we are not root. */
export function installDebianPackage(...names: readonly string[]): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false;
  // Not among the lines of a report.
  process.stderr.write(`Installing ${names.join(', ')}\n`);
  aptGet(['update', '-qq']);
  return aptGet(['install', '-y', '-qq', '--no-install-recommends', ...names]);
}

function aptGet(args: string[]): boolean {
  // Waits for whoever else installs something at this moment. A service that comes with a package is not started for our sake.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const patient = ['-o', 'DPkg::Lock::Timeout=120', ...args];
  return spawnSync('apt-get', patient, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0;
}
