import { expect, onTestFinished, test } from 'vitest';
import { createSearchableArchive } from '#testing/searchable-archive.ts';
import { until } from '#testing/until.ts';
import { rebuildIndex } from '../../search-index/rebuild-index.ts';
import { openVocabulary } from './load-vocabulary.ts';

test('a word that went while the index was built anew is no word of the archive any more', async () => {
  const archive = await createSearchableArchive({ gone: 'A xylophone plays.', stays: 'A zither plays.' });
  onTestFinished(() => archive.drop());
  const { index, copy, database } = archive;
  const vocabulary = openVocabulary(database.pool, index);
  // A word that occurs nowhere waits for the latest.
  const count = async (word: string) => (await vocabulary.for(['nowhere'])).count(word);
  expect([await count('xylophone'), await count('zither')]).toEqual([1, 1]);
  await database.pool.query(`delete from videos where external_id = 'gone'`);
  const { state } = await rebuildIndex(database.pool, copy);
  await until(async () => (await index.batch()) === state.batch);
  expect([await count('xylophone'), await count('zither')]).toEqual([0, 1]);
});
