import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSearchableArchive } from '#testing/searchable-archive.ts';
import { until } from '#testing/until.ts';
import { readIndexState } from '../files/index-state.ts';
import { CatalogueRecord } from '../videos/catalogue-record.ts';
import { createCatalogueVideos } from '../videos/create-video.ts';
import { addRows, connectIndex, indexTable, openTable, openTableCache } from './index-tables.ts';
import { catchUpIndex } from './keep-index.ts';
import { closeTables, HeldWords, openTables } from './open-tables.ts';

const row = { video: '0123456789', kind: 'Head', createdMs: 0, publishedMs: 0 };

test('a table is asked for the words that it holds and for phrases of them, and for everything until its words are read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rushes-held-'));
  const connection = await connectIndex(folder, 'one');
  const texts = ['harbour lights\ntitle:harbour', 'night tram'];
  const rows = texts.map((text, offset) => ({ ...row, text, offset }));
  await addRows(connection, { name: 'heads', rows });
  const table = await openTable(connection, 'heads');
  if (!table) throw new Error('no table');
  const held = new HeldWords();
  const asked = {
    words: ['harbour', 'crane'],
    others: ['tram', 'title:harbour', 'title:tram'],
    phrases: [
      ['night', 'tram'],
      ['night', 'bus'],
    ],
    limit: 1,
  };
  expect(held.heldOf(table, asked)).toEqual(asked);
  await until(() => Promise.resolve(held.heldOf(table, asked).words.length === 1));
  expect(held.heldOf(table, asked)).toEqual({
    words: ['harbour'],
    others: ['tram', 'title:harbour'],
    phrases: [['night', 'tram']],
    limit: 1,
  });
  table.close();
  connection.close();
  rmSync(folder, { recursive: true });
});

test('what searches keep of the tables is counted in their cache, has its bound, and holds words one by one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rushes-cache-'));
  const cacheBytes = 600_000;
  const cache = openTableCache(cacheBytes);
  const connection = await connectIndex(folder, 'one', cache);
  const wordsOf = (n: number) => Array.from({ length: 8 }, (_, m) => `w${(n * 7 + m * m) % 900}`).join(' ');
  const rows = Array.from({ length: 30_000 }, (_, n) => ({ ...row, text: `harbour tram ${wordsOf(n)}`, offset: n }));
  await addRows(connection, { name: 'passages', rows });
  await indexTable(connection, 'passages');
  const table = await openTable(connection, 'passages');
  const ask = (word: string) =>
    table
      ?.query()
      .fullTextSearch(word, { columns: ['text'] })
      .select(['_score'])
      .limit(1)
      .toArrow();
  const keptAfter = async (word: string) => {
    await ask(word);
    return Number(cache.sizeBytes());
  };
  const first = await keptAfter('w1');
  const rare = (await keptAfter('w2')) - first;
  const common = (await keptAfter('harbour')) - first - rare;
  // A rare word brings in its own rows alone: a common one has far more.
  expect(rare).toBeGreaterThan(0);
  expect(common).toBeGreaterThan(5 * rare);
  expect(await keptAfter('harbour')).toBe(first + rare + common);
  for (let n = 3; n < 900; n++) await ask(`w${n}`);
  expect(Number(cache.sizeBytes())).toBeLessThan(1.5 * cacheBytes);
  table?.close();
  connection.close();
  rmSync(folder, { recursive: true });
});

test('what was read of the tables stays read after a batch, and has room for the rows of all of them however little may be kept', async () => {
  const archive = await createSearchableArchive({ heron: 'The heron stands.' });
  const { folder } = archive.index;
  const stateNow = async () => (await readIndexState(folder)) ?? expect.fail('There is no index.');
  const state = await stateNow();
  const first = await openTables(folder, state, { cacheBytes: 1 });
  expect([state.mainRows > 0, first.cacheBytes]).toEqual([true, 40 * state.mainRows]);
  const film = CatalogueRecord.parse({ id: 'quail', title: 'Quail', lines: [{ start: 1, end: 2, text: 'A quail.' }] });
  await createCatalogueVideos(archive.database.pool, [film]);
  await catchUpIndex(archive.database.pool, archive.copy);
  const later = await stateNow();
  expect(later.batch).toBeGreaterThan(state.batch);
  const second = await openTables(folder, later, { before: first, cacheBytes: 1 });
  expect(second.cache).toBe(first.cache);
  const grown = await openTables(folder, { ...later, mainRows: 2 * state.mainRows }, { before: second, cacheBytes: 1 });
  expect([grown.cache === first.cache, grown.cacheBytes]).toEqual([false, 80 * state.mainRows]);
  closeTables(grown);
  await archive.drop();
});
