import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSearchableArchive } from '#testing/searchable-archive.ts';
import { checkIndex } from './check/check-index.ts';
import { catchUpIndex } from './keep-index.ts';
import { mergeRecent, shouldMerge } from './merge-recent.ts';

test.each([
  ['a small archive keeps them', { mainRows: 5_000, recentRows: 9_000 }, { idle: false, busy: false }],
  ['a small archive takes them in', { mainRows: 5_000, recentRows: 11_000 }, { idle: true, busy: true }],
  ['a larger one keeps few of them', { mainRows: 1_000_000, recentRows: 15_000 }, { idle: false, busy: false }],
  ['a larger one takes more of them in when there is time', { mainRows: 1_000_000, recentRows: 25_000 }, { idle: true, busy: false }],
  ['no archive keeps more than fit in memory', { mainRows: 10_000_000, recentRows: 101_000 }, { idle: true, busy: true }],
])('recent rows join the main ones when they are many for the archive: %s', (_, rows, expected) => {
  const state = {
    format: 0,
    generation: '',
    batch: 0,
    recent: 0,
    parts: [],
    versions: {},
    rowWords: { bytes: 0, rows: 0 },
    files: null,
    ...rows,
  };
  expect({ idle: shouldMerge({ state }, { idle: true }), busy: shouldMerge({ state }, { idle: false }) }).toEqual(expected);
});

test('films are found as they are, and those that left are not, however often recent rows have joined the main ones; parts stay few', async () => {
  const archive = await createSearchableArchive();
  const { pool } = archive.database;
  const merge = async () => await mergeRecent(await catchUpIndex(pool, archive.copy));
  try {
    const names: string[] = [];
    for (let round = 0; round < 12; round++) {
      const fresh = Array.from({ length: 4 }, (_, n) => `round-${round}-${n}`);
      await archive.publish(Object.fromEntries(fresh.map((name) => [name, `The heron of ${name} stands.`])));
      names.push(...fresh);
      const left = names.splice(Math.floor(names.length / 3), 1);
      const changed = names[Math.floor(names.length / 2)];
      await pool.query('delete from videos where external_id = any($1)', [left]);
      await pool.query(
        `update moments set body = convert_to(replace(convert_from(body, 'UTF8'), 'heron', 'curlew'), 'UTF8')
         where video_id = (select id from videos where external_id = $1)`,
        [changed],
      );
      await pool.query('update videos set revision = revision + 1 where external_id = $1', [changed]);
      const { state } = await merge();
      expect(state.parts.length).toBeLessThanOrEqual(5);
      const files = readdirSync(join(archive.copy.folder, state.generation)).filter((name) => name.startsWith('part-'));
      expect(files.length).toBeLessThanOrEqual(state.parts.length + 5);
      // Of the index itself: whatever asks it leaves out what the database does not have.
      const { rows } = await pool.query<{ id: string }>('select id from videos order by id');
      const asked = { words: ['stands', 'of'], others: [], phrases: [], limit: 1_000 };
      const found = await archive.index.find('passages', asked);
      expect(found.map(({ video }) => video).sort()).toEqual(rows.map(({ id }) => id));
      expect(await archive.found('"of round" curlew', { pageSize: 100 })).toContain(changed);
    }
    expect((await checkIndex(pool, archive.copy.folder)).check).toMatchObject({ missing: 0, twice: 0, foreign: 0, wrong: 0, waiting: 0 });
  } finally {
    await archive.drop();
  }
});
