import { expect, test } from 'vitest';
import { publishLayers } from '#domain/videos/recompose-video.ts';
import { createSearchableArchive } from '#testing/searchable-archive.ts';

const films = (from: number, count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `film-${from + n}`,
      { said: [`The heron ${'stands '.repeat(n % 4)}in the reeds ${from + n}.`] },
    ]),
  );

test.each([['heron '], ['']])('4.3 no video comes twice and none is missed while others are published: query "%s"', async (query) => {
  const archive = await createSearchableArchive(films(0, 60));
  try {
    const seen: string[] = [];
    let createdBefore: Date | undefined;
    for (let skip = 0, done = false, page = 0; !done; page++) {
      const answer = await archive.search(query, { skip, ...(createdBefore ? { createdBefore } : {}) });
      seen.push(...answer.results.map(({ video }) => video.externalId ?? ''));
      ({ skip, done } = answer.nextPage);
      createdBefore = answer.nextPage.createdBefore;
      await archive.publish(films(1_000 + page * 10, 5));
    }
    expect(seen.sort()).toEqual(Object.keys(films(0, 60)).sort());
  } finally {
    await archive.drop();
  }
});

test('the order goes on where it stopped when the server that began it is gone', async () => {
  const archive = await createSearchableArchive(films(0, 40));
  const { openArchiveSearch } = await import('../open-search.ts');
  const other = openArchiveSearch({ pool: archive.database.pool, indexFolder: archive.index.folder, budgetBytes: 2_000_000 });
  try {
    const first = await archive.search('heron ');
    await archive.publish(films(1_000, 5));
    const { createdBefore } = first.nextPage;
    const rest = await other.answer({ query: ['heron '], skip: 12, pageSize: 100, purpose: 'results', createdBefore });
    const ids = [...first.results, ...rest.results].map(({ video }) => video.externalId);
    expect(ids.sort()).toEqual(Object.keys(films(0, 40)).sort());
  } finally {
    other.close();
    await archive.drop();
  }
});

test('a page of words that must not be there is full, though some of its films have gone or say them since the index was made', async () => {
  const archive = await createSearchableArchive(films(0, 30));
  const { pool } = archive.database;
  try {
    const asked = 'heron -bittern ';
    const before = await archive.found(asked);
    const [gone, changed] = before;
    await pool.query(`update videos set state = 'Failed' where external_id = $1`, [gone]);
    const { rows } = await pool.query<{ id: string }>('select id from videos where external_id = $1', [changed]);
    const said = {
      kind: 'Transcript',
      startMs: 0,
      endMs: 900,
      text: 'A bittern, no heron.',
      source: 'editor',
      confidencePercent: 100,
    } as const;
    await publishLayers(pool, rows[0]?.id ?? '', { madeBy: 'captions', version: 1, layers: [{ name: 'captions', moments: [said] }] });
    const first = await archive.search(asked);
    const [shown, createdBefore] = [first.results.map(({ video }) => video.externalId ?? ''), first.nextPage.createdBefore];
    expect([shown.length, shown]).toEqual([12, expect.not.arrayContaining([gone, changed])]);
    const rest = await archive.found(asked, { skip: 12, pageSize: 100, createdBefore });
    expect([...shown, ...rest].sort()).toEqual(
      Object.keys(films(0, 30))
        .filter((name) => name !== gone && name !== changed)
        .sort(),
    );
  } finally {
    await archive.drop();
  }
});
