import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { unpackMoments } from '../moments/packed-moments.ts';
import { CatalogueRecord } from './catalogue-record.ts';
import { createCatalogueVideos } from './create-catalogue-videos.ts';

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
  const { rows } = await database.pool.query('select * from videos join moments on video_id = id where id = $1', [video?.id]);
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
