import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type BackedUpArchive, createBackedUpArchive } from '#testing/backed-up-archive.ts';
import { damageOneFile } from '#testing/damage-one-file.ts';
import { type StandInS3, startStandInS3 } from '#testing/stand-in-s3.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { backUpArchive } from './back-up-archive.ts';
import { type BucketPlace, toBucketFolder } from './backup-folder.ts';
import { checkBackup } from './check-backup.ts';
import { writeContentList } from './content-set.ts';
import { noteCheck, readLastChecks } from './last-backup.ts';
import { listSnapshots } from './snapshot.ts';
import { tellBackups } from './tell-backups.ts';

let archive: BackedUpArchive;
let server: StandInS3;
let to: BucketPlace;
beforeEach(async () => {
  server = await startStandInS3();
  const patience = { pausesMs: [1, 1], answersWithinMs: 2_000 };
  archive = await createBackedUpArchive(undefined, (root) => {
    to = { s3: server.settings, prefix: 'nightly', incoming: join(root, 'on-its-way'), patience };
    return to;
  });
});
afterEach(async () => {
  await archive.drop();
  await server.close();
});

test('a bucket takes only what is new, reads all of it back, and keeps the newest snapshots with what they name', async () => {
  await archive.addFilm('old');
  const first = await archive.backUp();
  expect([first.newBytes > 0, first.folder.root]).toEqual([true, 's3://stand-in/nightly']);
  const puts = () => server.requests.filter((request) => /^PUT nightly\/files/.test(request)).length;
  const before = puts();
  expect((await archive.backUp()).newBytes).toBe(0);
  // Tables that changed, and the list of files: nothing else is sent.
  expect(puts() - before).toBeLessThan(before);
  const { rows } = await archive.database.pool.query<{ id: string }>('delete from videos returning id');
  await archive.files.store.remove(toVideoKeys(rows[0]?.id ?? '').all, 'unknown');
  for (const entry of await archive.files.store.trash.list()) await archive.files.store.trash.purge(entry.name);
  await archive.addFilm('new');
  const { folder, dropped } = await archive.backUp({ keep: 1 });
  expect([dropped.length, (await listSnapshots(folder)).length, readdirSync(to.incoming)]).toEqual([2, 1, []]);
  expect([...server.objects.values()].some(({ bytes }) => String(bytes) === 'old')).toBe(false);
  expect((await checkBackup(folder, () => {})).faults).toEqual([]);
  await damageOneFile(to);
  expect((await checkBackup(folder, () => {})).faults).toEqual([expect.stringMatching(/s3:\/\/stand-in\/nightly\/files\/.* is damaged$/)]);
});

test('a check that the network ends finds no damage, and what is damaged in one folder stays known until that one is whole', async () => {
  await archive.addFilm('footage');
  const { folder } = await archive.backUp();
  server.fail = ({ method, name }) => (method === 'GET' && name.startsWith('nightly/files') ? 'refuse' : undefined);
  const away = await checkBackup(folder, () => {});
  expect(away.faults).toEqual([]);
  expect(away.unchecked[0]).toMatch(/s3:\/\/stand-in\/nightly cannot be reached/);
  const { pool } = archive.database;
  const note = (
    of: string,
    { damage = null, unchecked = null, days = 0 }: { damage?: string | null; unchecked?: string | null; days?: number } = {},
  ) => noteCheck(pool, { at: new Date(Date.now() - days * 86_400_000).toISOString(), folder: of, damage, unchecked });
  const damaged = async () => Object.fromEntries((await readLastChecks(pool)).map((check) => [check.folder, check.damage]));
  await note('/gone', { damage: 'x is damaged', days: 61 });
  await note('/a', { damage: 'x is damaged' });
  await note('/b');
  expect(await damaged()).toEqual({ '/a': 'x is damaged', '/b': null });
  await note('/a', { unchecked: 'away' });
  await note('/b', { unchecked: 'away' });
  expect(await damaged()).toEqual({ '/a': 'x is damaged', '/b': null });
  await note('/a');
  expect(await damaged()).toEqual({ '/a': null, '/b': null });
});

test('of a bucket with thousands of contents each is known, with whatever is sent meanwhile, however few of those are remembered', async () => {
  const nameOf = (n: number) => createHash('sha256').update(`content ${n}`).digest('hex');
  const seed = (sha256: string, bytes: Buffer) =>
    server.objects.set(`nightly/files/${sha256.slice(0, 2)}/${sha256}`, { bytes, modifiedAt: new Date(), etag: 'x' });
  for (let n = 0; n < 5_000; n += 1) seed(nameOf(n), Buffer.alloc(n % 7));
  const folder = toBucketFolder({ ...to, sentAtOnce: 3 });
  onTestFinished(() => folder.files.close());
  mkdirSync(to.incoming, { recursive: true });
  const holds = (n: number, sizeBytes = n % 7) => folder.files.holds(folder.content(nameOf(n)), sizeBytes);
  for (let n = 0; n < 5_000; n += 1) expect([n, await holds(n)]).toEqual([n, true]);
  expect([await holds(5_000), await holds(7, 1)]).toEqual([false, false]);
  for (let n = 5_000; n < 5_008; n += 1) {
    const path = join(to.incoming, 'draft');
    writeFileSync(path, Buffer.alloc(n % 7));
    await folder.files.take(folder.content(nameOf(n)), path);
  }
  for (let n = 5_000; n < 5_008; n += 1) expect([n, await holds(n), await holds(n, 9)]).toEqual([n, true, false]);
  expect(await holds(6_000)).toBe(false);
});

test('a store that lists its objects in no order is refused in a sentence', async () => {
  async function* contents() {
    yield { sha256: 'ff'.repeat(32), sizeBytes: 1 };
    yield await Promise.resolve({ sha256: '00'.repeat(32), sizeBytes: 1 });
  }
  mkdirSync(to.incoming, { recursive: true });
  await expect(writeContentList(join(to.incoming, 'held'), contents())).rejects.toThrow('in another order than that of their names');
});

test('this machine has room for the largest files on their way into a bucket, or the backup does not begin to copy them', async () => {
  const { folder } = await archive.backUp();
  await expect(folder.files.ensureRoom([...Array<number>(1e5).fill(1e7), 1e15])).rejects.toThrow(/on-its-way lacks \d+ MB/);
  // One after the other they are little.
  await folder.files.ensureRoom(Array<number>(1e5).fill(1e7));
});

test('an archive comes back from a bucket, and with it who was forgotten, whom only the next backup can tell', async () => {
  const id = await archive.addFilm('footage');
  await archive.database.pool.query(`
    insert into erasures (id, video_id, name_mark, tracks, made_by, made_at)
    values (gen_random_uuid(), '${id}', null, '[]', 'an administrator', now())`);
  await archive.backUp();
  expect(await tellBackups(archive.database.pool)).toEqual(['s3://stand-in/nightly']);
  const { files, run } = await archive.restore();
  expect(run.faults).toEqual([]);
  expect(String(await (await files.store.openRange(toVideoKeys(id).original))?.bytes())).toBe('footage');
  expect(readFileSync(join(files.folder.root, 'erasures.json'), 'utf8')).toContain(id);
  expect(existsSync(join(files.folder.root, 'restoring.json'))).toBe(false);
});

test('a place with something else in it, or of another archive, is refused; a server that is away ends it in a sentence and leaves no snapshot', async () => {
  server.objects.set('letters/dear.txt', { bytes: Buffer.from('dear'), modifiedAt: new Date(), etag: 'x' });
  const into = (place: BucketPlace) => backUpArchive({ pool: archive.database.pool, archive: archive.files, to: place });
  await expect(into({ ...to, prefix: 'letters' })).rejects.toThrow('s3://stand-in/letters is not empty and contains no Rushes backups');
  const other = await createBackedUpArchive(undefined, () => ({ ...to, prefix: 'of-another' }));
  await other.backUp();
  await expect(into({ ...to, prefix: 'of-another' })).rejects.toThrow('another archive');
  await other.drop();
  server.fail = ({ method, name }) => (method === 'PUT' && name.startsWith('nightly/files') ? 'refuse' : undefined);
  await expect(into(to)).rejects.toThrow(/^s3:\/\/stand-in\/nightly cannot be reached: it answers 503/);
  expect([...server.objects.keys()].filter((name) => name.startsWith('nightly/snapshots'))).toEqual([]);
  server.fail = () => undefined;
  await expect(into(to)).resolves.toMatchObject({ snapshot: { problems: [] } });
});
