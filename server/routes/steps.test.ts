import { afterAll, beforeAll, expect, test } from 'vitest';
import { largerRenditionsStep, planSteps, recordProgress, startStep } from '#domain/videos/record-step.ts';
import { listSteps, readFilmAgain, registerSteps, runStepAgain } from '#domain/videos/steps.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { withJobs } from '../with-jobs.ts';

let server: TestServer;
let editor: Person;
let admin: Person;
beforeAll(async () => {
  server = await startTestServer();
  editor = await addPerson(server.context, { editor: true });
  admin = await addPerson(server.context, { admin: true });
  // What a worker of this archive can do, as it tells when it starts.
  await registerSteps(server.context.pool, [
    { name: 'probe', version: 2, class: 'playable', optional: false },
    { name: 'looking', version: 3, class: 'understood', optional: true },
  ]);
});
afterAll(() => server.stop());

test('an editor is told of every step, and has one run: it waits, and its job with it', async () => {
  const id = await addFilm(server.context);
  expect((await ask(editor, 'GET', `/api/videos/${id}/steps`)).json().steps).toMatchObject([
    { name: 'probe', class: 'playable', optional: false, state: 'waiting', version: 0, newestVersion: 2, percent: null, speed: null },
    { name: 'looking', class: 'understood', optional: true, state: 'waiting', version: 0, newestVersion: 3 },
  ]);
  expect((await ask(editor, 'POST', `/api/videos/${id}/steps/looking/run`)).statusCode).toBe(202);
  expect(await jobsOf(id)).toEqual(['understand-video']);
  expect((await ask(editor, 'POST', `/api/videos/${id}/steps/looking/skip`)).statusCode).toBe(204);
  const [, looking] = (await ask(editor, 'GET', `/api/videos/${id}/steps`)).json().steps;
  expect(looking).toMatchObject({ state: 'skipped', message: 'An editor skipped this step.' });
});

test.each([
  ['of a record without a film', `update videos set origin = 'catalogue' where id = $1`, 409, 'no video file'],
  ['of a deleted film', `update videos set state = 'Quarantined' where id = $1`, 404, 'no such video'],
  ['of a film that failed', `update videos set state = 'Failed' where id = $1`, 409, 'whole video again'],
  [
    'that a worker is at',
    `insert into ingest_steps (video_id, step, state) values ($1, 'looking', 'running')`,
    409,
    'already on this step',
  ],
])('a step %s is not run again, and no job comes of it', async (_, change, status, detail) => {
  const id = await addFilm(server.context);
  await server.context.pool.query(change, [id]);
  const before = await stepsOf(id);
  const answer = await ask(editor, 'POST', `/api/videos/${id}/steps/looking/run`);
  expect([answer.statusCode, answer.json().detail]).toEqual([status, expect.stringContaining(detail)]);
  const { pool } = server.context;
  // The page asks whether the film is there before; whoever deletes it may come between.
  const again = withJobs(server.context, (queue) => runStepAgain({ pool, queue }, { videoId: id, step: 'looking' }));
  await expect(again).rejects.toThrow(detail);
  expect([await jobsOf(id), await stepsOf(id)]).toEqual([[], before]);
});

test('a film that is read again is not encoded again', async () => {
  const id = await addFilm(server.context);
  const { pool } = server.context;
  await pool.query(`insert into ingest_steps (video_id, step, state) select $1, unnest($2::text[]), 'done'`, [
    id,
    ['looking', largerRenditionsStep],
  ]);
  const own = [{ name: largerRenditionsStep, version: 1, class: 'understood', optional: true }] as const;
  const before = await pool.query('select name, version, class, optional from steps order by position');
  await registerSteps(pool, [...before.rows, ...own]);
  await withJobs(server.context, (queue) => readFilmAgain({ pool, queue }, id));
  const { rows } = await pool.query('select step, state from ingest_steps where video_id = $1 order by step desc', [id]);
  expect(rows).toEqual([
    { step: 'looking', state: 'waiting' },
    { step: largerRenditionsStep, state: 'done' },
  ]);
  await registerSteps(pool, before.rows);
});

test('a step that no worker has come to yet is skipped, and left out when one comes', async () => {
  const id = await addFilm(server.context);
  const { pool } = server.context;
  expect((await ask(editor, 'POST', `/api/videos/${id}/steps/looking/skip`)).statusCode).toBe(204);
  await planSteps(pool, id, ['probe', 'looking']);
  expect(await stepStates(id)).toEqual(['waiting', 'skipped']);
  await pool.query(`update videos set origin = 'catalogue' where id = $1`, [id]);
  await pool.query('delete from ingest_steps where video_id = $1', [id]);
  expect((await ask(editor, 'POST', `/api/videos/${id}/steps/looking/skip`)).statusCode).toBe(409);
});

test('how fast a step is and when it will be done is told by what was done since it was begun', async () => {
  const id = await addFilm(server.context);
  const { pool } = server.context;
  await pool.query('update videos set duration_seconds = 1000 where id = $1', [id]);
  const at = async (stepPercent: number, keptPercent: number) => {
    await recordProgress(pool, id, { step: 'looking', stepPercent, keptPercent, videoPercent: 0 });
    await pool.query(`update ingest_steps set started_at = now() - interval '100 seconds' where video_id = $1`, [id]);
    const [, looking] = await listSteps(pool, id);
    return [looking?.percent, looking?.speed && Math.round(looking.speed), looking?.secondsLeft];
  };
  await startStep(pool, id, 'looking');
  expect(await at(60, 60)).toEqual([60, null, null]);
  expect(await at(70, 60)).toEqual([70, 1, 300]);
  expect(await at(70, 0)).toEqual([70, 7, 43]);
});

test.each(['done', 'running'])('a step that is %s is not skipped', async (state) => {
  const id = await addFilm(server.context);
  await server.context.pool.query(`insert into ingest_steps (video_id, step, state, message) values ($1, 'looking', $2, 'as it was')`, [
    id,
    state,
  ]);
  const before = await stepsOf(id);
  const answer = await ask(editor, 'POST', `/api/videos/${id}/steps/looking/skip`);
  expect([answer.statusCode, answer.json().detail]).toEqual([409, 'Only a waiting or failed step can be skipped.']);
  expect(await stepsOf(id)).toEqual(before);
});

test('another list of brands has every film looked through, behind whatever else is to be done', async () => {
  const { pool } = server.context;
  await pool.query('delete from videos');
  const ids = [await addFilm(server.context), await addFilm(server.context)];
  await pool.query(`insert into steps (name, position, version, class, optional) values ('brands', 9, 1, 'understood', true)`);
  const { version } = (await ask(editor, 'GET', '/api/brands')).json();
  const answer = await ask(editor, 'PUT', '/api/brands', { list: 'Acme', replaces: version });
  expect([answer.statusCode, answer.json()]).toEqual([202, expect.objectContaining({ films: 2 })]);
  const { rows } = await pool.query(
    `select data ->> 'videoId' as id, priority from jobs.job where data ->> 'videoId' = any ($1) order by 1`,
    [ids],
  );
  expect(rows).toEqual(ids.toSorted().map((id) => ({ id, priority: -1 })));
  await pool.query(`delete from steps where name = 'brands'`);
});

test.each([
  ['a step that the film cannot do without, left out', 'probe/skip', 409, 'cannot be skipped'],
  ['a step that is not running, cancelled', 'probe/cancel', 409, 'not running'],
  ['a step that nobody knows', 'dancing/run', 404, 'no such step'],
])('%s is refused in a sentence', async (_, path, status, detail) => {
  const id = await addFilm(server.context);
  const answer = await ask(editor, 'POST', `/api/videos/${id}/steps/${path}`);
  expect([answer.statusCode, answer.json().detail]).toEqual([status, expect.stringContaining(detail)]);
});

test('an administrator has a step done for all films below a version, and is told for how many', async () => {
  const { pool } = server.context;
  await pool.query('delete from videos');
  const [done, older, never] = [await addFilm(server.context), await addFilm(server.context), await addFilm(server.context)];
  await addFilm(server.context, { processed: false });
  await pool.query(
    `insert into ingest_steps (video_id, step, state, version) values ($1, 'looking', 'done', 3), ($2, 'looking', 'done', 2)`,
    [done, older],
  );
  const answer = await ask(admin, 'POST', '/api/steps/looking/run', { belowVersion: 3 });
  expect([answer.statusCode, answer.json()]).toEqual([202, { films: 2 }]);
  expect([await jobsOf(done), await jobsOf(older), await jobsOf(never)]).toEqual([[], ['understand-video'], ['understand-video']]);
  expect((await ask(admin, 'POST', '/api/steps/looking/run', { belowVersion: 0 })).statusCode).toBe(400);
});

test('of more films than are shown at once, those that failed come first, however old, then what is worked on, then the newest; more are shown when asked for', async () => {
  const { pool } = server.context;
  await pool.query('delete from videos');
  const ids: string[] = [];
  for (let n = 0; n < 34; n++) ids.push(await addFilm(server.context, { name: `Reel ${n}`, durationInSeconds: 2 }));
  await pool.query(`update videos set indexed_revision = revision`);
  const [lost, replaced, running, waiting, gone] = ids;
  await pool.query(`update videos set state = 'Failed', failure_message = 'No.' where id = $1`, [lost]);
  await pool.query(`update videos set state = 'Quarantined' where id = $1`, [gone]);
  await pool.query(
    `insert into ingest_steps (video_id, step, state) values ($1, 'looking', 'failed'), ($1, 'probe', 'done'), ($2, 'looking', 'running'),
      ($3, 'looking', 'waiting'), ($4, 'looking', 'done')`,
    [replaced, running, waiting, ids[10]],
  );
  const incoming = async (films = '') => (await ask(editor, 'GET', `/api/uploads${films}`)).json();
  const shown = ({ films }: { films: { id: string }[] }) => films.map(({ id }) => id);
  const inOrder = [replaced, lost, running, waiting, ...ids.slice(5).toReversed()];
  const first = await incoming();
  expect([shown(first), first.counts]).toEqual([inOrder.slice(0, 30), { films: 33, needAttention: 2, underWay: 2 }]);
  expect(shown(await incoming('?films=60'))).toEqual(inOrder);
  expect((await ask(editor, 'GET', '/api/uploads?films=100000')).statusCode).toBe(400);
});

async function stepsOf(id: string) {
  const { rows } = await server.context.pool.query('select step, state, message, ended_at from ingest_steps where video_id = $1', [id]);
  return rows;
}

function ask(person: Person, method: 'GET' | 'POST' | 'PUT', url: string, payload: object = {}) {
  const headers = { cookie: person.cookie, origin: 'http://localhost:80', host: 'localhost:80', 'content-type': 'application/json' };
  return server.app.inject({ method, url, headers, ...(method === 'GET' ? {} : { payload }) });
}

async function jobsOf(id: string): Promise<string[]> {
  const { rows } = await server.context.pool.query<{ name: string }>(
    `select name from jobs.job where data ->> 'videoId' = $1 and state = 'created'`,
    [id],
  );
  return rows.map(({ name }) => name);
}

async function stepStates(id: string): Promise<string[]> {
  return (await listSteps(server.context.pool, id)).map(({ state }) => state);
}
