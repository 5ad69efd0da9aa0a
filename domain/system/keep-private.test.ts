import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { keepPrivate, letNobodyThrough } from './keep-private.ts';

const umaskBefore = process.umask();
const scratch = mkdtempSync(join(tmpdir(), 'rushes-private-'));
// What keeps others out shall be the folder itself.
chmodSync(scratch, 0o755);
afterAll(() => {
  process.umask(umaskBefore);
  rmSync(scratch, { recursive: true, force: true });
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const isRoot = process.getuid?.() === 0;
const someoneElse = ['--reuid', '4711', '--regid', '4711', '--clear-groups'];
const canBeSomeoneElse = isRoot && spawnSync('setpriv', [...someoneElse, 'true']).status === 0;

test('a data folder is made for its owner alone, and so is all that is written afterwards', () => {
  process.umask(0o022);
  const folder = join(scratch, 'fresh', 'data');
  expect(keepPrivate(folder)).toBeUndefined();
  mkdirSync(join(folder, 'media'));
  writeFileSync(join(folder, 'media', 'captions.vtt'), 'WEBVTT');
  const written = ['', 'media', 'media/captions.vtt'].map((name) => modeOf(join(folder, name)));
  expect(written).toEqual(['700', '700', '600']);
  const child = spawnSync('sh', ['-c', 'echo > by-a-child; stat -c %a by-a-child'], { cwd: folder, encoding: 'utf8' });
  expect(child.stdout).toBe('600\n');
});

test('a folder that an older archive left open to all is closed', () => {
  const folder = join(scratch, 'old');
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  expect(keepPrivate(folder)).toBeUndefined();
  expect(modeOf(folder)).toBe('700');
});

test('a folder that cannot be closed is said to be open, and why', ({ skip }) => {
  if (!canBeSomeoneElse) skip('only root can be somebody else, and only where setpriv is');
  const folder = join(scratch, 'of-root');
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  const script = `import { keepPrivate } from ${JSON.stringify(join(import.meta.dirname, 'keep-private.ts'))}; console.log(keepPrivate(${JSON.stringify(folder)}));`;
  const asked = spawnSync('setpriv', [...someoneElse, process.execPath, '--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(asked.stdout).toMatch(/^RUSHES_DATA: other users of this machine can read .+ \(EPERM\)\. Run the archive as the owner/);
});

test('the nobody user can go through to a folder of its own, and nobody else can, nor can it look around', ({ skip }) => {
  if (!canBeSomeoneElse) skip('only root can be somebody else, and only where setpriv is');
  const folder = join(scratch, 'with-nobody');
  mkdirSync(join(folder, 'pg'), { recursive: true });
  writeFileSync(join(folder, 'secrets.json'), '{}', { mode: 0o600 });
  keepPrivate(folder);
  chownSync(join(folder, 'pg'), 65_534, 65_534);
  letNobodyThrough(folder);
  // The next start leaves it so.
  expect([keepPrivate(folder), modeOf(folder)]).toEqual([undefined, '710']);
  const can = (uid: string, command: string[]) =>
    spawnSync('setpriv', ['--reuid', uid, '--regid', uid, '--clear-groups', ...command]).status === 0;
  expect(can('65534', ['touch', join(folder, 'pg', 'a')])).toBe(true);
  expect(can('65534', ['ls', folder])).toBe(false);
  expect(can('65534', ['cat', join(folder, 'secrets.json')])).toBe(false);
  expect(can('4711', ['ls', join(folder, 'pg')])).toBe(false);
});
