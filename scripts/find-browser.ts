import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const fixedPlaces = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'];

/**
 * The browser for tests: the system's Chromium or Chrome, else Debian's package (as root), else Playwright's own download.
 * Returns its path, or undefined when Playwright shall use its own. Throws when none can be had.
 */
export function findBrowser(): string | undefined {
  const found = onPath() ?? fixedPlaces.find((place) => existsSync(place));
  if (found) return found;
  if (installDebianPackage()) return onPath();
  console.info('No Chromium or Chrome found: downloading the one of Playwright');
  const download = spawnSync('playwright', ['install', 'chromium'], { stdio: 'inherit' });
  if (download.status !== 0) throw new Error('No browser for the end-to-end tests: install Chromium or Chrome and run npm test again.');
  return undefined;
}

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function installDebianPackage(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false;
  console.info('No Chromium or Chrome found: installing the chromium package');
  aptGet(['update', '-qq']);
  return aptGet(['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core']);
}

function aptGet(args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0;
}
