import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type BackedUpArchive, createBackedUpArchive } from '#testing/backed-up-archive.ts';
import { damageOneFile } from '#testing/damage-one-file.ts';
import { openMemoryStore } from '#testing/memory-store.ts';
import { checksumRows, differingRows } from '#testing/row-checksums.ts';
import { cloneDatabase, type TestDatabase } from '#testing/test-database.ts';
import { inTransaction } from '../db/database.ts';
import { applyMigrations, migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { openArchiveFiles } from '../files/open-archive-files.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { type JobData, openJobQueue } from '../jobs/job-queue.ts';
import { toBackupFolder } from './backup-folder.ts';
import { beginRestore } from './begin-restore.ts';
import { checkBackup } from './check-backup.ts';
import { openBackupFolder } from './open-backup-folder.ts';
import { isEmptyDatabase, restoreArchive } from './restore-archive.ts';
import { readSnapshot, writeSnapshot } from './snapshot.ts';

let archive: BackedUpArchive;
beforeEach(async () => {
  archive = await createBackedUpArchive();
});
afterEach(() => archive.drop());

const audit = `insert into audit (action, subject_uid, subject_name, subject_email) values ('signed-up', 'u', $1, 'u@people.example')`;

test('every row comes back with its exact value, and the tables guard themselves as before', async () => {
  const { pool } = archive.database;
  for (const name of ['tab\tbreak\nback\\slash', '\\.', 'ünïcode – “quotes” 👩‍🚀', '\\N']) await pool.query(audit, [name]);
  await pool.query(`insert into unfound_queries values ('a', '', 9007199254740993, 0, '294276-01-01 00:00:00.000001+00')`);
  await archive.addFilm('footage');
  await archive.backUp();
  const { database } = await archive.restore();
  await database.pool.query(`delete from archive_facts where name = 'restore'`);
  expect(differingRows(await checksumRows(pool), await checksumRows(database.pool))).toEqual([]);
  await expect(database.pool.query('update audit set action = action')).rejects.toThrow('never changed');
  // Numbers go on behind those that were given.
  await database.pool.query(audit, ['next']);
  expect((await database.pool.query('select max(id) as last from audit')).rows).toEqual([{ last: 5 }]);
});

test('a job that waited is handed to a worker of the restored archive', async () => {
  const { job, run } = await restoredJob(archive);
  expect(job).toEqual(waited);
  expect(run.remarks).toEqual([]);
});

test('a job that waited in the queue of another version is given to this one anew', async () => {
  const { job, run } = await restoredJob(archive, async ({ pool }) => {
    await pool.query('update jobs.version set version = version - 1');
    await pool.query('alter table jobs.job add column of_that_version text');
  });
  expect(job).toEqual(waited);
  expect(run.remarks).toEqual([expect.stringContaining('another version')]);
});

test('an archive that waits for its migration is backed up as it is, and migrates after its restore', async () => {
  const names = (await readdir(join(import.meta.dirname, '..', 'db', 'migrations'))).sort();
  const old = await createBackedUpArchive('template0');
  try {
    await inTransaction(old.database.pool, async (db) => {
      await db.query('create table migrations (name text primary key, applied_at timestamptz not null default now())');
      await applyMigrations(db, names.slice(0, -1));
    });
    await old.database.pool.query(audit, ['somebody']);
    await old.backUp();
    expect((await old.database.pool.query('select count(*) as n from migrations')).rows).toEqual([{ n: names.length - 1 }]);
    const { database } = await old.restore();
    expect(await migrate(database.pool)).toEqual(names.slice(-1));
    expect((await database.pool.query('select subject_name from audit')).rows).toEqual([{ subject_name: 'somebody' }]);
  } finally {
    await old.drop();
  }
});

test('a backup of a newer version is refused, and nothing of it is in the database', async () => {
  await archive.database.pool.query(`insert into migrations (name) values ('9999-of-tomorrow.sql')`);
  await archive.backUp();
  const { database, failure } = await failedRestore();
  expect(failure).toMatchObject({ message: expect.stringContaining('newer version') });
  expect(await isEmptyDatabase(database.pool)).toBe(true);
  await database.drop();
});

test('a table that is none of the archive’s is left out, and that is said', async () => {
  await archive.database.pool.query('create table shopping (item text)');
  await archive.backUp();
  expect((await archive.restore()).run.remarks).toEqual([expect.stringContaining('shopping')]);
});

test('a file that is damaged in the backup never comes back under its name; everything else does', async () => {
  const ids = [await archive.addFilm('one'), await archive.addFilm('two')];
  await archive.backUp();
  const damaged = await damageOneFile(archive.to);
  const { files, run } = await archive.restore();
  expect(run.faults).toEqual([expect.stringContaining(damaged)]);
  const there = await Promise.all(ids.map((id) => files.store.stat(toVideoKeys(id).original)));
  expect(there.filter((found) => found !== null).map(({ key }) => key)).toEqual(
    ids.map((id) => toVideoKeys(id).original).filter((key) => key !== damaged),
  );
});

test('a list that does not name all files of its snapshot is found by a check, and told by a restore', async () => {
  await archive.addFilm('one');
  const { folder, snapshot } = await archive.backUp();
  const { count } = snapshot.files;
  await writeSnapshot(folder, {
    ...snapshot,
    at: new Date(Date.parse(snapshot.at) + 1).toISOString(),
    files: { ...snapshot.files, count: count + 3 },
  });
  const hollow = `its list names ${count} files instead of ${count + 3}`;
  expect((await checkBackup(folder, () => {})).faults).toEqual([expect.stringContaining(hollow)]);
  expect((await archive.restore()).run).toMatchObject({ faults: [expect.stringContaining(hollow)], files: count });
});

test('of a table that is damaged in the backup not one row is restored', async () => {
  await archive.addFilm('one');
  const { snapshot } = await archive.backUp();
  const videos = snapshot.database.tables.find(({ name }) => name === 'videos');
  const path = toBackupFolder(archive.to).content(videos?.sha256 ?? '');
  const bytes = readFileSync(path);
  writeFileSync(path, Buffer.concat([bytes.subarray(0, -1), Buffer.from([bytes.readUInt8(bytes.length - 1) ^ 1])]));
  const { database, failure } = await failedRestore();
  expect(failure).toMatchObject({ message: expect.stringContaining('is damaged') });
  expect(await isEmptyDatabase(database.pool)).toBe(true);
  await database.drop();
});

test('a snapshot of which one letter was changed is refused', async () => {
  const { folder, name } = await archive.backUp();
  const text = readFileSync(folder.snapshot(name), 'utf8');
  writeFileSync(folder.snapshot(name), text.replace('"problems":[]', '"problems":["x"]'));
  await expect(readSnapshot(folder, name)).rejects.toThrow('is damaged');
});

test('nothing is restored over an archive: neither over its folder nor over its database', async () => {
  const { folder, name, snapshot } = await archive.backUp();
  await expect(beginRestore(archive.files, { folder, name, snapshot })).rejects.toThrow('is not empty');
  const files = openArchiveFiles(join(archive.root, 'elsewhere'));
  await beginRestore(files, { folder, name, snapshot });
  const options = { pool: archive.database.pool, archive: files, from: folder, snapshot, say: () => {} };
  await expect(restoreArchive(options)).rejects.toThrow('database is not empty');
});

test('nothing is restored over the films of a bucket that is in use; into an empty one it goes on where it was', async () => {
  await archive.addFilm('footage');
  const { folder, name, snapshot } = await archive.backUp();
  const database = await cloneDatabase('template0');
  const store = openMemoryStore();
  const into = (root: string) => ({ ...openArchiveFiles(join(archive.root, root)), store: { ...store, isShared: true } });
  const first = into('into-bucket');
  await beginRestore(first, { folder, name, snapshot });
  let left = 1;
  const put: typeof store.put = async (...args) => {
    if (left-- === 0) throw new Error('power cut');
    await store.put(...args);
  };
  const options = { pool: database.pool, from: folder, snapshot, say: () => {} };
  await expect(restoreArchive({ ...options, archive: { ...first, store: { ...first.store, put } } })).rejects.toThrow('power cut');
  await beginRestore(first, { folder, name, snapshot });
  left = 1;
  expect((await restoreArchive({ ...options, archive: { ...first, store: { ...first.store, put } } })).faults).toEqual([]);
  await expect(beginRestore(into('drill'), { folder, name, snapshot })).rejects.toThrow(/holds the files of 1 videos/);
  expect(readdirSync(join(archive.root, 'drill'))).toEqual([]);
  await database.drop();
});

test('a home that npm has written its log into is empty enough for a restore, and one with anything else is not', async () => {
  const { folder, name, snapshot } = await archive.backUp();
  const home = openArchiveFiles(join(archive.root, 'home'));
  for (const path of ['.npm/_logs', '.cache/node', 'lost+found']) mkdirSync(join(home.folder.root, path), { recursive: true });
  await beginRestore(home, { folder, name, snapshot });
  const other = openArchiveFiles(join(archive.root, 'other-home'));
  mkdirSync(join(other.folder.root, '.ssh'), { recursive: true });
  await expect(beginRestore(other, { folder, name, snapshot })).rejects.toThrow('is not empty');
});

test('media that have a disk of their own are restored onto that, once it is mounted empty in the data folder', async ({ skip }) => {
  const id = await archive.addFilm('footage');
  const { folder, name, snapshot } = await archive.backUp();
  const disk = await mkdtemp('/dev/shm/rushes-media-').catch(() => skip('no second disk here'));
  onTestFinished(() => rmSync(disk, { recursive: true }));
  if (statSync(disk).dev === statSync(archive.root).dev) skip('no second disk here');
  const files = openArchiveFiles(join(archive.root, 'with-disk'));
  mkdirSync(files.folder.root);
  symlinkSync(disk, files.folder.media);
  mkdirSync(join(disk, 'somebody'));
  await expect(beginRestore(files, { folder, name, snapshot })).rejects.toThrow('is not empty');
  rmSync(join(disk, 'somebody'), { recursive: true });
  mkdirSync(join(disk, 'lost+found'));
  // What is no video's has to fit beside the database.
  const tooMuch = { ...snapshot, files: { ...snapshot.files, totalBytes: 2 ** 52 } };
  await expect(beginRestore(files, { folder, name, snapshot: tooMuch })).rejects.toThrow(/disk of .*with-disk lacks \d+ MB/);
  await beginRestore(files, { folder, name, snapshot });
  const database = await cloneDatabase('template0');
  const options = { pool: database.pool, from: folder, snapshot, say: () => {} };
  expect((await restoreArchive({ ...options, archive: files })).faults).toEqual([]);
  const [kept, restored] = await Promise.all([archive.files, files].map(({ store }) => store.stat(toVideoKeys(id).original)));
  expect(restored).toEqual(kept);
  expect(readdirSync(join(disk, id.slice(0, 2)))).toEqual([id]);
  await database.drop();
});

test('no server starts on half of a restore, and a second try ends it', async () => {
  await archive.addFilm('one');
  const { folder, name, snapshot } = await archive.backUp();
  const database = await cloneDatabase('template0');
  const files = openArchiveFiles(join(archive.root, 'half'));
  await beginRestore(files, { folder, name, snapshot });
  await expect(openDatabase({ dataFolder: files.folder.root, databaseUrl: database.url })).rejects.toThrow('is unfinished');
  const cutOff = { ...files, store: { ...files.store, put: () => Promise.reject(new Error('power cut')) } };
  const options = { pool: database.pool, from: folder, snapshot, say: () => {} };
  await expect(restoreArchive({ ...options, archive: cutOff })).rejects.toThrow('power cut');
  await beginRestore(files, { folder, name, snapshot });
  const mark = readFileSync(join(files.folder.root, 'restoring.json'), 'utf8');
  expect((await restoreArchive({ ...options, archive: files })).faults).toEqual([]);
  expect(readdirSync(files.folder.root)).not.toContain('restoring.json');
  // Cut off behind the last row and before the end: the rows are not brought a second time.
  writeFileSync(join(files.folder.root, 'restoring.json'), mark);
  await restoreArchive({ ...options, archive: files });
  expect((await database.pool.query('select count(*) as n from videos')).rows).toEqual([{ n: 1 }]);
  await openDatabase({ dataFolder: files.folder.root, databaseUrl: database.url }).then(({ close }) => close());
  await database.drop();
});

test('a key that leads out of the data folder is no file of an archive', async () => {
  const { folder } = await archive.backUp();
  expect(() => folder.snapshot('../../secrets')).toThrow('not a snapshot name');
  expect(() => folder.content('../../secrets')).toThrow('not a SHA-256');
});

/** The job of a waiting film after backup and restore, as the first worker gets it. */
const waited = { data: { videoId: '0123456789' }, priority: -1 };

async function restoredJob(
  { database, backUp, restore }: BackedUpArchive,
  alter: (database: TestDatabase) => Promise<void> = () => Promise.resolve(),
) {
  const before = await openJobQueue(database.pool, { onError: () => {} });
  await before.enqueue('ingest-video', waited.data, { priority: waited.priority });
  await before.stop();
  await alter(database);
  await backUp();
  const { database: restored, run } = await restore();
  const after = await openJobQueue(restored.pool, { onError: () => {} });
  const job = await new Promise<typeof waited>((resolve) => {
    void after.work('ingest-video', (data: JobData, _signal, priority) => {
      resolve({ data: { videoId: data.videoId ?? '' }, priority });
      return Promise.resolve({ is: 'finished' });
    });
  });
  await after.stop();
  return { job, run };
}

async function failedRestore() {
  const folder = await openBackupFolder(archive.to);
  const name = readdirSync(folder.snapshots)[0]?.replace('.json', '') ?? '';
  const snapshot = await readSnapshot(folder, name);
  const database = await cloneDatabase('template0');
  const files = openArchiveFiles(join(archive.root, 'refused'));
  await beginRestore(files, { folder, name, snapshot });
  const options = { pool: database.pool, archive: files, from: folder, snapshot, say: () => {} };
  const failure: unknown = await restoreArchive(options).catch((error: unknown) => error);
  return { database, failure };
}
