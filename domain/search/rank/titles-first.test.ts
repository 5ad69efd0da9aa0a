import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#domain/db/sql.ts';
import { catchUpIndex } from '#domain/search-index/keep-index.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
/** More than the index is first asked for, each shorter than the film that is meant. */
const labelled = Object.fromEntries(numbers(60).map((n) => [`labelled-${n}`, { title: `Tape ${n}`, labels: ['harbour'] }]));
const spoken = Object.fromEntries(
  numbers(20).map((n) => [`spoken-${n}`, { title: `Talk ${n}`, said: ['The harbour, our harbour, is a harbour.', 'Harbour.'] }]),
);

let archive: SearchableArchive;
beforeAll(async () => {
  archive = await createSearchableArchive({
    ...labelled,
    ...spoken,
    titled: { title: 'The harbour at dawn', description: 'Many words about boats and weather. '.repeat(40) },
    named: { title: 'A portrait', people: ['Ada Harbour'], description: 'Many words about boats and weather. '.repeat(40) },
    inflected: { title: 'Harbours' },
  });
});
afterAll(() => archive.drop());

test('a title that is asked for comes first, then a person, then a label, then what passes in speech', async () => {
  const found = await archive.found('harbour', { pageSize: 100 });
  expect(found.slice(0, 2)).toEqual(['titled', 'named']);
  expect(found.slice(2, 26).filter((name) => labelled[name])).toHaveLength(24);
  expect(found).toHaveLength(83);
});

test('a field asks where its words stand, whatever else holds them', async () => {
  expect(await archive.found('title:harbour')).toEqual(['titled', 'inflected']);
  expect(await archive.found('person:harbour')).toEqual(['named']);
});

test('among equals what can be played goes before transcripts alone', async () => {
  const { pool } = archive.database;
  const names = Object.keys(spoken);
  await pool.query(sql`update videos set revision = revision + 1 where external_id = any(${names})`);
  await catchUpIndex(pool, archive.copy);
  const last = (await archive.found('said:harbour', { pageSize: 20 })).at(-1) ?? '';
  expect(names).toContain(last);
  await pool.query(sql`update videos set revision = revision + 1 where external_id = any(${names})`);
  await pool.query(sql`update videos set streaming_preset = 'SingleBitrate' where external_id = ${last}`);
  await catchUpIndex(pool, archive.copy);
  expect((await archive.found('said:harbour'))[0]).toBe(last);
});
