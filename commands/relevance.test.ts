import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runRelevance } from '#testing/run-relevance.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import { addPin } from './relevance/add-pin.ts';
import { askPins } from './relevance/ask-pin.ts';
import { keyOfPin, Pin } from './relevance/pin.ts';
import { readPins } from './relevance/pins-file.ts';

let archive: SearchableArchive;
let folder: string;
let harbour: string;
let settings: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rushes-relevance-'));
  archive = await createSearchableArchive({
    harbour: { said: ['good morning', 'nothing yet', 'the harbour lights came on'] },
    lighthouse: { said: ['a quiet night', 'the lamp of the lighthouse turns'] },
    ferry: { said: ['a ferry'] },
  });
  harbour = await idOf('harbour');
  settings = { RUSHES_DATA: dirname(archive.index.folder), DATABASE_URL: archive.database.url };
});
afterAll(async () => {
  await archive.drop();
  await rm(folder, { recursive: true, force: true });
});

async function idOf(name: string): Promise<string> {
  const { rows } = await archive.database.pool.query('select id from videos where external_id = $1', [name]);
  return rows[0].id;
}

const ask = (pin: Partial<Pin>, last = {}) => {
  const whole = Pin.parse({ query: 'harbour lights', video: harbour, within: 1, ...pin });
  return askPins({ pool: archive.database.pool, search: archive.searching }, [whole], last);
};

test('a pin holds where the video comes early enough with the moment on its card, and else says what is wrong', async () => {
  expect(await ask({})).toMatchObject([{ place: 1, holds: true, moved: false }]);
  expect(await ask({ at: '00:00:10' })).toMatchObject([{ place: 1, holds: true }]);
  expect(await ask({ at: '0:40' })).toMatchObject([
    { place: null, holds: false, why: 'the video is at place 1, without that moment on its card' },
  ]);
  expect(await ask({ query: 'quiet night' })).toMatchObject([{ place: null, holds: false, why: 'not among the first 60' }]);
  expect(await ask({ video: '0123456789' })).toMatchObject([{ place: null, holds: false, why: 'no such video is in the archive' }]);
});

test('a pin beyond the first page is found at its place, and fails when it wants a better one', async () => {
  const crowd = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`crowd-${n}`, { said: ['zeppelin zeppelin'] }]));
  await archive.publish({ ...crowd, late: { said: ['a long day that began with rain and ended with one zeppelin over the hills'] } });
  const found = await archive.found('zeppelin', { pageSize: 20 });
  const late = { query: 'zeppelin', video: await idOf('late') };
  const place = found.indexOf('late') + 1;
  expect(place).toBeGreaterThan(12);
  expect(await ask({ ...late, within: place })).toMatchObject([{ place, holds: true }]);
  expect(await ask({ ...late, within: place - 1 })).toMatchObject([{ place, holds: false }]);
});

test('a pin has moved when its place is another than last time, also from or to none', async () => {
  const key = keyOfPin({ query: 'harbour lights', video: harbour, at: undefined });
  expect(await ask({}, { [key]: 1 })).toMatchObject([{ before: 1, moved: false }]);
  expect(await ask({}, { [key]: 4 })).toMatchObject([{ before: 4, moved: true }]);
  expect(await ask({}, { [key]: null })).toMatchObject([{ before: null, moved: true }]);
});

test('adding a pin says its place, keeps notes, and gives a pin that is there its new place', async () => {
  const file = join(folder, 'own.json');
  const asked = { pool: archive.database.pool, search: archive.searching };
  const wanted = { query: 'harbour lights', video: harbour, at: '00:00:10', within: undefined };
  expect(await addPin(asked, wanted, { file, pins: [] })).toBe(`Pinned in ${file}: now at place 1.`);
  const pins = ((await readPins(file)) ?? []).map((pin) => ({ ...pin, note: 'the opening' }));
  await addPin(asked, { ...wanted, at: '0:10', within: '2' }, { file, pins });
  expect(await readPins(file)).toEqual([{ query: 'harbour lights', video: harbour, at: '0:10', within: 2, note: 'the opening' }]);
  expect(await addPin(asked, { ...wanted, query: 'quiet night' }, { file, pins })).toContain('It fails until it is within 3.');
  for (const [wrong, words] of [
    [{ at: '00:02:00' }, '00:02:00 is after the end of the video, which is 60 seconds long.'],
    [{ at: 'noon' }, 'The time must be a time such as 00:12:34.'],
    [{ video: '0123456789' }, 'No video of this archive has the id 0123456789.'],
    [{ video: 'harbour' }, 'VIDEO_ID must be the id of a video'],
    [{ within: '0' }, '--within must be a whole number from 1 to 60.'],
    [{ query: ' ' }, 'QUERY must not be empty.'],
  ] as const) {
    await expect(addPin(asked, { ...wanted, ...wrong }, { file, pins })).rejects.toThrow(words);
  }
});

test.each([
  ['nonsense', 'is not JSON'],
  ['[]', '{"pins": [ … ]}'],
  ['{"pins": [{"query": "a", "video": "0123456789", "within": 0}]}', 'pin 1: within must be a whole number from 1 to 60'],
  ['{"pins": [{"query": "a", "video": "0123456789", "within": 1, "att": 1}]}', 'pin 1: att: there is no such field'],
  ['{"pins": [{"video": "x"}]}', 'pin 1: query must be a text'],
])('a file of pins that holds %s is refused in plain words', async (text, words) => {
  const file = join(folder, 'wrong.json');
  await writeFile(file, text);
  await expect(readPins(file)).rejects.toThrow(words);
});

test('npm run relevance adds a pin, asks all, tells what moved since last time, and ends with 1 when one fails', {
  timeout: 60_000,
}, async () => {
  const noPins = runRelevance([], settings);
  expect(noPins).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('There are no pins in') });
  expect(runRelevance(['--pin', 'harbour lights', harbour, '00:00:10', '--within', '1'], settings)).toMatchObject({
    status: 0,
    stderr: '',
  });
  const first = runRelevance([], settings);
  expect(first).toMatchObject({ status: 0, stderr: '' });
  expect(first.stdout).toBe(
    `holds  place 1, new (within 1)  "harbour lights" → ${harbour} at 00:00:10\nPins that hold: 1, that fail: 0, that moved since last time: 0.\n`,
  );

  const file = join(String(settings.RUSHES_DATA), 'relevance.json');
  await archive.database.pool.query(`update videos set state = 'Failed' where id = $1`, [harbour]);
  const second = runRelevance(['--json'], settings);
  await archive.database.pool.query(`update videos set state = 'Processed' where id = $1`, [harbour]);
  expect(second.status).toBe(1);
  expect(JSON.parse(second.stdout)).toMatchObject({ rank: null, before: 1, ok: false, moved: true, why: 'the video is not ready' });
  expect(await readPins(file)).toHaveLength(1);
  expect(JSON.parse(await readFile(file.replace('.json', '.last.json'), 'utf8'))).toEqual({ [`["harbour lights","${harbour}",10]`]: null });
});

test('a wrong data folder is refused in words and does not become an archive; wrong arguments show the usage', { timeout: 60_000 }, () => {
  const elsewhere = { ...settings, RUSHES_DATA: join(folder, 'elsewhere') };
  expect(runRelevance(['--pin', 'a', harbour], elsewhere)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('There is no search index'),
  });
  expect(existsSync(elsewhere.RUSHES_DATA)).toBe(false);
  expect(runRelevance(['--pin', 'a'], settings)).toMatchObject({ status: 1, stderr: expect.stringContaining('Usage: npm run relevance') });
});
