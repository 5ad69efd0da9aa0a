import { afterEach, beforeEach, expect, test } from 'vitest';
import { addMadeVideo } from '#testing/add-made-videos.ts';
import { pagesRead } from '#testing/pages-read.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { sql } from '../db/sql.ts';
import { countFailedSteps, findHeld } from './counts.ts';
import { publishLayers } from './recompose-video.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const line = { start: 1, end: 2, text: 'hello there' };

test('an archive holds what its published films say, show and name', async () => {
  const { pool } = database;
  expect(await findHeld(pool)).toEqual([]);
  await addMadeVideo(pool, { id: 'said', title: 'Harbour', durationSeconds: 60, lines: [line] });
  expect(await findHeld(pool)).toEqual(['said']);
  await addMadeVideo(pool, { id: 'seen', title: 'Pier', durationSeconds: 60, people: ['Ann'], labels: ['sea'], ocr: [line] });
  expect(await findHeld(pool)).toEqual(['said', 'written', 'people', 'labels']);
  await pool.query(sql`update videos set state = 'Failed' where external_id = 'said'`);
  expect(await findHeld(pool)).toEqual(['written', 'people', 'labels']);
});

test('what is kept back is promised to nobody', async () => {
  const { pool } = database;
  const id = await addMadeVideo(pool, { id: 'kept', title: 'Harbour', durationSeconds: 60, lines: [line] });
  await addMadeVideo(pool, { id: 'shown', title: 'Pier', durationSeconds: 60, labels: ['sea'] });
  const keep = (shownTo: string, until: string | null) =>
    pool.query(sql`
      insert into film_visibility (video_id, shown_to, until, reason, set_by) values (${id}, ${shownTo}, ${until}::timestamptz, '', '')
      on conflict (video_id) do update set shown_to = ${shownTo}, until = ${until}::timestamptz`);
  for (const [shownTo, until] of [
    ['viewers', null],
    ['editors', null],
    ['editors', '2999-01-01'],
  ] as const) {
    await keep(shownTo, until);
    expect(await findHeld(pool)).toEqual(['labels']);
  }
  await keep('editors', '2001-01-01');
  expect(await findHeld(pool)).toEqual(['said', 'labels']);
});

test('what was looked for and not found is not held', async () => {
  const { pool } = database;
  const id = await addMadeVideo(pool, { id: 'silent', title: 'Silent', durationSeconds: 60 });
  const nothing = [
    { name: 'captions', moments: [] },
    { name: 'text', moments: [] },
    { name: 'people', names: [], moments: [] },
    { name: 'labels', names: [], moments: [] },
  ] as const;
  await publishLayers(pool, id, { madeBy: 'a step', version: 1, layers: nothing });
  expect(await findHeld(pool)).toEqual([]);
  await publishLayers(pool, id, { madeBy: 'a step', version: 2, layers: [{ name: 'people', names: ['Ann'], moments: [] }] });
  expect(await findHeld(pool)).toEqual(['people']);
});

test('steps that came to nothing with films that play are counted without going through those that are done', async () => {
  const { pool } = database;
  const [one, two, gone] = await Promise.all(
    ['one', 'two', 'gone'].map((id) => addMadeVideo(pool, { id, title: id, durationSeconds: 60, lines: [line] })),
  );
  await pool.query(sql`update videos set state = 'Quarantined' where id = ${gone}`);
  await pool.query(sql`
    insert into ingest_steps (video_id, step, state, attempts)
    select ${one}, 'step ' || n, 'done', 1 from generate_series(1, 20000) as n union all
    values (${one}, 'speech', 'failed', 3), (${two}, 'speech', 'failed', 3), (${two}, 'text', 'failed', 4),
           (${two}, 'shots', 'failed', 2), (${gone}, 'speech', 'failed', 3)`);
  await pool.query('vacuum analyze ingest_steps');
  const client = await pool.connect();
  const before = await pagesRead(client, 'ingest_steps', 'heap');
  const failed = await countFailedSteps(client);
  const read = (await pagesRead(client, 'ingest_steps', 'heap')) - before;
  client.release();
  expect(failed).toEqual([
    { step: 'speech', films: 2 },
    { step: 'text', films: 1 },
  ]);
  expect(read).toBeLessThan(20);
});
