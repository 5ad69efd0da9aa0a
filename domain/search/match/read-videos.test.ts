import { expect, test } from 'vitest';
import { addMadeVideo } from '#testing/add-made-videos.ts';
import { createTestDatabase } from '#testing/test-database.ts';
import { sql } from '../../db/sql.ts';
import { packMoments } from '../../moments/packed-moments.ts';
import { SearchCache } from '../search-cache.ts';
import { bodyBytes } from './known-body.ts';
import { readVideos } from './read-videos.ts';

const cacheOf = () => new SearchCache(1_000_000).of('body', bodyBytes);

test('a row that is known is not read again, until its video has changed or goes', async () => {
  const { pool, drop } = await createTestDatabase();
  const search = { pool, bodies: cacheOf() };
  try {
    const id = await addMadeVideo(pool, { id: 'a', title: 'A', lines: [{ start: 0, text: 'the first words' }] });
    const other = await addMadeVideo(pool, { id: 'b', title: 'B', lines: [{ start: 0, text: 'of another film' }] });
    const [before] = await readVideos(search, [id], { withWordStarts: true });
    const [again, beside] = await readVideos(search, [id, other]);
    expect(again?.body).toBe(before?.body);
    expect(beside?.body.text).toContain('of another film');

    const { body } = packMoments([
      { kind: 'Transcript', startMs: 0, endMs: 1, text: 'later words', source: 'catalogue', confidencePercent: 90 },
    ]);
    await pool.query(sql`update moments set body = ${body} where video_id = ${id}`);
    await pool.query(sql`update videos set revision = revision + 1 where id = ${id}`);
    const [, changed] = await readVideos(search, [other, id]);
    expect(changed?.body.text).toContain('later words');
    expect(changed?.body.text).not.toContain('first');

    await pool.query(sql`update videos set state = 'Quarantined' where id = ${id}`);
    expect(await readVideos(search, [id])).toEqual([]);
  } finally {
    await drop();
  }
});

test('whoever asks for the words’ own times gets them, also where the row is known without', async () => {
  const { pool, drop } = await createTestDatabase();
  const search = { pool, bodies: cacheOf() };
  try {
    const id = await addMadeVideo(pool, { id: 'a', title: 'A', lines: [{ start: 0, text: 'words' }] });
    const [without] = await readVideos(search, [id]);
    const [withStarts] = await readVideos(search, [id], { withWordStarts: true });
    expect(withStarts?.body).not.toBe(without?.body);
    expect((await readVideos(search, [id]))[0]?.body).toBe(withStarts?.body);
  } finally {
    await drop();
  }
});
