import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Chromium without its own windows and toolbars: to draw those, which nobody sees, takes as long as the pages. */
const shellName = 'chromium-headless-shell';
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const fixedPlaces = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'];

/**
 * The browser for tests: Chromium's headless shell, from Debian's package (as root) where it is missing, else the system's
 * Chromium or Chrome, else Playwright's own download. Returns its path, or undefined when Playwright shall use its own. Throws
 * when none can be had.
 */
export function findBrowser(): string | undefined {
  const shell = onPath([shellName]) ?? (installDebianPackage(shellName) ? onPath([shellName]) : undefined);
  if (shell) return shell;
  const found = onPath(names) ?? fixedPlaces.find((place) => existsSync(place));
  if (found) return found;
  // Older Debians have no package of the shell.
  if (installDebianPackage('chromium')) return onPath(names);
  console.info('No Chromium or Chrome found: downloading the one of Playwright');
  const download = spawnSync('playwright', ['install', 'chromium'], { stdio: 'inherit' });
  if (download.status !== 0) throw new Error('No browser for the end-to-end tests: install Chromium or Chrome and run npm test again.');
  return undefined;
}

function onPath(wanted: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => wanted.map((name) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function installDebianPackage(name: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false;
  console.info(`Installing the package ${name}`);
  aptGet(['update', '-qq']);
  return aptGet(['install', '-y', '-qq', '--no-install-recommends', name, 'fonts-dejavu-core']);
}

function aptGet(args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0;
}
