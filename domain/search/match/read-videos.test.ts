import { expect, test } from 'vitest';
import { addMadeVideo } from '#testing/add-made-videos.ts';
import { createTestDatabase } from '#testing/test-database.ts';
import { sql } from '../../db/sql.ts';
import { packMoments } from '../../moments/packed-moments.ts';
import { foldBody } from './folded-body.ts';
import { KnownBodies } from './known-bodies.ts';
import { readVideos } from './read-videos.ts';

test('a row that is known is not read again, until its video has changed or goes', async () => {
  const { pool, drop } = await createTestDatabase();
  try {
    const id = await addMadeVideo(pool, { id: 'a', title: 'A', lines: [{ start: 0, text: 'the first words' }] });
    const other = await addMadeVideo(pool, { id: 'b', title: 'B', lines: [{ start: 0, text: 'of another film' }] });
    const [before] = await readVideos(pool, [id], { withWordStarts: true });
    const [again, beside] = await readVideos(pool, [id, other]);
    expect(again?.body).toBe(before?.body);
    expect(beside?.body.text).toContain('of another film');

    const { body } = packMoments([
      { kind: 'Transcript', startMs: 0, endMs: 1, text: 'later words', source: 'catalogue', confidencePercent: 90 },
    ]);
    await pool.query(sql`update moments set body = ${body} where video_id = ${id}`);
    await pool.query(sql`update videos set revision = revision + 1 where id = ${id}`);
    const [, changed] = await readVideos(pool, [other, id]);
    expect(changed?.body.text).toContain('later words');
    expect(changed?.body.text).not.toContain('first');

    await pool.query(sql`update videos set state = 'Quarantined' where id = ${id}`);
    expect(await readVideos(pool, [id])).toEqual([]);
  } finally {
    await drop();
  }
});

test('whoever asks for the words’ own times gets them, also where the row is known without', async () => {
  const { pool, drop } = await createTestDatabase();
  try {
    const id = await addMadeVideo(pool, { id: 'a', title: 'A', lines: [{ start: 0, text: 'words' }] });
    const [without] = await readVideos(pool, [id]);
    const [withStarts] = await readVideos(pool, [id], { withWordStarts: true });
    expect(withStarts?.body).not.toBe(without?.body);
    expect((await readVideos(pool, [id]))[0]?.body).toBe(withStarts?.body);
  } finally {
    await drop();
  }
});

test('what was used longest ago makes room', () => {
  const bodies = new KnownBodies(60);
  const row = (text: string) => ({ revision: 1, hasWordStarts: false, body: foldBody(text.padEnd(12, '.')) });
  bodies.keep('a', row('a'));
  bodies.keep('b', row('b'));
  bodies.find('a');
  bodies.keep('c', row('c'));
  expect(['a', 'b', 'c'].filter((id) => bodies.find(id))).toEqual(['a', 'c']);
  bodies.keep('c', row('other'));
  expect(bodies.find('a')).toBeDefined();
  expect(bodies.find('c')?.body.packed).toContain('other');
});
