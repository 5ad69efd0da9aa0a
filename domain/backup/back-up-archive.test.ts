import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type BackedUpArchive, createBackedUpArchive } from '#testing/backed-up-archive.ts';
import { damageOneFile } from '#testing/damage-one-file.ts';
import { cloneDatabase } from '#testing/test-database.ts';
import { compareSides } from '../archive/compare-sides.ts';
import { adoptSides } from '../archive/pair-sides.ts';
import { openArchiveFiles } from '../files/open-archive-files.ts';
import { sha256Of } from '../files/sha256.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { backUpArchive } from './back-up-archive.ts';
import { checkBackup } from './check-backup.ts';
import { makeContentSet, passesFor } from './content-set.ts';
import { readPackedContent } from './contents.ts';
import { readFileList } from './file-list.ts';
import { openBackupFolder } from './open-backup-folder.ts';
import { listSnapshots } from './snapshot.ts';

let archive: BackedUpArchive;
beforeEach(async () => {
  archive = await createBackedUpArchive();
});
afterEach(() => archive.drop());

const pathOf = (key: string) => join(archive.dataFolder, 'media', key.slice(6, 8), ...key.split('/').slice(1));

test('a second backup reads only what is new, and what is the same is kept once', async () => {
  await archive.addFilm('one');
  const first = await archive.backUp();
  expect(first.newBytes).toBeGreaterThan(0);
  expect((await archive.backUp()).newBytes).toBe(0);
  const id = await archive.addFilm('two, longer');
  const third = await archive.backUp();
  expect(third.newBytes).toBe('two, longer'.length + `#EXTM3U of ${id}`.length);
  expect(third.snapshot.files.count).toBe(first.snapshot.files.count + 2);
  const { faults, ...check } = await checkBackup(third.folder, () => {});
  expect([check.snapshots, faults]).toEqual([3, []]);
});

test('only the owner can look into a folder of backups, or at anything in it', async () => {
  await archive.addFilm('one');
  await archive.backUp();
  const entries = readdirSync(archive.to, { recursive: true, withFileTypes: true });
  const modes = entries.map((entry) => [entry.isDirectory(), statSync(join(entry.parentPath, entry.name)).mode & 0o777]);
  expect(modes.filter(([isFolder, mode]) => mode !== (isFolder ? 0o700 : 0o600))).toEqual([]);
  expect(statSync(archive.to).mode & 0o777).toBe(0o700);
});

test('a folder within the data folder or around it, one with something else in it, and one of another archive are refused', async () => {
  const to = (path: string) => backUpArchive({ pool: archive.database.pool, archive: archive.files, to: path });
  await expect(to(join(archive.dataFolder, 'backup'))).rejects.toThrow('must not contain each other');
  await expect(to(archive.root)).rejects.toThrow('must not contain each other');
  const full = join(archive.root, 'full');
  mkdirSync(full);
  writeFileSync(join(full, 'letter.txt'), 'dear');
  await expect(to(full)).rejects.toThrow('is not empty and contains no Rushes backups');
  expect(readdirSync(full)).toEqual(['letter.txt']);
  const other = await createBackedUpArchive();
  try {
    await other.backUp();
    await expect(to(other.to)).rejects.toThrow('another archive');
  } finally {
    await other.drop();
  }
});

test('of two backups at once one is refused, and the other is whole', async () => {
  for (let n = 0; n < 20; n++) await archive.addFilm(`film ${n}`);
  const outcomes = await Promise.allSettled([archive.backUp(), archive.backUp()]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { message: expect.stringContaining('is running') },
  });
});

test('a folder that held backups and holds none now, as one whose disk is not mounted, is no new one unless that is said', async () => {
  await archive.backUp();
  rmSync(archive.to, { recursive: true });
  await expect(archive.backUp()).rejects.toThrow('not mounted');
  expect(existsSync(archive.to)).toBe(false);
  mkdirSync(archive.to);
  await expect(archive.backUp()).rejects.toThrow('not mounted');
  expect(readdirSync(archive.to)).toEqual([]);
  expect((await archive.backUp({ beginsAnew: true })).snapshot.problems).toEqual([]);
  expect((await archive.backUp()).newBytes).toBe(0);
});

test('a backup that has lost its lock ends as failed, and takes nothing from the one that had it next', async () => {
  await archive.addFilm('one');
  const { pool } = archive.database;
  const store = {
    ...archive.files.store,
    listVideos: async () => {
      await pool.query(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database = (
                          select oid from pg_database where datname = current_database())`);
      await vi.waitFor(() => archive.backUp());
      return await archive.files.store.listVideos();
    },
  };
  await expect(backUpArchive({ pool, archive: { ...archive.files, store }, to: archive.to, keep: 1 })).rejects.toThrow(
    'another one may have begun',
  );
  const folder = await openBackupFolder(archive.to);
  expect(await listSnapshots(folder)).toHaveLength(1);
  expect((await checkBackup(folder, () => {})).faults).toEqual([]);
});

test('a missing original, a changed one and missing renditions are told; the snapshot holds everything else', async () => {
  const [gone, changed, bare] = [await archive.addFilm('gone'), await archive.addFilm('changed'), await archive.addFilm('bare')];
  rmSync(pathOf(toVideoKeys(gone).original));
  writeFileSync(pathOf(toVideoKeys(changed).original), 'chanGed');
  rmSync(pathOf(toVideoKeys(bare).hls), { recursive: true });
  const { snapshot } = await archive.backUp();
  expect(snapshot.problems.toSorted()).toEqual(
    [
      `The original of video ${gone} is missing.`,
      `The original of video ${changed} has changed since it was imported; its disk may be failing.`,
      `The renditions of video ${bare} are missing.`,
    ].toSorted(),
  );
  expect(snapshot.files.count).toBe(5);
});

test('an original that an operator has given up by adopting is no problem any more; what is lost later is one', async () => {
  const [given, later] = [await archive.addFilm('given up'), await archive.addFilm('lost later')];
  rmSync(join(archive.dataFolder, 'media', given.slice(0, 2), given), { recursive: true });
  const { files } = archive;
  await adoptSides(archive.database.pool, files, await compareSides(archive.database.pool, files));
  expect((await archive.backUp()).snapshot.problems).toEqual([]);
  rmSync(pathOf(toVideoKeys(later).original));
  expect((await archive.backUp()).snapshot.problems).toEqual([`The original of video ${later} is missing.`]);
});

test('an original that was kept well stays well, though the archive has lost a bit of it since', async () => {
  const id = await archive.addFilm('footage');
  await archive.backUp();
  writeFileSync(pathOf(toVideoKeys(id).original), 'fOotage');
  expect((await archive.backUp()).snapshot.problems).toEqual([]);
  const { files } = await archive.restore();
  expect(String(await (await files.store.openRange(toVideoKeys(id).original))?.bytes())).toBe('footage');
});

test('a film that leaves the archive while it is backed up is no loss', async () => {
  const id = await archive.addFilm('leaving');
  const store = {
    ...archive.files.store,
    // It goes between the dump and the look at the files.
    listVideos: async () => {
      await archive.database.pool.query('delete from videos where id = $1', [id]);
      await archive.files.store.remove(toVideoKeys(id).all, 'unknown');
      return await archive.files.store.listVideos();
    },
  };
  const { snapshot } = await backUpArchive({ pool: archive.database.pool, archive: { ...archive.files, store }, to: archive.to });
  expect(snapshot.problems).toEqual([]);
});

test('a film whose file is replaced while it is backed up is no fault of the disk', async () => {
  const id = await archive.addFilm('before');
  const store = {
    ...archive.files.store,
    listVideos: async () => {
      await archive.files.store.put(toVideoKeys(id).original, Buffer.from('after'));
      await archive.database.pool.query('update videos set content_hash = $2 where id = $1', [id, sha256Of('after')]);
      return await archive.files.store.listVideos();
    },
  };
  const { snapshot } = await backUpArchive({ pool: archive.database.pool, archive: { ...archive.files, store }, to: archive.to });
  expect(snapshot.problems).toEqual([]);
});

test('renditions that are replaced while they are read are kept as they are then', async () => {
  const id = await archive.addFilm('again');
  const { hls } = toVideoKeys(id);
  let reads = 0;
  const store: typeof archive.files.store = {
    ...archive.files.store,
    openRange: async (key, range) => {
      if (key.startsWith(hls) && reads++ === 0) {
        await rename(pathOf(`${hls}/master.m3u8`), pathOf(`${hls}/replaced.m3u8`));
        await archive.files.store.put(`${hls}/later.m4s`, Buffer.from('later'));
        await archive.files.store.put(`${hls}/master.m3u8`, Buffer.from('second cut'));
        rmSync(pathOf(`${hls}/master.m3u8`));
        await archive.files.store.put(`${hls}/master.m3u8`, Buffer.from('third cut'));
      }
      return reads === 1 && key.startsWith(hls) ? null : await archive.files.store.openRange(key, range);
    },
  };
  const { snapshot } = await backUpArchive({ pool: archive.database.pool, archive: { ...archive.files, store }, to: archive.to });
  expect(snapshot.problems).toEqual([]);
  const { files } = await archive.restore();
  expect(String(await (await files.store.openRange(`${hls}/master.m3u8`))?.bytes())).toBe('third cut');
});

test.each([undefined, 1])(
  'only the newest snapshots stay when that is asked for, and with them all that they name: with %s contents at once',
  async (contentsAtOnce) => {
    await archive.addFilm('old');
    for (let n = 0; n < 3; n++) await archive.backUp();
    const { rows } = await archive.database.pool.query<{ id: string }>('delete from videos returning id');
    await archive.files.store.remove(toVideoKeys(rows[0]?.id ?? '').all, 'unknown');
    for (const entry of await archive.files.store.trash.list()) await archive.files.store.trash.purge(entry.name);
    await archive.addFilm('new');
    const { folder, name, snapshot, dropped } = await archive.backUp({ keep: 1, contentsAtOnce });
    expect(dropped).toHaveLength(3);
    expect(await listSnapshots(folder)).toEqual([name]);
    const { database, files } = snapshot;
    const listed = (await Array.fromAsync(readFileList(readPackedContent(folder, files)))).map(({ sha256 }) => sha256);
    const named = new Set([...database.tables.map(({ sha256 }) => sha256), files.sha256, ...listed]);
    expect((await Array.fromAsync(folder.files.list(folder.contents))).map((path) => basename(path)).sort()).toEqual([...named].sort());
    const check = await checkBackup(folder, () => {}, { contentsAtOnce });
    expect(check).toEqual({ ...(await checkBackup(folder, () => {})), faults: [], unchecked: [] });
    await expect(damageOneFile(archive.to)).resolves.toContain('original');
    const { faults } = await checkBackup(folder, () => {}, { contentsAtOnce });
    expect(faults).toEqual([expect.stringContaining('is damaged')]);
    expect(existsSync(folder.incoming) && readdirSync(folder.incoming)).toEqual([]);
  },
);

test('while films are away, the newest snapshot that holds them stays whatever shall go, and goes once they are back', async () => {
  const id = await archive.addFilm('the only copy');
  await archive.backUp();
  const good = await archive.backUp();
  const media = join(archive.dataFolder, 'media');
  await rename(media, `${media}.away`);
  const bad = await archive.backUp({ keep: 1 });
  expect([bad.dropped.length, bad.heldBack]).toEqual([1, [good.name]]);
  const worse = await archive.backUp({ keep: 1 });
  expect([worse.dropped, worse.heldBack]).toEqual([[bad.name], [good.name]]);
  const kept = await Array.fromAsync(readFileList(readPackedContent(good.folder, good.snapshot.files)));
  expect(kept.map(({ key }) => key)).toContain(toVideoKeys(id).original);
  expect((await checkBackup(good.folder, () => {})).faults).toEqual([]);
  await rename(`${media}.away`, media);
  const whole = await archive.backUp({ keep: 1 });
  expect([await listSnapshots(whole.folder), whole.heldBack]).toEqual([[whole.name], []]);
});

test('a check beside which a backup drops an old snapshot finds no damage in it', async () => {
  await archive.addFilm('old');
  await archive.backUp();
  const { rows } = await archive.database.pool.query<{ id: string }>('delete from videos returning id');
  await archive.files.store.remove(toVideoKeys(rows[0]?.id ?? '').all, 'unknown');
  for (const entry of await archive.files.store.trash.list()) await archive.files.store.trash.purge(entry.name);
  const { folder } = await archive.backUp();
  let asked: string[] = [];
  const read = async (path: string) => {
    // Once its lists are known, and before its files are read.
    if (asked.length === 0 && path.includes('files')) asked = [(await archive.backUp({ keep: 1 })).name];
    return await folder.files.read(path);
  };
  const beside = await checkBackup({ ...folder, files: { ...folder.files, read } }, () => {});
  expect([beside.faults, asked.length]).toEqual([[], 1]);
});

test('an empty database is no archive, and neither is one that is not there', async () => {
  const empty = await cloneDatabase('template0');
  const made = backUpArchive({ pool: empty.pool, archive: archive.files, to: archive.to });
  await expect(made).rejects.toThrow('contains no archive');
  await empty.drop();
});

test('twenty thousand hashes stay apart in little memory, another size is another content, and each belongs to one pass', () => {
  const hashes = Array.from({ length: 20_000 }, (_, n) => sha256Of(`content ${n}`));
  const set = makeContentSet();
  expect(hashes.every((sha256, n) => set.add(sha256, n * 2 ** 20))).toBe(true);
  expect(hashes.every((sha256, n) => set.has(sha256, n * 2 ** 20) && !set.add(sha256, n * 2 ** 20))).toBe(true);
  expect(hashes.some((sha256, n) => set.has(sha256, n * 2 ** 20 + 1) || set.has(sha256, (n + 4096) * 2 ** 20))).toBe(false);
  expect(set.has(sha256Of('another'))).toBe(false);
  for (const atOnce of [1e6, 6_000, 7]) {
    const passes = passesFor(hashes.length, atOnce);
    expect(passes).toHaveLength(Math.min(256, Math.ceil(20_000 / atOnce)));
    expect(hashes.every((sha256) => passes.filter((isOfPass) => isOfPass(sha256)).length === 1)).toBe(true);
  }
});

test('a backup that was just made stays, also where the clock was set back', async () => {
  await archive.addFilm('film');
  await archive.backUp();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  const { folder, name, dropped } = await archive.backUp({ keep: 1 });
  expect([await listSnapshots(folder), dropped.length]).toEqual([[name], 1]);
  vi.useRealTimers();
  const later = await archive.backUp({ keep: 2 });
  expect([await listSnapshots(folder), later.dropped]).toEqual([[name, later.name], []]);
  expect((await checkBackup(folder, () => {})).faults).toEqual([]);
});

test('what lies in the data folder itself is kept, but for what belongs to running processes', async () => {
  for (const name of ['relevance.json', '.write-probe-1', 'archive.lock', 'postgres.log', 'secrets.json.0a1b2c'])
    writeFileSync(join(archive.dataFolder, name), name);
  mkdirSync(join(archive.dataFolder, 'index'));
  writeFileSync(join(archive.dataFolder, 'index', 'current.json'), 'derived');
  await archive.backUp();
  const { files } = await archive.restore();
  expect(readdirSync(files.folder.root).sort()).toEqual(['media', 'relevance.json', 'secrets.json', 'stage']);
  expect(openArchiveFiles(files.folder.root).folder.root).toBe(files.folder.root);
});
