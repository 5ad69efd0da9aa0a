import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Problem } from '#contract/problem.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import { rowWordsPathIn } from '../files/index-state.ts';
import { makeBuiltPercentNoter } from '../search-index/built-percent.ts';
import { rebuildIndex } from '../search-index/rebuild-index.ts';
import { openArchiveSearch, openSearch, prepareSearch } from './open-search.ts';

const films = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`film-${n}`, `The heron number${n} stands.`]));

async function withArchive(work: (archive: SearchableArchive) => Promise<void>): Promise<void> {
  const archive = await createSearchableArchive(films);
  await work(archive).finally(() => archive.drop());
}

/** Somebody who searches without pause, for something else each time; what they were told, sorted. */
function searchOnAndOn({ database: { pool }, index }: SearchableArchive) {
  const searching = openSearch({ pool, index, budgetBytes: 0 });
  const told = { found: 0, notReady: 0, nothing: 0, other: [] as unknown[] };
  let isOver = false;
  const ask = async (n: number) => {
    try {
      const { results } = await searching.answer({ query: [`number${n % 40} `], skip: 0, pageSize: 12, purpose: 'results' });
      if (results.length > 0) told.found++;
      else told.nothing++;
    } catch (error) {
      if (error instanceof Problem && error.code === 'index_not_ready') told.notReady++;
      else told.other.push(error);
    }
  };
  const asking = Array.from({ length: 4 }, async (_, from) => {
    for (let n = from; !isOver; n += 4) await ask(n);
  });
  return async () => {
    isOver = true;
    await Promise.all(asking);
    return told;
  };
}

test('an index that breaks while people search is never an answer that finds nothing, and works again once it is rebuilt', async () => {
  await withArchive(async (archive) => {
    const { index, copy, database } = archive;
    const end = searchOnAndOn(archive);
    try {
      const { state } = await rebuildIndex(database.pool, copy);
      const path = rowWordsPathIn(index.folder, state);
      renameSync(path, `${path}.away`);
      const fresh = openArchiveSearch({ pool: database.pool, indexFolder: index.folder, budgetBytes: 0 });
      await expect(fresh.answer(anything)).rejects.toMatchObject({ code: 'index_not_ready' });
      fresh.close();
      await rebuildIndex(database.pool, copy);
      expect((await archive.search('number7 ')).results).toHaveLength(1);
    } finally {
      await end();
    }
    const { found, nothing, other } = await end();
    expect([nothing, other, found > 0]).toEqual([0, [], true]);
  });
}, 60_000);

const anything = { query: ['heron '], skip: 0, pageSize: 12, purpose: 'results' } as const;

test('without an index a search is told how far it is, and lists and names work meanwhile', async () => {
  await withArchive(async ({ index, database, searching }) => {
    renameSync(join(index.folder, 'current.json'), join(index.folder, 'away.json'));
    makeBuiltPercentNoter(database.pool)(17, 40);
    const refused = { code: 'index_not_ready', status: 503, retryAfterSeconds: 3 };
    await expect
      .poll(() => searching.answer(anything).catch((error: unknown) => error))
      .toMatchObject({ ...refused, message: 'Search is being prepared: 42% so far. Lists and videos still work.' });
    await expect(searching.facets(anything)).rejects.toMatchObject(refused);
    const { results } = await searching.answer({ ...anything, query: [] });
    expect(results).toHaveLength(12);
    // Its own lines could be read, but not that herons are looked for by heron.
    const inFilm = { videoId: results[0]?.video.id ?? '', query: 'herons' };
    await expect(searching.film(inFilm)).rejects.toMatchObject(refused);
    expect(await searching.suggestNames({ typed: 'film-1' })).not.toEqual([]);
    renameSync(join(index.folder, 'away.json'), join(index.folder, 'current.json'));
    expect((await searching.answer(anything)).results).toHaveLength(12);
    expect((await searching.film(inFilm)).matches).not.toEqual([]);
  });
}, 60_000);

test('who asks first after a start does not wait until the words are read', async () => {
  await withArchive(async ({ index, database: { pool } }) => {
    const searching = openSearch({ pool, index, budgetBytes: 1_000_000 });
    await prepareSearch(searching, { from: 1 });
    await pool.query('alter table vocabulary rename to put_away');
    expect((await searching.answer(anything)).results).toHaveLength(12);
    const unprepared = openSearch({ pool, index, budgetBytes: 1_000_000 });
    await prepareSearch(unprepared).catch(() => {});
    await expect(unprepared.answer(anything)).rejects.toThrow('vocabulary');
  });
});

test('an archive without an index is not prepared', async () => {
  await withArchive(async ({ index, searching }) => {
    renameSync(join(index.folder, 'current.json'), join(index.folder, 'away.json'));
    await expect(prepareSearch(searching, { from: 1 })).rejects.toMatchObject({ code: 'index_not_ready' });
  });
});
