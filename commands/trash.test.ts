import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Problem } from '#contract/problem.ts';
import { pairSides } from '#domain/archive/pair-sides.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { withVideoClaim } from '#domain/jobs/worker-lease.ts';
import { deletedKeptDaysFor, deleteFilm, restoreFilm } from '#domain/videos/deletions.ts';
import { findFootage } from '#domain/videos/footage.ts';
import { importFile } from '#ingest/footage/import-file.ts';
import { sweepArchive } from '#ingest/sweep-archive.ts';
import { addFilm } from '#testing/add-film.ts';
import { runCommand } from '#testing/run-command.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';

const aDayMs = 24 * 60 * 60 * 1_000;

const sample = join(import.meta.dirname, '..', 'samples', 'Harbour at dusk.mp4');
let archive: TestIngest;
beforeAll(async () => {
  archive = await openTestIngest();
  // As every start does: a sweep moves nothing beside a database that is not known to be the one of these media.
  await pairSides(archive.context.pool, archive.context, { folder: 'here', database: 'here' });
});
afterAll(() => archive.close());

test('a refused file lies in the trash with its reason, and is judged again when it is put back', { timeout: 300_000 }, async () => {
  const path = join(archive.scratch, 'letter.mp4');
  await writeFile(path, 'Dear archive,\n'.repeat(400));
  const { id } = await archive.ingest(path);
  const [entry] = await until(async () => {
    const entries = await archive.context.store.trash.list();
    return entries.length > 0 && entries;
  });
  expect(entry).toMatchObject({ key: toVideoKeys(id).all, reason: expect.stringMatching(/^refused \(unreadable_media\): /) });
  expect((await trash('list')).output).toContain(
    `${entry?.name}  ${entry?.at.toISOString().slice(0, 10)}  0.0 MB  refused (unreadable_media)`,
  );
  expect((await trash('restore', entry?.name ?? '')).output).toContain('is being tried again');
  const [again] = await until(async () => {
    const entries = await archive.context.store.trash.list();
    return entries.length === 1 && entries[0]?.name !== entry?.name && entries;
  });
  expect(again).toMatchObject({ key: entry?.key, reason: entry?.reason });
  // Sent again it is judged again as well, as the film that it was; its claim is held until its file is away.
  const third = await until(async () => await importFile(archive.context, path).catch(unlessUnavailable));
  expect(third).toMatchObject({ videoId: id, wasKnown: false });
  await until(async () => (await archive.context.store.trash.list()).length === 2);
  expect((await findFootage(archive.context.pool, id))?.failureCode).toBe('unreadable_media');
  // A second copy of what failed is no film of its own.
  await archive.context.store.put(toVideoKeys('00000000ab').original, await readFile(path));
  const copy = await archive.context.store.remove(toVideoKeys('00000000ab').all, 'a second copy');
  expect(await trash('restore', copy?.name ?? '')).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining(`The archive already has this footage, as ${id}, which failed.`),
  });
});

test('files that the database does not know go into the trash after a day, with a line in the log, and come back as a film', {
  timeout: 120_000,
}, async () => {
  const { store, pool } = archive.context;
  const { id } = await archive.ingest(sample);
  const original = await storedBytes(store, toVideoKeys(id).original);
  await pool.query('delete from videos where id = $1', [id]);
  const said: string[] = [];
  const sweep = () => sweepArchive(archive.context, { log: (line) => said.push(line), settledAfterMs: aDayMs, keptDays: 30 });
  await sweep();
  expect([said, await store.stat(toVideoKeys(id).original)]).toEqual([[], expect.anything()]);
  age(id, 2);
  await sweep();
  const entry = (await store.trash.list()).find(({ key }) => key === toVideoKeys(id).all);
  expect(said).toEqual([`sweep: ${id}: the database knows no such video; its files lie in the trash as ${entry?.name}`]);
  expect((await trash('restore', entry?.name ?? '')).exitCode).toBe(0);
  const video = await until(async () => {
    const found = await findFootage(pool, id);
    return found?.state === 'Processed' && found;
  });
  expect(video).toMatchObject({ fileName: 'Harbour at dusk.mp4', name: expect.stringMatching(/harbour/i) });
  expect((await storedBytes(store, toVideoKeys(id).original)).equals(original)).toBe(true);
  expect(original.equals(await readFile(sample))).toBe(true);
});

test('what was put back by a call that was cut off while it read the original becomes a film by the same call', async () => {
  const { store, pool } = archive.context;
  const id = '00000000c3';
  await store.put(toVideoKeys(id).original, Buffer.from('footage that takes long to read'));
  const name = (await store.remove(toVideoKeys(id).all, 'nobody knows it'))?.name ?? '';
  await store.trash.putBack(name);
  const again = await trash('restore', name);
  expect(again).toMatchObject({ exitCode: 0, output: expect.stringContaining(`(${id}) is being processed again.`) });
  expect(await findFootage(pool, id)).not.toBeNull();
  // Known by now, it is no more than a name that the trash does not have.
  expect(await trash('restore', name)).toMatchObject({ exitCode: 1, output: expect.stringContaining('in the trash') });
});

test('what somebody just puts back is left to them: by the sweep, by whoever puts it back as well, and once the database knows it', async () => {
  const { store, pool } = archive.context;
  const id = '00000000c2';
  await store.put(toVideoKeys(id).original, await readFile(sample));
  age(id, 2);
  const isThere = async () => (await store.stat(toVideoKeys(id).original)) !== null;
  const sweep = async (from = store) => {
    await sweepArchive({ ...archive.context, store: from }, { log: () => {}, settledAfterMs: aDayMs, keptDays: 30 });
    return await isThere();
  };
  expect(await withVideoClaim(pool, id, () => sweep())).toBe(true);
  const known: typeof store = {
    ...store,
    list: async function* (prefix) {
      await pool.query(
        `insert into videos (id, name, origin, content_hash) values ($1, '', 'file', lpad($1, 64, '0')) on conflict do nothing`,
        [id],
      );
      yield* store.list(prefix);
    },
  };
  expect(await sweep(known)).toBe(true);
  await pool.query('delete from videos where id = $1', [id]);
  expect(await sweep()).toBe(false);
  const [entry] = await store.trash.list(id);
  const restore = () => trash('restore', entry?.name ?? '');
  const busy = { exitCode: 1, output: expect.stringContaining('still busy with this video') };
  expect([await withVideoClaim(pool, id, restore), await isThere()]).toEqual([expect.objectContaining(busy), false]);
  await store.trash.purge(entry?.name ?? '');
});

test('the place of a film that is just being brought in, in which no file lies yet, is left alone', async () => {
  const { store, folder } = archive.context;
  const id = '00000000c1';
  mkdirSync(join(folder.root, 'media', id.slice(0, 2), id), { recursive: true });
  await sweepArchive(archive.context, { log: () => {}, settledAfterMs: aDayMs, keptDays: 30 });
  expect(await store.trash.list(id)).toEqual([]);
  expect(await store.listVideos()).toContain(id);
});

test('files of a film that was refused by a worker which died go into the trash after a day; those of one that failed stay', async () => {
  const { store, pool } = archive.context;
  for (const [id, code] of [
    ['00000000b1', 'unreadable_media'],
    ['00000000b2', 'processing_failed'],
  ] as const) {
    await store.put(toVideoKeys(id).original, Buffer.from(id));
    await pool.query(
      `insert into videos (id, state, name, origin, content_hash, failure_code, failure_message) values ($1, 'Failed', $1, 'file', $2, $3, 'It is.')`,
      [id, id.padStart(64, '0'), code],
    );
    age(id, 2);
  }
  await sweepArchive(archive.context, { log: () => {}, settledAfterMs: aDayMs, keptDays: 30 });
  expect((await store.trash.list()).map(({ key, reason }) => [key, reason])).toContainEqual([
    toVideoKeys('00000000b1').all,
    'refused (unreadable_media: It is.)',
  ]);
  expect(String(await storedBytes(store, toVideoKeys('00000000b2').original))).toBe('00000000b2');
});

test('a film that cannot be erased is told of, and keeps none behind it from being erased', async () => {
  const { store, pool, folder } = archive.context;
  const films = [await film('first'), await film('second')].toSorted();
  for (const id of films) {
    const { rows } = await pool.query<{ name: string }>('select name from videos where id = $1', [id]);
    await deleteFilm(pool, { reason: '', actorUid: 'somebody', from: 'a test', videoId: id, name: rows[0]?.name ?? '' });
  }
  await pool.query(`update deletions set deleted_at = now() - interval '31 days' where video_id = any ($1)`, [films]);
  const [stuck = '', free = ''] = films;
  const closed: typeof store = {
    ...store,
    erase: (key) => (key.includes(stuck) ? Promise.reject(new Error('not permitted')) : store.erase(key)),
  };
  const said: string[] = [];
  await sweepArchive({ pool, folder, store: closed }, { log: (line) => said.push(line), settledAfterMs: aDayMs, keptDays: 30 });
  expect(said).toContain(`sweep: ${stuck}: it could not be erased: not permitted`);
  const left = async () => (await pool.query('select id from videos where id = any ($1)', [films])).rows.map(({ id }) => id);
  expect(await left()).toEqual([stuck]);
  expect(free).not.toBe(stuck);
  await sweepArchive(archive.context, { log: () => {}, settledAfterMs: aDayMs, keptDays: 30 });
  expect(await left()).toEqual([]);
});

test('the sweep erases films that were deleted 30 days ago, any number of them, ends what was cut off, and touches nothing else', async () => {
  const { store, pool } = archive.context;
  const [old, recent, cutOff, kept] = [await film('old'), await film('recent'), await film('cut off'), await film('kept')];
  const [deleting, from] = [{ reason: '', actorUid: 'somebody', from: 'a test' }, 'a test'];
  for (const [id, name] of [
    [old, 'old'],
    [recent, 'recent'],
    [cutOff, 'cut off'],
  ] as const)
    await deleteFilm(pool, { ...deleting, videoId: id, name, from });
  await pool.query(`update deletions set deleted_at = now() - interval '30 days 1 hour' where video_id = $1`, [old]);
  await pool.query(`update deletions set deleted_at = now() - interval '29 days 23 hours' where video_id = $1`, [recent]);
  await pool.query('update deletions set erasing_at = now() where video_id = $1', [cutOff]);
  await store.remove(toVideoKeys(cutOff).all, 'erased');
  // More than fit into a batch: records without files.
  await pool.query(`insert into videos (id, state, name, origin, content_hash)
    select lpad(to_hex(n), 10, 'd'), 'Quarantined', 'Record', 'catalogue', lpad(to_hex(n), 64, 'd') from generate_series(1, 150) n`);
  await pool.query(`insert into deletions (video_id, state_before, deleted_by, deleted_at, reason)
    select id, 'Processed', 'somebody', now() - interval '31 days', '' from videos where name = 'Record'`);
  const others = (await store.listVideos()).filter((id) => id !== old && id !== cutOff);
  await sweepArchive(archive.context, { log: () => {}, settledAfterMs: aDayMs, keptDays: 30 });
  expect((await store.listVideos()).toSorted()).toEqual(others.toSorted());
  expect((await store.trash.list()).filter(({ key }) => [old, cutOff].some((id) => key.includes(id)))).toEqual([]);
  const { rows } = await pool.query(`select name, state from videos where id = any ($1) or name = 'Record' order by name`, [
    [old, recent, cutOff, kept],
  ]);
  expect(rows).toEqual([
    { name: 'kept', state: 'Processed' },
    { name: 'recent', state: 'Quarantined' },
  ]);
});

test('beside a database of one’s own a deleted film stays as long as that may be restored to a moment at which it was there', async () => {
  const { store, pool } = archive.context;
  const [id, keptDays] = [await film('restorable'), deletedKeptDaysFor({ databaseUrl: archive.database.url })];
  await deleteFilm(pool, { videoId: id, name: 'restorable', reason: '', actorUid: 'somebody', from: 'a test' });
  for (const [days, isThere] of [
    [35.9, true],
    [36.1, false],
  ] as const) {
    await pool.query(`update deletions set deleted_at = now() - make_interval(hours => $1::int) where video_id = $2`, [
      Math.round(days * 24),
      id,
    ]);
    await sweepArchive(archive.context, { log: () => {}, settledAfterMs: aDayMs, keptDays });
    expect([days, (await store.listVideos()).includes(id)]).toEqual([days, isThere]);
  }
});

test('a film that was deleted is not taken in anew beside itself: it is said that it can be brought back, and the copy goes', async () => {
  const { pool, folder } = archive.context;
  const { id } = await archive.ingest(sample);
  const { name } = (await findFootage(pool, id)) ?? { name: '' };
  await deleteFilm(pool, { videoId: id, name, reason: '', actorUid: 'somebody', from: 'a test' });
  await expect(importFile(archive.context, sample)).rejects.toThrow(/deleted video .*Restore it/);
  expect(readdirSync(folder.staging)).toEqual([]);
  await restoreFilm(archive.context, { videoId: id, actorUid: 'somebody', from: 'a test' });
  expect(await importFile(archive.context, sample)).toMatchObject({ videoId: id, wasKnown: true });
});

test('footage that the archive holds as another film stays in the trash', async () => {
  const { store } = archive.context;
  const known = await archive.ingest(sample);
  await store.put(toVideoKeys('00000000aa').original, await readFile(sample));
  const entry = await store.remove(toVideoKeys('00000000aa').all, 'a second copy');
  const { exitCode, output } = await trash('restore', entry?.name ?? '');
  expect([exitCode, output]).toEqual([1, expect.stringContaining(`The archive already has this footage, as ${known.id}.`)]);
  expect((await store.trash.list()).map(({ key }) => key)).toContain(toVideoKeys('00000000aa').all);
});

test('purge takes what has lain there for thirty days, longer beside a database that may be restored to an earlier moment, and names that are given; nothing else', async () => {
  const { store } = archive.context;
  for (const entry of await store.trash.list()) await store.trash.purge(entry.name);
  const names: string[] = [];
  for (const id of ['00000000a1', '00000000a2', '00000000a3', '00000000a4']) {
    await store.put(toVideoKeys(id).original, Buffer.from('footage'));
    names.push((await store.remove(toVideoKeys(id).all, 'a test'))?.name ?? '');
  }
  const [oldest = '', old = '', named = '', kept = ''] = names;
  dateBack(oldest, 37);
  dateBack(old, 35);
  dateBack(named, 29);
  expect(await trash('purge')).toMatchObject({ exitCode: 0, output: expect.stringContaining('1 purged, 3 left.') });
  const alone = await runCommand('commands/trash.ts', ['purge'], { RUSHES_DATA: archive.context.folder.root });
  expect(alone).toMatchObject({ exitCode: 0, output: expect.stringContaining('1 purged, 2 left.') });
  expect(await trash('purge', named, 'nothing')).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('There is no nothing in the trash.'),
  });
  expect((await store.trash.list()).map(({ name }) => name)).toEqual([kept]);
  for (const args of [[], ['lsit'], ['restore'], ['list', 'all']]) {
    expect(await trash(...args)).toMatchObject({ exitCode: 1, output: expect.stringContaining('Usage: npm run trash') });
  }
});

function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof Problem) || error.code !== 'unavailable') throw error;
}

function trash(...args: string[]) {
  return runCommand('commands/trash.ts', args, { RUSHES_DATA: archive.context.folder.root, DATABASE_URL: archive.database.url });
}

function age(id: string, days: number): void {
  const then = new Date(Date.now() - days * aDayMs);
  const folder = join(archive.context.folder.root, 'media', id.slice(0, 2), id);
  for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) utimesSync(join(folder, name), then, then);
}

function dateBack(name: string, days: number): void {
  const note = { key: toVideoKeys('00000000a1').all, reason: 'a test', at: new Date(Date.now() - days * aDayMs) };
  writeFileSync(join(archive.context.folder.root, 'trash', name, 'taken.json'), JSON.stringify(note));
}

function film(name: string): Promise<string> {
  return addFilm(archive.context, { name });
}
