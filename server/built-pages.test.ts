import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildStalePages } from './built-pages.ts';

let root: string;
let builds = 0;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rushes-build-'));
  builds = 0;
  for (const folder of ['web', 'contract']) mkdirSync(join(root, folder));
  for (const file of ['package-lock.json', 'vite.config.ts', 'web/main.tsx', 'contract/limits.ts']) writeFileSync(join(root, file), file);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('pages are built once, and again when one of their sources has changed', async () => {
  await buildStalePages(root, build);
  await buildStalePages(root, build);
  expect(builds).toBe(1);
  writeFileSync(join(root, 'contract', 'limits.ts'), 'changed');
  await buildStalePages(root, build);
  expect([builds, readPage()]).toEqual([2, 'build 2']);
});

test('a test beside a page is no source of it', async () => {
  await buildStalePages(root, build);
  writeFileSync(join(root, 'web', 'main.test.tsx'), 'new');
  await buildStalePages(root, build);
  expect(builds).toBe(1);
});

test('a build that fails leaves the pages of before and nothing else', async () => {
  await buildStalePages(root, build);
  writeFileSync(join(root, 'web', 'main.tsx'), 'broken');
  await expect(buildStalePages(root, () => Promise.resolve(false))).rejects.toThrow('The pages could not be built');
  expect([readPage(), readdirSync(join(root, 'dist'))]).toEqual(['build 1', ['web']]);
});

test('every text file lies beside its two compressed forms', async () => {
  await buildStalePages(root, build);
  expect(readdirSync(join(root, 'dist', 'web', 'assets')).sort()).toEqual(['font.woff2', 'site.js', 'site.js.br', 'site.js.gz']);
});

function build(folder: string): Promise<boolean> {
  builds++;
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), `build ${builds}`);
  writeFileSync(join(folder, 'assets', 'site.js'), 'export {};');
  writeFileSync(join(folder, 'assets', 'font.woff2'), '');
  return Promise.resolve(true);
}

function readPage(): string {
  return readFileSync(join(root, 'dist', 'web', 'index.html'), 'utf8');
}
