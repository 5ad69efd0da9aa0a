import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readLastBackup, readLastChecks } from '#domain/backup/last-backup.ts';
import { openDatabase } from '#domain/db/open-database.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { type BackedUpArchive, createBackedUpArchive } from '#testing/backed-up-archive.ts';
import { checksumFiles, lostFiles } from '#testing/file-checksums.ts';
import { ownEnvironment } from '#testing/own-environment.ts';
import { checksumRows, differingRows } from '#testing/row-checksums.ts';
import { runCommand } from '#testing/run-command.ts';
import { startStandInS3 } from '#testing/stand-in-s3.ts';
import { cloneDatabase } from '#testing/test-database.ts';
import { until } from '#testing/until.ts';
import { examine } from './doctor/examine.ts';

const originalBytes = 500_000;
const segmentBytes = 200_000;
let archive: BackedUpArchive;
let settings: Record<string, string>;
beforeEach(async () => {
  archive = await createBackedUpArchive();
  settings = { RUSHES_DATA: archive.dataFolder, DATABASE_URL: archive.database.url };
});
afterEach(() => archive.drop());

const run = (command: 'backup' | 'restore', ...args: string[]) => runCommand(`commands/${command}.ts`, [archive.to, ...args], settings);

test('a backup, its check and a restore by the commands; what went well is noted for administrators', async () => {
  await archive.addFilm('footage');
  expect(await run('backup', '--keep', '3')).toMatchObject({ exitCode: 0, output: expect.stringContaining('3 files') });
  expect(await readLastBackup(archive.database.pool)).toMatchObject({ ok: true, migration: expect.stringMatching(/\.sql$/) });
  expect(await run('backup', '--check')).toMatchObject({ exitCode: 0, output: expect.stringContaining('"faults":0') });
  const before = checksumFiles(archive.dataFolder, ['media', 'secrets.json']);
  rmSync(archive.dataFolder, { recursive: true });
  const empty = await cloneDatabase('template0');
  settings.DATABASE_URL = empty.url;
  expect(await run('restore')).toMatchObject({ exitCode: 0, output: expect.stringContaining('npm start') });
  expect(lostFiles(before, checksumFiles(archive.dataFolder, ['media', 'secrets.json']))).toEqual([]);
  expect(await run('restore')).toMatchObject({ exitCode: 1, output: expect.stringContaining('is not empty') });
  await empty.drop();
});

test('a check that finds a damaged backup is noted for administrators, until one finds it whole; without an archive it only says so', async () => {
  await archive.addFilm('footage');
  await run('backup');
  await run('backup', '--check');
  expect(await readLastChecks(archive.database.pool)).toMatchObject([{ ok: true, folder: archive.to }]);
  const [damaged] = readdirSync(join(archive.to, 'files'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /[0-9a-f]{64}$/.test(name),
  );
  rmSync(join(archive.to, 'files', damaged ?? ''));
  expect(await run('backup', '--check')).toMatchObject({ exitCode: 1 });
  expect(await readLastChecks(archive.database.pool)).toMatchObject([{ ok: false, damage: expect.stringContaining(':') }]);
  settings = { RUSHES_DATA: join(archive.root, 'no-archive') };
  expect(await run('backup', '--check')).toMatchObject({ exitCode: 1, output: expect.not.stringContaining('status page') });
  expect(existsSync(join(archive.root, 'no-archive'))).toBe(false);
});

test('a check is noted also where the archive has a database of its own; where it has none, nothing is made', async () => {
  const dataFolder = join(archive.root, 'own');
  const own = { RUSHES_DATA: dataFolder };
  const command = (...args: string[]) => runCommand('commands/backup.ts', [join(archive.root, 'own-backup'), ...args], own);
  expect(await command()).toMatchObject({ exitCode: 1, output: expect.stringContaining(`There is no archive in ${dataFolder}`) });
  expect(existsSync(dataFolder)).toBe(false);
  await (await openDatabase({ dataFolder })).close();
  expect(await command()).toMatchObject({ exitCode: 0 });
  expect(await command('--check')).toMatchObject({ exitCode: 0 });
  const database = await openDatabase({ dataFolder });
  expect(await readLastChecks(database.pool)).toMatchObject([{ ok: true, folder: join(archive.root, 'own-backup') }]);
  await database.pool.query(`insert into migrations (name) values ('9999_of_a_newer_version.sql')`);
  await database.close();
  const findings = await examine({ environment: { ...own, PATH: '/usr/bin:/bin' } });
  expect(findings.map(({ about }) => about)).toContain('version');
});

test('the newest snapshot is not restored unasked when the archive was not whole; the one that is whole is named', async () => {
  await archive.addFilm('footage');
  await run('backup');
  rmSync(join(archive.dataFolder, 'media'), { recursive: true });
  await run('backup');
  const [whole = '', newest = ''] = readdirSync(join(archive.to, 'snapshots')).map((name) => name.replace('.json', ''));
  const empty = await cloneDatabase('template0');
  settings = { RUSHES_DATA: join(archive.root, 'restored'), DATABASE_URL: empty.url };
  const refused = await run('restore');
  expect(refused).toMatchObject({ exitCode: 1, output: expect.stringContaining(`--snapshot ${whole}`) });
  expect(refused.output).toContain(`--snapshot ${newest}`);
  expect(existsSync(settings.RUSHES_DATA ?? '')).toBe(false);
  expect(await run('restore', '--snapshot', newest)).toMatchObject({ exitCode: 1, output: expect.stringContaining('is restored') });
  await empty.drop();
});

test('a backup into a bucket and back by the commands; the bucket of the media themselves is refused', async () => {
  const server = await startStandInS3();
  const { endpoint, bucket, region, accessKey, secretKey } = server.settings;
  const store = {
    RUSHES_S3_ENDPOINT: endpoint,
    RUSHES_S3_ACCESS_KEY: accessKey,
    RUSHES_S3_SECRET_KEY: secretKey,
    RUSHES_S3_REGION: region,
  };
  const at = (command: 'backup' | 'restore', args: string[], more: Record<string, string>) =>
    runCommand(`commands/${command}.ts`, args, { ...settings, ...more });
  const own = Object.fromEntries(Object.entries(store).map(([name, value]) => [name.replace('RUSHES_', 'RUSHES_BACKUP_'), value]));
  await archive.addFilm('footage');
  const to = `s3://${bucket}/nightly`;
  expect(await at('backup', ['--to', to], { ...store, RUSHES_S3_BUCKET: bucket })).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('is in the same bucket as the media'),
  });
  expect(await at('backup', ['--to', to], {})).toMatchObject({ exitCode: 1, output: expect.stringContaining('RUSHES_BACKUP_S3_ENDPOINT') });
  expect(await at('backup', ['--to', to], own)).toMatchObject({ exitCode: 0, output: expect.stringContaining('3 files') });
  expect(await readLastBackup(archive.database.pool)).toMatchObject({ ok: true, folder: to });
  const before = checksumFiles(archive.dataFolder, ['media', 'secrets.json']);
  rmSync(archive.dataFolder, { recursive: true });
  const empty = await cloneDatabase('template0');
  settings.DATABASE_URL = empty.url;
  expect(await at('restore', ['--from', to], own)).toMatchObject({ exitCode: 0, output: expect.stringContaining('npm start') });
  expect(lostFiles(before, checksumFiles(archive.dataFolder, ['media', 'secrets.json']))).toEqual([]);
  await empty.drop();
  await server.close();
});

test('a backup that fails ends with 1, says why, and leaves that where administrators see it, with the last good one', async () => {
  await archive.addFilm('footage');
  await run('backup');
  const good = await readLastBackup(archive.database.pool);
  rmSync(join(archive.dataFolder, 'media'), { recursive: true });
  expect(await run('backup')).toMatchObject({ exitCode: 1, output: expect.stringContaining('is missing') });
  expect(await readLastBackup(archive.database.pool)).toMatchObject({ ok: false, lastGoodAt: good?.at });
  const elsewhere = await runCommand('commands/backup.ts', [archive.dataFolder], settings);
  expect(elsewhere).toMatchObject({ exitCode: 1, output: expect.stringContaining('must not contain each other') });
  expect(await readLastBackup(archive.database.pool)).toMatchObject({ message: expect.stringContaining('must not contain') });
  expect(await runCommand('commands/backup.ts', [], settings)).toMatchObject({ exitCode: 1, output: expect.stringContaining('Usage') });
});

test('a backup that is killed counts for nothing, and the next one goes on from the files it kept', { timeout: 120_000 }, async () => {
  const ids: string[] = [];
  for (let n = 0; n < 40; n++) ids.push(await archive.addFilm(`${n} ${'x'.repeat(originalBytes)}`));
  for (const id of ids)
    await archive.files.store.put(`${toVideoKeys(id).hls}/segment.m4s`, Buffer.from(id.repeat(segmentBytes / id.length)));
  for (const after of [10, 60, 100]) {
    await killWhen('backup', () => contents().length >= after);
    expect(readdirSync(join(archive.to, 'snapshots'))).toEqual([]);
  }
  const missingOriginals = 40 - contents().filter((size) => size >= originalBytes).length;
  const { newBytes, folder } = await archive.backUp();
  // Segments that a killed run has kept are in its list: only those of the videos it was about are read again.
  expect(newBytes - missingOriginals * (originalBytes + 3)).toBeLessThan(25 * segmentBytes);
  expect(readdirSync(folder.incoming)).toEqual([]);
  expect(await run('restore', '--check')).toMatchObject({ exitCode: 0 });
});

test('a restore that is killed goes on where it was, and brings everything', { timeout: 120_000 }, async () => {
  const bytes = 'y'.repeat(500_000);
  for (let n = 0; n < 40; n++) await archive.addFilm(`${n} ${bytes}`);
  await archive.backUp();
  const rows = await checksumRows(archive.database.pool);
  const files = checksumFiles(archive.dataFolder, ['media', 'secrets.json']);
  const empty = await cloneDatabase('template0');
  const dataFolder = join(archive.root, 'restored');
  settings = { RUSHES_DATA: dataFolder, DATABASE_URL: empty.url };
  const restored = () => filesIn(join(dataFolder, 'media'), /^[^.]/).length;
  for (const after of [2, 40]) await killWhen('restore', () => restored() >= after);
  expect(JSON.parse(readFileSync(join(dataFolder, 'restoring.json'), 'utf8'))).toHaveProperty('snapshot');
  expect(await run('restore')).toMatchObject({ exitCode: 0 });
  expect(lostFiles(files, checksumFiles(dataFolder, ['media', 'secrets.json']))).toEqual([]);
  await empty.pool.query(`delete from archive_facts where name = 'restore'`);
  expect(differingRows(rows, await checksumRows(empty.pool))).toEqual([]);
  await empty.drop();
});

// Only root may mount a small disk to fill.
test.skipIf(!canMount())('a full disk of the backups is told in a sentence, and with room the next run ends well', async () => {
  await archive.addFilm('z'.repeat(8_000_000));
  mkdirSync(archive.to);
  mount(archive.to, '36m');
  try {
    expect(await run('backup')).toMatchObject({ exitCode: 1, output: expect.stringMatching(/lacks \d+ MB|is full/) });
    expect(await readLastBackup(archive.database.pool)).toMatchObject({ ok: false, lastGoodAt: null });
    mount(archive.to, '80m', 'remount,');
    expect(await run('backup')).toMatchObject({ exitCode: 0 });
    expect(await run('backup', '--check')).toMatchObject({ exitCode: 0 });
  } finally {
    spawnSync('umount', [archive.to]);
  }
});

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'rushes-mount-'));
  const can = process.getuid?.() === 0 && spawnSync('mount', ['-t', 'tmpfs', 'rushes-test', folder]).status === 0;
  if (can) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true });
  return can;
}

function mount(folder: string, size: string, more = ''): void {
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `${more}size=${size}`, 'rushes-test', folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** Sizes of the contents that lie in the folder of backups. */
function contents(): number[] {
  return filesIn(join(archive.to, 'files'), /^[0-9a-f]{64}$/).map((path) => statSync(path).size);
}

function filesIn(folder: string, pattern: RegExp): string[] {
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  return entries.filter((entry) => entry.isFile() && pattern.test(entry.name)).map((entry) => join(entry.parentPath, entry.name));
}

/** Starts the command and kills it with -9 at that moment. */
async function killWhen(command: 'backup' | 'restore', isTime: () => boolean): Promise<void> {
  const file = resolve(import.meta.dirname, `${command}.ts`);
  const child = spawn(process.execPath, [file, archive.to], { env: ownEnvironment(settings), stdio: 'ignore' });
  const gone = once(child, 'exit');
  await until(isTime, { everyMs: 1 }).finally(() => child.kill('SIGKILL'));
  const [, signal] = await gone;
  expect(signal).toBe('SIGKILL');
  await until(isLockFree);
}

/** The database notices some time after a kill that the connection which held the lock is gone. */
async function isLockFree(): Promise<boolean> {
  const { rows } = await archive.database.pool.query(
    `select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.length === 0;
}
