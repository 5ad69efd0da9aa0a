import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { findMoments } from '../moments/find-moments.ts';
import type { Moment } from '../moments/moment.ts';
import { unpackMoments } from '../moments/packed-moments.ts';
import { writePackedRows } from '../moments/write-packed-rows.ts';
import { CatalogueRecord } from './catalogue-record.ts';
import { createCatalogueVideos, createVideo, makeVideoId } from './create-video.ts';
import { giveLayersToArchive } from './give-layers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const record = (id: string, more: object = {}) =>
  CatalogueRecord.parse({
    id,
    title: `Talk ${id}`,
    durationSeconds: 60,
    lines: [{ start: 1, end: 2, text: 'hello there', speaker: 'Ann' }],
    ...more,
  });

test('a catalogue record is published with its moments, people, brands and labels', async () => {
  const [video] = await createCatalogueVideos(database.pool, [
    record('one', {
      people: ['Ann', { name: 'Bo', start: 5 }],
      brands: [{ name: 'Acme', mentions: 2, at: [3, 9] }],
      labels: ['talk'],
      ocr: [{ start: 4, end: 5, text: 'ANN' }],
    }),
  ]);
  const { rows } = await database.pool.query(
    "select *, convert_from(body, 'UTF8') as body from videos join moments on video_id = id where id = $1",
    [video?.id],
  );
  expect(rows[0]).toMatchObject({
    state: 'Processed',
    name: 'Talk one',
    external_id: 'one',
    people: ['Ann', 'Bo'],
    brands: ['Acme'],
    labels: ['talk'],
    duration_seconds: 60,
  });
  expect(unpackMoments(rows[0].body).map((moment) => [moment.kind, moment.startMs, moment.text])).toEqual([
    ['Transcript', 1_000, 'hello there'],
    ['Brand', 3_000, 'Acme'],
    ['Ocr', 4_000, 'ANN'],
    ['Face', 5_000, 'Bo'],
    ['Brand', 9_000, 'Acme'],
  ]);
  expect(rows[0].indexed_revision).not.toBe(rows[0].revision);
});

test('a catalogue line keeps when its words begin, as far as they spell it in order of time', async () => {
  const words = (...all: [number, string][]) => all.map(([start, text]) => ({ start, text }));
  const line = (start: number, more: object) => ({ start, end: start + 4, text: `it’s the Eagle ${start}`, ...more });
  const [video] = await createCatalogueVideos(database.pool, [
    record('words', {
      lines: [
        line(0, { words: words([0, ' it'], [0.2, '’s'], [1, ' the'], [1.5, ' Eagle'], [2.345, ' 0']) }),
        line(5, { words: words([5, 'it’s'], [6, 'the'], [7, 'Beagle'], [8, '5']) }),
        line(10, { words: words([10, 'it’s'], [13, 'the'], [12, 'Eagle'], [12.5, '10']) }),
        line(20, { words: words([20, 'it’s'], [21, 'the'], [22, 'Eagle'], [1e6, '20']) }),
        line(30, { words: 'soon' }),
        line(40, { words: [{ at: 4 }] }),
        line(50, {}),
      ],
    }),
  ]);
  const moments = await findMoments(database.pool, video?.id ?? '');
  expect(moments.map(({ text, wordStartsMs }) => [text, wordStartsMs])).toEqual([
    ['it’s the Eagle 0', [0, 1_000, 1_500, 2_345]],
    ...[5, 10, 20, 30, 40, 50].map((start) => [`it’s the Eagle ${start}`, undefined]),
  ]);
});

test('importing the same records again, and one record twice in a batch, adds each once', async () => {
  const batch = [record('two'), record('three'), record('two')];
  expect(await createCatalogueVideos(database.pool, batch)).toHaveLength(2);
  expect(await createCatalogueVideos(database.pool, batch)).toEqual([]);
});

test.each([
  { durationSeconds: 1e300 },
  { lines: [{ start: 1e300, text: 'hello' }] },
  { lines: [{ start: 1, end: 1e300, text: 'hello' }] },
  { ocr: [{ start: 1e300, text: 'HELLO' }] },
  { people: [{ name: 'Ann', at: [1e300] }] },
])('a record with a time that no clock shows is refused: %j', (more) => {
  expect(() => record('far', more)).toThrow('1000000');
});

test('text that PostgreSQL cannot hold does not stop a batch, and no e-mail address becomes a person', async () => {
  const [video] = await createCatalogueVideos(database.pool, [
    record('nul\u0000\ud800', { title: 'a\u0000b', language: 'en\u0000', people: ['ann@example.com', 'Bo'] }),
  ]);
  const { rows } = await database.pool.query('select name, people from videos where id = $1', [video?.id]);
  expect(rows[0]).toEqual({ name: 'a b', people: ['Bo'] });
});

test('footage that has just come in is no older video whose layers are to be made', async () => {
  const [known] = await createCatalogueVideos(database.pool, [record('laid out')]);
  const facts = { externalId: null, description: null, owner: null, recordedAt: null, place: null, language: 'en', rights: null };
  const names = { people: [], labels: [], brands: [] };
  const footage = { contentHash: 'a'.repeat(64), fileName: 'film.mp4', sizeBytes: 1 };
  expect(known && (await createVideo(database.pool, { id: makeVideoId(), name: 'Film', ...facts, ...names, ...footage }))).toBe(true);
  expect(await giveLayersToArchive(database.pool, { signal: new AbortController().signal, log: expect.fail })).toBe(0);
});

test('packed rows that are written together are as those of one film, and only films that say something else are told', async () => {
  const { pool } = database;
  const films = await createCatalogueVideos(pool, [record('heard'), record('read'), record('silent')]);
  const [heard = '', read = '', silent = ''] = films.map(({ id }) => id);
  const line = {
    kind: 'Transcript',
    startMs: 1_000,
    endMs: 2_000,
    text: 'hello, "there"',
    source: 'machine',
    confidencePercent: 80,
  } as const;
  const moments = new Map<string, readonly Moment[]>([
    [
      heard,
      [
        { ...line, engine: 'whisper.cpp' },
        { ...line, startMs: 1_500, engine: 'sphinx, "old"', wordStartsMs: [1_500, 1_700] },
      ],
    ],
    [read, [line]],
    [silent, []],
  ]);
  expect((await writePackedRows(pool, moments)).toSorted()).toEqual([heard, read, silent].toSorted());
  for (const [id, said] of moments) expect(await findMoments(pool, id)).toEqual(said);
  expect(await writePackedRows(pool, new Map([...moments, [read, []]]))).toEqual([read]);
  const { rows } = await pool.query('select moment_count, lines, heard from moments where video_id = $1', [heard]);
  expect(rows).toEqual([{ moment_count: 2, lines: 2, heard: 2 }]);
});
