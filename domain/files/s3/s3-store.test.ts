import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { madeBytes } from '#testing/made-bytes.ts';
import { newBucket } from '#testing/shared-s3-server.ts';
import { lateMs, type Mischief, type StandInS3, startStandInS3 } from '#testing/stand-in-s3.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { startOf } from '../../system/is-alive.ts';
import type { FileStore } from '../store.ts';
import { StoreAway } from '../store-away.ts';
import { toVideoKeys } from '../video-keys.ts';
import { openS3Store } from './s3-store.ts';

const impatient = { pausesMs: [1, 1, 1], answersWithinMs: 3_000 };
const { all, original, poster } = toVideoKeys('0123456789');
/** Longer than one part. */
const film = madeBytes(20_000_000, 'film');

let standIn: StandInS3;
let folder: string;
let store: FileStore;
beforeEach(async () => {
  standIn = await startStandInS3();
  folder = mkdtempSync(join(tmpdir(), 'rushes-s3-'));
  store = openS3Store(standIn.settings, { folder: join(folder, 'copies'), idleMs: 20 }, impatient);
});
afterEach(async () => {
  await standIn.close();
  rmSync(folder, { recursive: true, force: true });
});

function filmFile(): string {
  const path = join(folder, 'film');
  writeFileSync(path, film);
  return path;
}

/** Every request of a kind goes wrong the first time; the next one of the same goes well. */
function failOnce(mischief: Mischief): void {
  const seen = new Set<string>();
  standIn.fail = ({ method, name, query }) => {
    const request = `${method} ${name} ${query}`;
    if (seen.has(request)) return undefined;
    seen.add(request);
    return mischief;
  };
}

test.each<Mischief>(['refuse', 'cut', 'cut-in-the-middle', 'change'])(
  'every request that goes wrong once (%s) is made again, and nothing is kept but what was meant',
  async (mischief) => {
    failOnce(mischief);
    await store.put(original, { copyOf: filmFile() });
    await store.put(poster, Buffer.from('picture'));
    expect((await storedBytes(store, original)).equals(film)).toBe(true);
    const range = await store.openRange(original, { start: 1_000_000, end: 3_000_000 });
    expect(range && (await buffer(range.stream())).equals(film.subarray(1_000_000, 3_000_000))).toBe(true);
    const taken = await store.remove(all, 'to see');
    await store.trash.putBack(taken?.name ?? '');
    expect((await Array.fromAsync(store.list(all))).map(({ sizeBytes }) => sizeBytes).sort((a, b) => a - b)).toEqual([7, film.length]);
    // An upload that was begun, and of which nobody was told, is for the bucket's own rule to clear away.
    expect(standIn.uploads.size).toBe(mischief === 'cut-in-the-middle' ? 1 : 0);
  },
);

test('a store that falls silent is asked again', async () => {
  const hurried = openS3Store(standIn.settings, { folder: join(folder, 'copies') }, { ...impatient, answersWithinMs: 100 });
  failOnce('silence');
  await hurried.put(poster, Buffer.from('picture'));
  expect(String(await storedBytes(hurried, poster))).toBe('picture');
});

test('an answer that stops in the middle is asked for again, what a store says of an object as much as a list', async () => {
  await store.put(poster, Buffer.from('picture'));
  const hurried = openS3Store(standIn.settings, { folder: join(folder, 'copies') }, { ...impatient, answersWithinMs: 100 });
  failOnce('stops');
  expect(await hurried.stat(poster)).toMatchObject({ sizeBytes: 7 });
  failOnce('stops');
  expect((await Array.fromAsync(hurried.list(all))).map(({ key }) => key)).toEqual([poster]);
});

test('copies of a process that is gone are swept, also where its number is that of another one by now', async () => {
  await store.put(original, { copyOf: filmFile() });
  const copies = join(folder, 'copies');
  const others = [`${process.pid}-1-0a1b2c3d`, `${process.ppid}-1-0a1b2c3d`, `${process.pid}-0a1b2c3d`, '999999-1-0a1b2c3d'];
  const living = `${process.ppid}-${startOf(process.ppid)}-0a1b2c3d`;
  for (const name of [...others, living]) mkdirSync(join(copies, name), { recursive: true });
  const anew = openS3Store(standIn.settings, { folder: copies }, impatient);
  await anew.withLocalCopy(original, () => Promise.resolve());
  expect(readdirSync(copies).filter((name) => name.endsWith('0a1b2c3d'))).toEqual([living]);
});

test('a store that copies first and answers then has the time that the length of a film takes, and copies it once', async () => {
  const hurried = openS3Store(
    standIn.settings,
    { folder: join(folder, 'copies') },
    { ...impatient, answersWithinMs: lateMs / 3, copiesBytesPerMs: 1_000 },
  );
  await store.put(original, { copyOf: filmFile() });
  const isCopy = ({ method, name }: { method: string; name: string }) => method === 'PUT' && name.includes('/content/');
  standIn.fail = (request) => (isCopy(request) ? 'late' : undefined);
  const taken = await hurried.remove(all, 'to see');
  expect(taken?.sizeBytes).toBe(film.length);
  expect(standIn.requests.filter((request) => request.startsWith('PUT trash/') && request.includes('/content/'))).toHaveLength(1);
  // What is short has as long as everything else.
  await store.put(poster, Buffer.from('picture'));
  await expect(hurried.remove(poster, 'to see')).rejects.toThrow(StoreAway);
});

test('a copy that could not be fetched takes nothing from the one that came after it, and leaves no piece', async () => {
  await store.put(original, { copyOf: filmFile() });
  const copies = () => readdirSync(join(folder, 'copies'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  // Of the film itself some bytes come, and then none.
  let asked = 0;
  standIn.fail = ({ method }) => {
    if (method === 'GET') asked += 1;
    return method !== 'GET' || asked === 1 ? undefined : asked === 2 ? 'cut-in-the-middle' : 'refuse';
  };
  await expect(store.withLocalCopy(original, () => Promise.resolve())).rejects.toThrow(StoreAway);
  expect(copies()).toEqual([]);
  standIn.fail = () => undefined;
  await store.put(poster, Buffer.from('picture'));
  await store.withLocalCopy(original, async (path) => {
    await store.withLocalCopy(poster, () => Promise.resolve());
    // What nobody used any more has gone by its time, which began after that of the first try.
    await expect.poll(() => copies().length, { timeout: 10_000 }).toBeLessThan(2);
    expect(readFileSync(path).equals(film)).toBe(true);
    await store.withLocalCopy(original, (same) => Promise.resolve(expect(same).toBe(path)));
  });
});

test('a stream that is cut off again and again goes on where it was, and ends as one whole', async () => {
  await store.put(original, Buffer.from(film.subarray(0, 4_000_000)));
  let cuts = 0;
  standIn.fail = ({ method }) => (method === 'GET' && ++cuts < 12 ? 'cut-in-the-middle' : undefined);
  const opened = await store.openRange(original);
  expect(opened && (await buffer(opened.stream())).equals(film.subarray(0, 4_000_000))).toBe(true);
  expect(cuts).toBeGreaterThan(5);
});

test('a file that is replaced while it is read never comes as a mixture', async () => {
  await store.put(original, Buffer.from(film.subarray(0, 4_000_000)));
  standIn.fail = () => 'cut-in-the-middle';
  const opened = await store.openRange(original);
  standIn.fail = () => undefined;
  await store.put(original, Buffer.from(film.subarray(5_000_000, 9_000_000)));
  await expect(opened?.bytes()).rejects.toThrow('replaced while it was read');
});

test('a store that does not answer, or refuses, is away: that is no file that is missing', async () => {
  await store.put(original, Buffer.from('footage'));
  for (const mischief of ['refuse', 'forbid', 'cut'] as const) {
    standIn.fail = () => mischief;
    const tries = [
      () => store.stat(original),
      () => store.openRange(original),
      () => store.put(original, Buffer.from('x')),
      () => store.listVideos(),
      () => store.withLocalCopy(original, () => Promise.resolve()),
      () => store.remove(all, 'no reason'),
    ];
    for (const attempt of tries) await expect(attempt()).rejects.toThrow(StoreAway);
  }
  standIn.fail = () => undefined;
  expect(String(await storedBytes(store, original))).toBe('footage');
});

test('what cannot be put as a whole leaves what had the key, and no parts behind', async () => {
  await store.put(original, Buffer.from('footage'));
  standIn.fail = ({ query }) => (query.get('partNumber') === '2' ? 'refuse' : undefined);
  await expect(store.put(original, { path: filmFile() })).rejects.toThrow(StoreAway);
  expect([String(await storedBytes(store, original)), standIn.uploads.size]).toEqual(['footage', 0]);
  expect(readFileSync(join(folder, 'film')).equals(film)).toBe(true);
});

test('tools share one copy of a file, which goes when nobody has used it for a while', async () => {
  await store.put(original, { copyOf: filmFile() });
  standIn.requests.length = 0;
  const readIn = (one: FileStore) => one.withLocalCopy(original, (path) => Promise.resolve(readFileSync(path).equals(film)));
  const keeping = openS3Store(standIn.settings, { folder: join(folder, 'kept') }, impatient);
  expect(await Promise.all([readIn(keeping), readIn(keeping), readIn(keeping)])).toEqual([true, true, true]);
  expect(await readIn(keeping)).toBe(true);
  // One byte tells which version there is.
  expect(standIn.requests.filter((request) => request.startsWith('GET')).length).toBe(5);
  expect(await readIn(store)).toBe(true);
  await expect
    .poll(() => readdirSync(join(folder, 'copies')).flatMap((own) => readdirSync(join(folder, 'copies', own))), { timeout: 60_000 })
    .toEqual([]);
  await store.put(original, Buffer.from('another'));
  expect(await store.withLocalCopy(original, (path) => Promise.resolve(readFileSync(path, 'utf8')))).toBe('another');
});

test('what was cut off on its way into the trash goes with its film, and by itself after a day', async () => {
  const inTrash = () => [...standIn.objects.keys()].filter((name) => name.startsWith('trash/'));
  const cutOff = async () => {
    await store.put(original, Buffer.from('footage'));
    standIn.fail = ({ method, name }) => (method === 'PUT' && name.endsWith('taken.json') ? 'refuse' : undefined);
    await expect(store.remove(all, 'cut off')).rejects.toThrow(StoreAway);
    standIn.fail = () => undefined;
    expect([inTrash().length, await store.trash.list()]).toEqual([1, []]);
  };
  await cutOff();
  await store.remove(all, 'erased');
  await store.trash.purgeOf('0123456789');
  expect(inTrash()).toEqual([]);

  await cutOff();
  await store.trash.sweep();
  expect(inTrash()).toHaveLength(1);
  await store.trash.sweep(Date.now() + 86_460_000);
  expect([inTrash(), String(await storedBytes(store, original))]).toEqual([[], 'footage']);
});

test.each([
  ['copied', 'PUT', poster],
  ['cleared away', 'DELETE', `content/${poster}`],
  ['clearing its note away', 'DELETE', 'taken.json'],
])(
  'what is put back goes on with the same call where one was cut off while it was %s, unless something else lies there meanwhile',
  async (_, verb, end) => {
    await store.put(original, Buffer.from('footage'));
    await store.put(poster, Buffer.from('picture'));
    const name = (await store.remove(all, 'by mistake'))?.name ?? '';
    standIn.fail = (request) => (request.method === verb && request.name.endsWith(end) ? 'refuse' : undefined);
    await expect(store.trash.putBack(name)).rejects.toThrow(StoreAway);
    standIn.fail = () => undefined;
    if (verb === 'PUT') {
      await store.put(original, Buffer.from('another film'));
      await expect(store.trash.putBack(name)).rejects.toThrow('is there again');
      expect(String(await storedBytes(store, original))).toBe('another film');
      await store.put(original, Buffer.from('footage'));
    }
    expect(await store.trash.putBack(name)).toMatchObject({ key: all });
    expect([String(await storedBytes(store, original)), String(await storedBytes(store, poster))]).toEqual(['footage', 'picture']);
    expect([...standIn.objects.keys()].filter((one) => one.startsWith('trash/'))).toEqual([]);
  },
);

test('a real object gateway takes a film in parts, compares its checksums, and gives it back', async ({ skip }) => {
  const settings = await newBucket();
  if (!settings) return skip('no object gateway can be started here');
  const real = openS3Store(settings, { folder: join(folder, 'copies') });
  await real.put(original, { copyOf: filmFile() });
  expect((await storedBytes(real, original)).equals(film)).toBe(true);
  const range = await real.openRange(original, { start: 19_000_000, end: 19_000_100 });
  expect((await range?.bytes())?.equals(film.subarray(19_000_000, 19_000_100))).toBe(true);
  const taken = await real.remove(all, 'to see');
  await real.trash.putBack(taken?.name ?? '');
  expect((await storedBytes(real, original)).equals(film)).toBe(true);
});
