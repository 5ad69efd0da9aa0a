import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Documents as the build leaves them, so that nobody waits for a build; each is titled with its own name. */
export function writeTestPages(folder: string): void {
  mkdirSync(join(folder, 'embed'), { recursive: true });
  mkdirSync(join(folder, 'assets'), { recursive: true });
  for (const name of ['index', 'embed/player', 'embed/insights']) {
    writeFileSync(join(folder, `${name}.html`), `<!doctype html><title>${name}</title><!--page-settings-->`);
  }
  writeFileSync(join(folder, 'assets', 'hash-worker-1a2b3c4d.js'), 'export const worker = 1;\n');
  writeFileSync(join(folder, 'assets', 'site-1a2b3c4d.js'), 'export const site = 1;\n');
}
