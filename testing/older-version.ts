import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ownEnvironment } from './own-environment.ts';

const root = resolve(import.meta.dirname, '..');

/** Lays an earlier version of the project out in a folder, from its history; false where the history does not reach back to it. */
export function checkOutOlder(commit: string, folder: string): boolean {
  const packed = spawnSync('git', ['archive', '--format=tar', commit], { cwd: root, maxBuffer: 1_000_000_000 });
  if (packed.status !== 0) return false;
  mkdirSync(folder, { recursive: true });
  const unpacked = spawnSync('tar', ['-x', '-C', folder], { input: packed.stdout });
  if (unpacked.status !== 0) throw new Error(String(unpacked.stderr));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  waitLonger(join(folder, 'domain/db/database.ts'));
  return true;
}

/** Earlier versions gave up on a database that did not let them in within two seconds, which beside other tests takes longer. */
function waitLonger(pools: string): void {
  if (!existsSync(pools)) return;
  writeFileSync(pools, readFileSync(pools, 'utf8').replace(/connectionTimeoutMillis: [\d_]+/g, 'connectionTimeoutMillis: 60_000'));
}

/** Runs a main file of a version in `folder` to its end. Throws what it printed when it did not end well. */
export function runOlder(folder: string, [file = '', ...args]: readonly string[], settings: Record<string, string>): void {
  const done = spawnSync(process.execPath, [join(folder, file), ...args], { env: ownEnvironment(settings), encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${file} ended with ${done.status}:\n${done.stdout}${done.stderr}`);
}
