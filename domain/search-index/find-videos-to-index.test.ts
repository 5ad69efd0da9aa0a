import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMadeVideos } from '#testing/add-made-videos.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import type { Db } from '../db/database.ts';
import { findVideosAfter, findVideosToIndex } from './find-videos-to-index.ts';

const videos = Array.from({ length: 400 }, (_, n) => ({
  id: `made-${n}`,
  title: `Tape ${n}`,
  durationSeconds: 60,
  lines: [{ start: 1, end: 2, text: `The harbour on day ${n}.` }],
}));
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addMadeVideos(database.pool, videos, () => {});
});
afterAll(() => database.drop());

test.each([
  ['in order of their ids', (db: Db, limit: number) => findVideosAfter(db, { afterId: '8', limit })],
  ['that the index lacks', (db: Db, limit: number) => findVideosToIndex(db, { limit })],
])('a batch of videos %s reads the moments of these and of no others, however large the archive', async (_, find) => {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    const read = async () =>
      (
        await client.query(
          `select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables where relname = 'moments'`,
        )
      ).rows[0]?.rows;
    const before = await read();
    const found = await find(client, 20);
    expect(found.map(({ body }) => body.includes('harbour'))).toEqual(Array(20).fill(true));
    expect((await read()) - before).toBeLessThanOrEqual(20);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
