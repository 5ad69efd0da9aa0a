import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import { isIndexDamageNoted, readIndexState } from '../files/index-state.ts';
import { CatalogueRecord } from '../videos/catalogue-record.ts';
import { createCatalogueVideos } from '../videos/create-video.ts';
import { IndexNotReady } from './index-not-ready.ts';
import { catchUpIndex } from './keep-index.ts';
import { mergeRecent } from './merge-recent.ts';

/** Brings in thousands of films at once. */
async function publishMany({ database, copy }: SearchableArchive): Promise<void> {
  const films = Array.from({ length: 6_000 }, (_, n) => ({
    id: `quail-${n}`,
    title: 'Film',
    lines: [{ start: 1, end: 2, text: 'A quail.' }],
  }));
  await createCatalogueVideos(
    database.pool,
    films.map((film) => CatalogueRecord.parse(film)),
  );
  await catchUpIndex(database.pool, copy);
}

let archive: SearchableArchive;
beforeEach(async () => {
  archive = await createSearchableArchive({ heron: 'The heron stands.' });
  expect(await archive.found('heron ')).toEqual(['heron']);
});
afterEach(async () => {
  await archive.drop();
});

test('who searches right after thousands of films have come finds them all', async () => {
  await publishMany(archive);
  expect(await archive.found('quail ')).toHaveLength(12);
  expect(await archive.index.batch()).toBe((await readIndexState(archive.index.folder))?.batch);
}, 60_000);

test('a video that comes alone is found by the next search', async () => {
  for (const name of ['one', 'two', 'three']) {
    const film = { id: name, title: name, lines: [{ start: 1, end: 2, text: `A quail, ${name}.` }] };
    await createCatalogueVideos(archive.database.pool, [CatalogueRecord.parse(film)]);
    await catchUpIndex(archive.database.pool, archive.copy);
    expect(await archive.found(`quail ${name} `)).toContain(name);
  }
});

test('an index that cannot be opened is noted by the next search', async () => {
  const { folder } = archive.index;
  const state = await readIndexState(folder);
  if (!state) throw new Error('There is no index.');
  writeFileSync(join(folder, 'current.json'), JSON.stringify({ ...state, batch: state.batch + 1, parts: [99_999] }));
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
  await expect(archive.index.find('passages', { words: ['heron'], others: [], phrases: [], limit: 1 })).rejects.toThrow(IndexNotReady);
  expect((await warned).message).toContain('will be rebuilt');
  expect(await isIndexDamageNoted(folder)).toBe(true);
});

test('films are found as the index last took them in: in the main tables, in the recent ones and once these are joined', async () => {
  const { index, copy, database } = archive;
  await archive.publish({ owl: 'An owl hoots.' });
  const { rows } = await database.pool.query<{ id: string }>('select id from videos order by name');
  const ids = rows.map(({ id }) => id);
  const revisions = async () => (await index.films([...ids, '0123456789'])).map((film) => film?.revision);
  expect(await revisions()).toEqual([1, 1, undefined]);
  await database.pool.query("update videos set revision = 5 where name = 'heron'");
  const writer = await catchUpIndex(database.pool, copy);
  expect(await revisions()).toEqual([5, 1, undefined]);
  await mergeRecent(writer);
  expect(await revisions()).toEqual([5, 1, undefined]);
  await database.pool.query("delete from videos where name = 'owl'");
  await database.pool.query("update videos set revision = 6 where name = 'heron'");
  await catchUpIndex(database.pool, copy);
  expect((await revisions())[0]).toBe(6);
});
