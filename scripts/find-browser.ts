import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { installDebianPackages, onPath } from '../testing/debian-packages.ts';

/** Chromium without its own windows and toolbars: to draw those, which nobody sees, takes as long as the pages. */
const shellName = 'chromium-headless-shell';
const fonts = 'fonts-dejavu-core';
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const fixedPlaces = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'];

/**
 * The browser for tests: Chromium's headless shell, from Debian's package (as root) where it is missing, else the system's
 * Chromium or Chrome, else Playwright's own download. Returns its path, or undefined when Playwright shall use its own. Throws
 * when none can be had.
 */
export function findBrowser(): string | undefined {
  const shell = onPath([shellName]) ?? (installDebianPackages(shellName, fonts) ? onPath([shellName]) : undefined);
  if (shell) return shell;
  const found = onPath(names) ?? fixedPlaces.find((place) => existsSync(place));
  if (found) return found;
  // Older Debians have no package of the shell.
  if (installDebianPackages('chromium', fonts)) return onPath(names);
  console.info('No Chromium or Chrome found: downloading the one of Playwright');
  const download = spawnSync('playwright', ['install', 'chromium'], { stdio: 'inherit' });
  if (download.status !== 0) throw new Error('No browser for the end-to-end tests: install Chromium or Chrome and run npm test again.');
  return undefined;
}
