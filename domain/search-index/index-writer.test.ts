import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { partPathIn, readIndexState, rowWordsPathIn } from '#domain/files/index-state.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import { checkIndex } from './check/check-index.ts';
import { findIndexRemovals, recordIndexed } from './find-videos-to-index.ts';
import { type IndexWriter, openIndexWriter } from './index-writer.ts';
import { catchUpIndex } from './keep-index.ts';
import { openSearchIndex } from './search-index.ts';

/** What a writer that was killed leaves, made by hand. */
const leftovers: [string, (writer: IndexWriter) => Promise<void>][] = [
  ['the old rows of a change gone', async ({ connection }) => void (await (await connection.openTable('passages')).delete('true'))],
  ['the new rows of a change there', async ({ connection }) => await addStranger(connection, 'passages')],
  ['a table begun', async ({ connection }) => void (await connection.createTable('recent-0-heads', await someRows(connection, 'heads')))],
  [
    'half of a merge done',
    async ({ connection }) => void (await (await connection.openTable('heads')).add(await someRows(connection, 'heads'))),
  ],
  [
    'a table half dropped',
    async ({ copy: { folder }, state }) =>
      void mkdirSync(join(folder, state.generation, 'recent-7-heads.lance', 'data'), { recursive: true }),
  ],
  [
    'a generation half built',
    async ({ copy: { folder } }) => void mkdirSync(join(folder, 'g-00000000', 'passages.lance'), { recursive: true }),
  ],
  ['the sizes of files forgotten', async ({ copy: { folder }, state }) => rmSync(join(folder, state.generation, 'files.json'))],
  ['words of rows that no table has', async ({ copy: { folder }, state }) => appendFileSync(rowWordsPathIn(folder, state), 'half a row')],
  ['a part half written', async ({ copy: { folder }, state }) => writeFileSync(partPathIn(folder, state, 1), 'half a part')],
  ['the readers without a state', async ({ copy: { folder } }) => rmSync(join(folder, 'current.json'))],
];

test.each(leftovers)('a writer killed with %s: the next one goes on from what counts', async (_, leave) => {
  await withArchive(async (archive) => {
    const { pool } = archive.database;
    const { folder } = archive.index;
    const before = await openWriter(archive);
    await leave(before);
    const after = await openWriter(archive);
    expect(after.state.generation).toBe(before.state.generation);
    expect(await readIndexState(folder)).toEqual(after.state);
    expect(readdirSync(folder).toSorted()).toEqual(['current.json', after.state.generation]);
    expect(readdirSync(join(folder, after.state.generation)).toSorted()).toEqual([
      'files.json',
      'heads.lance',
      'part-0.bin',
      'passages.lance',
      'row-words.bin',
    ]);
    await pool.query("update moments set body = convert_to(replace(convert_from(body, 'UTF8'), 'bittern', 'curlew'), 'UTF8')");
    await pool.query("update videos set revision = revision + 1 where name = 'two'");
    await catchUpIndex(pool, archive.copy);
    expect([await archive.found('"heron"'), await archive.found('"curlew"'), await archive.found('"bittern"')]).toEqual([
      ['one'],
      ['two'],
      [],
    ]);
    const { check } = await checkIndex(pool, folder);
    expect(check).toMatchObject({ videos: 2, passages: 2, waiting: 0, missing: 0, twice: 0, foreign: 0, wrong: 0, wordCountsWrong: 0 });
  });
});

test('searches answer by the state that counts while a change is under way', async () => {
  await withArchive(async (archive) => {
    const { connection } = await openWriter(archive);
    await (await connection.openTable('passages')).delete('true');
    expect(await archive.found('"heron"')).toEqual(['one']);
    // A server that starts at this moment.
    const other = openSearchIndex(archive.index.folder, { cacheBytes: 10_000_000 });
    expect(await other.find('passages', { words: ['heron'], others: [], phrases: [], limit: 10 })).toHaveLength(1);
    other.close();
  });
});

test('a video that leaves, comes back and leaves again within one batch is found no more', async () => {
  await withArchive(async (archive) => {
    const { pool } = archive.database;
    const before = await readIndexState(archive.index.folder);
    const { rows } = await pool.query<{ id: string }>("select id from videos where name = 'one'");
    const id = rows[0]?.id ?? '';
    const setState = (state: string) => pool.query('update videos set state = $2 where id = $1', [id, state]);
    await setState('Quarantined');
    const removed = await findIndexRemovals(pool, { limit: 10 });
    await setState('Processed');
    await setState('Quarantined');
    await recordIndexed(pool, { videos: [{ id, revision: 1 }], removed });
    await catchUpIndex(pool, archive.copy);
    expect(await archive.found('"heron"')).toEqual([]);
    // By the next batch, not by building everything anew.
    expect((await readIndexState(archive.index.folder))?.generation).toBe(before?.generation);
    expect((await checkIndex(pool, archive.index.folder)).check).toMatchObject({ videos: 1, waiting: 0, foreign: 0, wordCountsWrong: 0 });
  });
});

async function withArchive(work: (archive: SearchableArchive) => Promise<void>): Promise<void> {
  const archive = await createSearchableArchive({ one: 'The heron stands.', two: 'A bittern booms.' });
  try {
    await work(archive);
  } finally {
    await archive.drop();
  }
}

async function openWriter({ database, copy }: SearchableArchive): Promise<IndexWriter> {
  const writer = await openIndexWriter(database.pool, copy);
  if (!writer) throw new Error('the index cannot be opened');
  return writer;
}

type Connection = IndexWriter['connection'];

async function someRows(connection: Connection, table: string): Promise<Record<string, unknown>[]> {
  const rows = (await (await connection.openTable(table)).query().toArrow()).toArray();
  return rows.map((row) => ({ ...row?.toJSON() }));
}

async function addStranger(connection: Connection, table: string): Promise<void> {
  const rows = await someRows(connection, table);
  await (await connection.openTable(table)).add(rows.map((row) => ({ ...row, text: 'a heron and a stranger' })));
}
