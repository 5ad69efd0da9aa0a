import { readFileSync, writeFileSync } from 'node:fs';
import type { Connection } from '@lancedb/lancedb';
import { expect, test } from 'vitest';
import { readIndexState, rowWordsPathIn } from '#domain/files/index-state.ts';
import { CatalogueRecord } from '#domain/videos/catalogue-record.ts';
import { createCatalogueVideos } from '#domain/videos/create-video.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import { until } from '#testing/until.ts';
import { commitTables, openIndexWriter } from '../index-writer.ts';
import { catchUpIndex } from '../keep-index.ts';
import { cleanIndex, mergeRecent, shouldRebuild } from '../merge-recent.ts';
import { rebuildIndex } from '../rebuild-index.ts';
import { filmMark } from '../word-code.ts';
import { checkIndex } from './check-index.ts';

const films = { one: 'The heron stands.', two: 'A bittern booms.', three: 'The heron stands.' };
const passages = 'passages';
const sound = { missing: 0, twice: 0, foreign: 0, wrong: 0, mislaid: 0, wordCountsWrong: 0 };

async function withArchive(work: (archive: SearchableArchive) => Promise<void>): Promise<void> {
  const archive = await createSearchableArchive(films);
  try {
    await work(archive);
  } finally {
    await archive.drop();
  }
}

async function look({ database, index }: SearchableArchive) {
  return (await checkIndex(database.pool, index.folder)).check;
}

/** Changes tables behind the archive's back, and lets that count. */
async function damage({ database, copy }: SearchableArchive, work: (connection: Connection) => Promise<void>): Promise<void> {
  const writer = await openIndexWriter(database.pool, copy);
  if (!writer) throw new Error('the index cannot be opened');
  await work(writer.connection);
  await commitTables(writer);
}

/** A row as it stands in the table, to be put there again. */
async function firstRow(connection: Connection): Promise<Record<string, unknown>> {
  const [row] = (await (await connection.openTable(passages)).query().limit(1).toArrow()).toArray();
  return { ...row?.toJSON() };
}

test('an archive in which videos came, changed, went and came back agrees with its index', async () => {
  await withArchive(async (archive) => {
    const { pool } = archive.database;
    await pool.query("update moments set body = convert_to(replace(convert_from(body, 'UTF8'), 'bittern', 'curlew'), 'UTF8')");
    await pool.query("update videos set revision = revision + 1 where name = 'two'");
    await pool.query("delete from videos where name = 'three'");
    await archive.publish({ four: 'A heron, again.' });
    expect(await look(archive)).toMatchObject({ videos: 3, passages: 3, waiting: 0, ...sound });
    await rebuildIndex(pool, archive.copy);
    expect(await look(archive)).toMatchObject({ videos: 3, passages: 3, waiting: 0, ...sound });
  });
});

test('what came last joins the rest of the index, and nothing is lost or doubled by it', async () => {
  await withArchive(async (archive) => {
    await archive.publish({ four: 'A heron, again.', five: 'An owl.' });
    const writer = await openIndexWriter(archive.database.pool, archive.copy);
    if (!writer) throw new Error('the index cannot be opened');
    expect([writer.state.mainRows, writer.state.recentRows]).toEqual([3, 2]);
    const { state } = await cleanIndex(await mergeRecent(writer));
    expect([state.mainRows, state.recentRows]).toEqual([5, 0]);
    expect(await look(archive)).toMatchObject({ videos: 5, passages: 5, waiting: 0, ...sound });
    expect((await archive.found('"heron"')).toSorted()).toEqual(['four', 'one', 'three']);
  });
});

test('films that change again and again leave words behind, until the index is built anew', async () => {
  await withArchive(async (archive) => {
    const { pool } = archive.database;
    const written: number[] = [];
    for (let change = 0; change < 3; change++) {
      await pool.query('update videos set revision = revision + 1');
      const { state } = await catchUpIndex(pool, archive.copy);
      written.push(state.rowWords.rows);
      expect(state.mainRows + state.recentRows).toBe(3);
    }
    expect(written).toEqual([6, 9, 12]);
    expect((await rebuildIndex(pool, archive.copy)).state.rowWords.rows).toBe(3);
    expect(await look(archive)).toMatchObject({ videos: 3, passages: 3, waiting: 0, ...sound });
  });
});

test.each([
  ['a new archive', { rows: 1_000, mainRows: 1_000, recentRows: 0 }, false],
  ['a small one that changed ten times', { rows: 10_000, mainRows: 1_000, recentRows: 0 }, false],
  ['a large one of which half changed', { rows: 1_500_000, mainRows: 900_000, recentRows: 100_000 }, false],
  ['a large one that changed more than once', { rows: 2_100_000, mainRows: 900_000, recentRows: 100_000 }, true],
  ['one from which nearly everything was deleted', { rows: 1_000_000, mainRows: 1_000, recentRows: 0 }, true],
])('%s: whether its index is worth building anew', (_, { rows, ...counts }, isWorthIt) => {
  const state = {
    format: 3,
    generation: 'g',
    batch: 1,
    recent: 0,
    parts: [],
    versions: {},
    rowWords: { bytes: 0, rows },
    files: null,
    ...counts,
  };
  expect(shouldRebuild({ state })).toBe(isWorthIt);
});

test('what the index has yet to take in or to let go is waiting and no fault', async () => {
  await withArchive(async (archive) => {
    const { pool } = archive.database;
    await createCatalogueVideos(pool, [
      CatalogueRecord.parse({ id: 'five', title: 'five', lines: [{ start: 1, end: 2, text: 'An owl.' }] }),
    ]);
    await pool.query("update moments set body = convert_to(replace(convert_from(body, 'UTF8'), 'bittern', 'curlew'), 'UTF8')");
    await pool.query("update videos set revision = revision + 1 where name = 'two'");
    await pool.query("delete from videos where name = 'three'");
    await pool.query("update videos set state = 'Quarantined' where name = 'one'");
    expect(await look(archive)).toMatchObject({ videos: 2, passages: 3, waiting: 4, ...sound });
  });
});

test.each<[string, (connection: Connection) => Promise<unknown>, Partial<typeof sound>]>([
  [
    'a row that is not there',
    async (index) => (await index.openTable(passages)).delete("text like '%bittern%'"),
    { missing: 1, mislaid: 1, wordCountsWrong: 3 },
  ],
  ['a row that is there twice', async (index) => (await index.openTable(passages)).add([await firstRow(index)]), { twice: 1, mislaid: 1 }],
  [
    'a row of a video that the archive does not hold',
    async (index) => (await index.openTable(passages)).add([{ ...(await firstRow(index)), video: '0123456789', text: 'stranger' }]),
    { foreign: 1, mislaid: 1, wordCountsWrong: 1 },
  ],
  [
    'a row with another text',
    async (index) => (await index.openTable(passages)).update({ where: "text like '%bittern%'", values: { text: 'a bittern groans' } }),
    { wrong: 1, wordCountsWrong: 2 },
  ],
  [
    'a head that is not there',
    async (index) => (await index.openTable('heads')).delete("text like 'two%'"),
    { missing: 1, mislaid: 1, wordCountsWrong: 1 },
  ],
])('%s is found', async (_, harm, faults) => {
  await withArchive(async (archive) => {
    await damage(archive, async (connection) => void (await harm(connection)));
    expect(await look(archive)).toMatchObject({ videos: 3, ...sound, ...faults });
  });
});

test('a row whose words are not at its offset is found', async () => {
  await withArchive(async (archive) => {
    const harm = async (connection: Connection) => {
      await (await connection.openTable(passages)).update({ where: "text like '%bittern%'", values: { offset: '4' } });
    };
    await damage(archive, harm);
    expect(await look(archive)).toMatchObject({ ...sound, wrong: 1, mislaid: 1 });
  });
});

test('a film whose record says something else than its row is found', async () => {
  await withArchive(async (archive) => {
    const state = await readIndexState(archive.index.folder);
    if (!state) throw new Error('There is no index.');
    const path = rowWordsPathIn(archive.index.folder, state);
    const codes = readFileSync(path);
    // The revision of the first film.
    const mark = codes.indexOf(Uint8Array.from([filmMark, 0, 0, 0]));
    writeFileSync(path, codes.fill(9, mark + 20, mark + 24));
    expect(await look(archive)).toMatchObject({ ...sound, wrong: 1 });
  });
});

test('a word that is counted once too often is found', async () => {
  await withArchive(async (archive) => {
    await archive.database.pool.query("update vocabulary set video_count = video_count + 1 where term = 'heron'");
    await archive.database.pool.query("insert into vocabulary (term, video_count) values ('ghost', 1)");
    expect(await look(archive)).toMatchObject({ ...sound, wordCountsWrong: 2 });
  });
});

test('an index whose tables are gone lacks every row', async () => {
  await withArchive(async (archive) => {
    const writer = await openIndexWriter(archive.database.pool, archive.copy);
    await writer?.connection.dropTable(passages);
    expect(await look(archive)).toMatchObject({ videos: 3, passages: 0, words: 0, missing: 6 });
  });
});

test('the comparison is of one moment while videos come and go', async () => {
  await withArchive(async (archive) => {
    let isOver = false;
    let written = 0;
    const writing = (async () => {
      for (let n = 0; !isOver; n++) {
        await archive.publish({ [`film-${n}`]: `The wagtail number ${n}.` });
        if (n % 3 === 0) await archive.database.pool.query('delete from videos where external_id = $1', [`film-${n - 1}`]);
        written++;
      }
    })();
    try {
      await until(() => written > 0);
      for (let n = 0; n < 5; n++) expect(await look(archive)).toMatchObject(sound);
    } finally {
      isOver = true;
      await writing;
    }
    expect(written).toBeGreaterThan(1);
  });
});
