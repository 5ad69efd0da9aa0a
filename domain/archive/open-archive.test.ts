import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startStandInS3 } from '#testing/stand-in-s3.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { sql } from '../db/sql.ts';
import { openArchiveFiles } from '../files/open-archive-files.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { compareSides } from './compare-sides.ts';
import { openArchive } from './open-archive.ts';
import { adoptSides, checkSidesDaily } from './pair-sides.ts';

let scratch: string;
let dataFolder: string;
let database: TestDatabase;
beforeEach(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'rushes-pair-'));
  dataFolder = join(scratch, 'data');
  database = await createTestDatabase();
});
afterEach(async () => {
  await database.drop();
  rmSync(scratch, { recursive: true, force: true });
});

test('a fresh archive gets one id, on both sides, also when several processes open it at once', async () => {
  await Promise.all([open(), open(), open()]);
  expect(folderId()).toMatch(/^[0-9a-f-]{36}$/);
  expect(await databaseId()).toBe(folderId());
  const before = folderId();
  await open();
  expect(folderId()).toBe(before);
});

test('a folder and a database of two archives are not worked on together, and both are named', async () => {
  await open();
  const other = randomUUID();
  await setDatabaseId(other);
  await expect(open()).rejects.toThrow(
    `The data folder ${dataFolder} belongs to the archive ${folderId()}, but the database of DATABASE_URL (localhost/${database.name}) to ${other}: correct RUSHES_DATA or DATABASE_URL. npm run adopt`,
  );
});

test('an empty database beside the media of an archive is refused, and nothing of them is touched', async () => {
  for (const id of videoIds(2)) writeMedia(id);
  await expect(open()).rejects.toThrow(/holds 2 videos, but the database .+ holds none: .+ restore the database from a backup/);
  expect(existsSync(join(dataFolder, 'archive-id'))).toBe(false);
  expect(await databaseId()).toBeNull();
});

test('an archive whose first film is on its way in is opened by others; one whose database was emptied is not', async () => {
  await open();
  for (const id of videoIds(3)) writeMedia(id);
  await open();
  for (const id of videoIds(4)) writeMedia(id);
  await expect(open()).rejects.toThrow('holds 4 videos, but the database');
});

test('an archive made before gets an id when its database knows every folder of a video', async () => {
  const [stranger = '', ...known] = videoIds(5);
  for (const id of known) await addFootage(id);
  writeMedia(stranger);
  await expect(open()).rejects.toThrow(
    `holds one video that the database of DATABASE_URL (localhost/${database.name}) does not know (${stranger})`,
  );
  rmSync(mediaPath(stranger), { recursive: true });
  await open();
  expect(await databaseId()).toBe(folderId());
});

test('a database that has lost its id takes that of the folder it knows, and a folder likewise', async () => {
  for (const id of videoIds(5)) await addFootage(id);
  await open();
  const id = folderId();
  await database.pool.query("delete from archive_facts where name = 'archive_id'");
  await open();
  expect(await databaseId()).toBe(id);
  rmSync(join(dataFolder, 'archive-id'));
  await open();
  expect(folderId()).toBe(id);
});

test('a folder that holds nothing takes the id of the database, but not where that knows of originals', async () => {
  for (const id of videoIds(3)) await addFootage(id);
  await open();
  const id = folderId();
  rmSync(dataFolder, { recursive: true });
  await open();
  expect(folderId()).toBe(id);
  for (const more of videoIds(8).slice(3)) await addFootage(more);
  rmSync(dataFolder, { recursive: true });
  await expect(open()).rejects.toThrow(
    /lacks the originals of 8 of the 8 videos that .+: mount the volume that holds them, correct RUSHES_DATA/,
  );
  expect(existsSync(join(dataFolder, 'archive-id'))).toBe(false);
});

test('up to three originals, or one in a hundred, may be missing; a film that failed is not missed', async () => {
  const ids = videoIds(400);
  for (const id of ids) await addFootage(id);
  await open();
  const remove = (id: string) => rmSync(join(mediaPath(id), 'original'));
  ids.slice(0, 4).forEach(remove);
  await open();
  ids.slice(4, 5).forEach(remove);
  await expect(open()).rejects.toThrow('lacks the originals of 5 of the 400 videos');
  await database.pool.query(sql`update videos set state = 'Failed' where id = ${ids[0]}`);
  await database.pool.query(sql`delete from videos where id = any (${ids.slice(50)}::text[])`);
  for (const id of ids.slice(50)) rmSync(mediaPath(id), { recursive: true });
  await expect(open()).rejects.toThrow('lacks the originals of 4 of the 49 videos');
  await database.pool.query(sql`delete from videos where id = ${ids[1]}`);
  await open();
});

test('what an operator adopts is opened as it is, with a new id where there were two, and all of it stays', async () => {
  for (const id of videoIds(10)) await addFootage(id);
  await open();
  const [folderBefore, databaseBefore] = [folderId(), randomUUID()];
  await setDatabaseId(databaseBefore);
  const [gone = [], strangers = []] = [videoIds(10).slice(0, 6), videoIds(15).slice(10)];
  for (const id of gone) rmSync(join(mediaPath(id), 'original'));
  for (const id of strangers) writeMedia(id);
  const files = openArchiveFiles(dataFolder);
  const sides = await compareSides(database.pool, files);
  expect([sides.missing.toSorted(), sides.unknown]).toEqual([gone, strangers]);
  await adoptSides(database.pool, files, sides);
  await open();
  expect(await databaseId()).toBe(folderId());
  expect([folderBefore, databaseBefore]).not.toContain(folderId());
  expect(readdirSync(join(dataFolder, 'media'), { recursive: true }).filter((name) => String(name).endsWith('original'))).toHaveLength(9);
  expect((await database.pool.query('select from videos')).rowCount).toBe(10);
  // What is lost after that counts again.
  for (const id of videoIds(10).slice(6)) rmSync(join(mediaPath(id), 'original'));
  await expect(open()).rejects.toThrow('lacks the originals of 4 of the 4 videos');
});

test('a machine that joins by adopting where the media lie in a shared store takes the id of the database, by which the others go on', async () => {
  const standIn = await startStandInS3();
  try {
    const settings = (folder: string) => ({ dataFolder: folder, databaseUrl: database.url, s3: standIn.settings });
    const openShared = async (folder: string) => (await openArchive(settings(folder))).close();
    await openShared(join(scratch, 'other'));
    const id = await databaseId();
    // Of a trial of its own.
    mkdirSync(dataFolder);
    writeFileSync(join(dataFolder, 'archive-id'), `${randomUUID()}\n`);
    await expect(openShared(dataFolder)).rejects.toThrow('belongs to the archive');
    const files = openArchiveFiles(dataFolder, standIn.settings);
    await adoptSides(database.pool, files, await compareSides(database.pool, files));
    for (const folder of [dataFolder, join(scratch, 'other')]) await openShared(folder);
    expect([folderId(), await databaseId()]).toEqual([id, id]);
  } finally {
    await standIn.close();
  }
});

test('no database is made beside the media or the id of an archive, and the way out is told', async () => {
  const pg = join(dataFolder, 'pg');
  const openLocal = async () => (await openArchive({ dataFolder }, { tied: true })).close();
  await openLocal();
  writeMedia('0123456789');
  const aside = join(scratch, 'aside');
  renameSync(pg, aside);
  await expect(openLocal()).rejects.toThrow(
    /^There is no database in .+, but .+ has media of one video: put the pg folder back, .+ RUSHES_DATA to another folder\.$/,
  );
  rmSync(join(dataFolder, 'archive-id'));
  await expect(openLocal()).rejects.toThrow('data has media of one video: put the pg folder back');
  expect(existsSync(join(pg, 'pg18'))).toBe(false);
  expect(existsSync(join(mediaPath('0123456789'), 'original'))).toBe(true);
  rmSync(pg, { recursive: true });
  renameSync(aside, pg);
  rmSync(join(dataFolder, 'media'), { recursive: true });
  await openLocal();
});

test('an id that cannot be read is told, and nothing is guessed', async () => {
  await open();
  writeFileSync(join(dataFolder, 'archive-id'), 'not an id\n');
  await expect(open()).rejects.toThrow(/archive-id is damaged: restore it from a backup, or remove it/);
});

test('a start asks a large store about some films, spread over all, holds up no other start meanwhile, and still tells what is not its own', async () => {
  const standIn = await startStandInS3();
  try {
    const ids = Array.from({ length: 1_200 }, (_, n) => (n * 7_919 + 1).toString(16).padStart(10, '0')).sort();
    const original = { bytes: Buffer.from('footage'), modifiedAt: new Date(), etag: 'f' };
    for (const id of ids) standIn.objects.set(toVideoKeys(id).original, original);
    await database.pool.query(sql`
      insert into videos (id, state, name, origin, content_hash)
      select id, 'Processed', 'A film', 'file', lpad(id, 64, '0') from unnest(${ids}::text[]) as t (id)`);
    const openStore = async () => (await openArchive({ dataFolder, databaseUrl: database.url, s3: standIn.settings })).close();
    await openStore();
    const waits: Promise<{ rows: { isFree: boolean }[] }>[] = [];
    standIn.fail = () => {
      waits.push(database.pool.query('select pg_try_advisory_xact_lock_shared(728374005) as "isFree"'));
      return undefined;
    };
    const asked = async (work: () => Promise<unknown>) => {
      standIn.requests.length = 0;
      await work();
      return standIn.requests.map((request) => request.split('/')[1] ?? request);
    };
    const films = await asked(openStore);
    expect([films.length, new Set(films).size]).toEqual([500, 500]);
    expect((await Promise.all(waits)).every(({ rows }) => rows[0]?.isFree)).toBe(true);
    standIn.fail = () => undefined;
    const tenths = films.map((id) => Math.floor((ids.indexOf(id) / ids.length) * 10));
    expect(Array.from({ length: 10 }, (_, n) => tenths.filter((tenth) => tenth === n).length)).toEqual(
      Array(10).fill(expect.closeTo(50, -1)),
    );

    // One machine a day looks at all of them.
    const files = openArchiveFiles(dataFolder, standIn.settings);
    const sweep = () => checkSidesDaily(database.pool, files, { folder: 'here', database: 'here' });
    expect((await asked(sweep)).length).toBeGreaterThan(1_200);
    expect((await asked(sweep)).length).toBe(500);

    for (const id of ids.slice(600, 640)) standIn.objects.delete(toVideoKeys(id).original);
    await expect(openStore()).rejects.toThrow('lacks the originals of 40 of the 1200 videos');
    await database.pool.query("update archive_facts set value = (now() - interval '25 hours')::text where name = 'sides_looked_at'");
    // What one machine refuses is not left to the luck of the others.
    for (const _ of [1, 2]) {
      const { length } = await asked(async () => expect(await sweep()).toMatch('lacks the originals of 40 of'));
      expect([length > 1_160, length < 1_200]).toEqual([true, true]);
    }
    standIn.objects.clear();
    await expect(openStore()).rejects.toThrow('lacks the originals of 1200 of the 1200 videos');
  } finally {
    await standIn.close();
  }
});

async function open(): Promise<void> {
  await (await openArchive({ dataFolder, databaseUrl: database.url })).close();
}

function folderId(): string {
  return readFileSync(join(dataFolder, 'archive-id'), 'utf8').trim();
}

async function databaseId(): Promise<string | null> {
  const { rows } = await database.pool.query<{ value: string }>("select value from archive_facts where name = 'archive_id'");
  return rows[0]?.value ?? null;
}

async function setDatabaseId(id: string): Promise<void> {
  await database.pool.query(sql`update archive_facts set value = ${id} where name = 'archive_id'`);
}

/** The same first ones whatever their number. */
function videoIds(count: number): string[] {
  return Array.from({ length: count }, (_, n) => (n * 7_919 + 1).toString(16).padStart(10, '0'));
}

function mediaPath(id: string): string {
  return join(dataFolder, 'media', id.slice(0, 2), id);
}

function writeMedia(id: string): void {
  const original = join(mediaPath(id), 'original');
  mkdirSync(dirname(original), { recursive: true });
  writeFileSync(original, id);
}

async function addFootage(id: string): Promise<void> {
  writeMedia(id);
  await database.pool.query(sql`
    insert into videos (id, state, name, origin, content_hash) values (${id}, 'Processed', 'A film', 'file', ${id.padStart(64, '0')})
    on conflict do nothing`);
}
