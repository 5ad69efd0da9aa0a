import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const Entry = z.object({
  version: z.string().optional(),
  integrity: z.string().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});
const Lock = z.object({ packages: z.record(z.string(), Entry) });
const root = resolve(import.meta.dirname, '..');
const { packages } = Lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
const entries = Object.entries(packages).filter(([key]) => key !== '');

test('every package of the lock file is held to what it held when it was locked', () => {
  expect(entries.length).toBeGreaterThan(400);
  expect(entries.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? '')).map(([key]) => key)).toEqual([]);
});

test('every optional package that another one asks for is in it: npm 11 refuses a lock file that lacks one', () => {
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
  expect(wanted.length).toBeGreaterThan(50);
  expect(wanted.filter((name) => !entries.some(([key]) => key.endsWith(`node_modules/${name}`)))).toEqual([]);
});

test('a lock file with an entry of unknown content is noticed', () => {
  const copy = copyOf({ without: 'node_modules/zod' });
  const { stdout, status } = spawnSync(process.execPath, [join(copy, 'scripts', 'complete-lock.mjs'), '--check'], { encoding: 'utf8' });
  expect([status, stdout.split('\n')[0]]).toEqual([1, `missing, or without integrity: zod@${packages['node_modules/zod']?.version}`]);
  rmSync(copy, { recursive: true });
});

test('a start on a platform without packages installs nothing and says which it runs on', () => {
  const copy = copyOf({});
  const elsewhere = `Object.defineProperty(process, 'arch', { value: 'riscv64' }); await import(${JSON.stringify(join(copy, 'scripts', 'bootstrap.mjs'))});`;
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', elsewhere], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    1,
    'Rushes does not run on linux-riscv64: its search engine has no package for that. It runs on Linux on x64 (glibc).\n',
  ]);
  rmSync(copy, { recursive: true });
});

test('no package runs anything when it is installed', () => {
  const copy = copyOf({});
  // Stands where npm stands for npm's own scripts, and says what it is told.
  const npm = join(copy, 'npm.mjs');
  writeFileSync(npm, 'process.stderr.write(process.argv.slice(2).join(" ") + "\\n"); process.exit(7);');
  const env = { ...process.env, npm_execpath: npm };
  const { stderr } = spawnSync(process.execPath, [join(copy, 'scripts', 'bootstrap.mjs')], { encoding: 'utf8', env });
  expect(stderr).toMatch(/^ci --ignore-scripts /m);
  rmSync(copy, { recursive: true });
});

/** The scripts and a lock file, which may have lost the integrity of one entry, in a folder of their own. */
function copyOf({ without }: { without?: string }): string {
  const folder = mkdtempSync(join(tmpdir(), 'rushes-lock-'));
  mkdirSync(join(folder, 'scripts'));
  for (const name of ['bootstrap.mjs', 'complete-lock.mjs']) cpSync(join(root, 'scripts', name), join(folder, 'scripts', name));
  const changed = Object.fromEntries(
    Object.entries(packages).map(([key, entry]) => [key, key === without ? { ...entry, integrity: undefined } : entry]),
  );
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: changed }));
  return folder;
}
