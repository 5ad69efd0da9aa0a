import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Moment } from '#domain/moments/moment.ts';
import { type KnownEngine, registerEngines } from '#domain/videos/engines.ts';
import { modelQueue, noteLacking, noteModel, registerModels } from '#domain/videos/fetched-models.ts';
import { publishLayers } from '#domain/videos/recompose-video.ts';
import { findRoughSpeech } from '#domain/videos/rough-speech.ts';
import { registerSteps } from '#domain/videos/steps.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { pagesRead } from '#testing/pages-read.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';

let server: TestServer;
let admin: Person;
const ears: KnownEngine = {
  name: 'Ears',
  version: '2',
  step: 'listening',
  licence: null,
  source: 'a file',
  goodAt: 'Hearing.',
  models: ['ears.bin'],
  off: null,
};
const off = { ...ears, name: 'Old ears', version: '1', off: { reason: 'Ears goes before it.', whatToDo: 'Nothing.' } };
const model = { name: 'ears.en', bytes: 3_000_000_000, licence: 'MIT', source: 'a hub', goodAt: 'English.', isHere: false };
beforeAll(async () => {
  server = await startTestServer();
  admin = await addPerson(server.context, { admin: true });
  // What a worker of this archive has, as it tells when it starts.
  await registerSteps(server.context.pool, [{ name: 'listening', version: 3, class: 'understood', optional: true }]);
  await registerEngines(server.context.pool, [ears, off]);
  await registerModels(server.context.pool, [model]);
});
afterAll(() => server.stop());

test('each engine says what it is, why it is not used, and what it has read; the one in use reads again what others have read, and what none has', async () => {
  const { pool } = server.context;
  const films = [];
  for (let n = 0; n < 7; n++) films.push(await addFilm(server.context));
  const [newest, older, byOther, stepOlder, lacking, captioned, failed] = films;
  const result = (engine: string, engineVersion: string) => JSON.stringify({ engine, engineVersion });
  await pool.query(
    `insert into ingest_steps (video_id, step, state, version, result, lacks_engine) values
       ($1, 'listening', 'done', 3, '${result('Ears', '2')}', false), ($2, 'listening', 'done', 3, '${result('Ears', '1')}', false),
       ($3, 'listening', 'done', 3, '${result('Old ears', '1')}', false), ($4, 'listening', 'done', 2, '${result('Ears', '2')}', false),
       ($5, 'listening', 'skipped', 0, null, true), ($6, 'listening', 'skipped', 0, null, false),
       ($7, 'listening', 'failed', 3, null, false)`,
    films,
  );
  const never = await addFilm(server.context);
  const { engines } = (await ask('GET', '/api/engines')).json();
  expect(engines).toEqual([
    { ...ears, filmsRead: 3, filmsOlder: 3, filmsUnread: 3 },
    { ...off, filmsRead: 1, filmsOlder: 0, filmsUnread: 0 },
  ]);
  const answer = await ask('POST', '/api/engines/read-again', { engine: 'Ears' });
  expect([answer.statusCode, answer.json()]).toEqual([202, { films: 6 }]);
  const jobs = await pool.query(
    `select data ->> 'videoId' as id, priority from jobs.job where name = 'understand-video' order by data ->> 'videoId'`,
  );
  const expected = [older, byOther, stepOlder, lacking, failed, never].toSorted().map((id) => ({ id, priority: -1 }));
  expect(jobs.rows).toEqual(expected);
  expect([newest, captioned].some((id) => jobs.rows.some((job) => job.id === id))).toBe(false);
  // A statement for each film would keep a browser waiting for minutes where there are many.
  const { rows } = await pool.query(`select distinct xmin::text, cmin::text from jobs.job where name = 'understand-video'`);
  expect(rows).toHaveLength(1);
  for (const engine of ['Old ears', 'Nose']) expect((await ask('POST', '/api/engines/read-again', { engine })).statusCode).toBe(404);
});

test('the status says which engines there are without counting what each has read', async () => {
  const other = await server.context.pool.connect();
  // Whoever counts that compares versions with those of the steps.
  await other.query('begin; lock table steps in access exclusive mode');
  const asked = ask('GET', '/api/status');
  const answer = await Promise.race([asked, wait(10_000)]);
  await other.query('rollback');
  other.release();
  await asked;
  expect(answer?.json().engines).toMatchObject([{ name: 'Ears', off: null }, { name: 'Old ears' }]);
});

test('how many films have rough speech is told by the first letters of what was heard, however long the films are', async () => {
  const { pool } = server.context;
  const line = (isRough: boolean, n: number): Moment => ({
    kind: 'Transcript',
    source: 'machine',
    engine: 'ears',
    confidencePercent: 20,
    ...(isRough ? { isRough } : {}),
    startMs: n * 2_000,
    endMs: n * 2_000 + 1_000,
    text: `line ${n} ${'of many words '.repeat(10)}`,
  });
  for (let n = 0; n < 10; n++) {
    const moments = Array.from({ length: 2_000 }, (_, at) => line(n % 2 === 0, at));
    await publishLayers(pool, await addFilm(server.context), { madeBy: 'speech', version: 1, layers: [{ name: 'captions', moments }] });
  }
  const client = await pool.connect();
  const before = await pagesRead(client, 'layers', 'toast');
  expect((await findRoughSpeech(client)).films).toBe(5);
  expect((await pagesRead(client, 'layers', 'toast')) - before).toBeLessThan(10 * 10);
  client.release();
});

test('a model is fetched when an administrator asks for it, and once at a time', async () => {
  const { pool } = server.context;
  const state = async () => (await ask('GET', '/api/engines')).json().models;
  expect(await state()).toMatchObject([{ name: 'ears.en', bytes: 3_000_000_000, state: 'absent', fetchedBytes: 0 }]);
  expect((await ask('POST', '/api/models/ears.en/fetch')).statusCode).toBe(202);
  expect((await ask('POST', '/api/models/ears.en/fetch')).statusCode).toBe(409);
  expect((await ask('POST', '/api/models/nose/fetch')).statusCode).toBe(404);
  const jobs = await pool.query(`select data from jobs.job where name = 'fetch-model'`);
  expect(jobs.rows).toEqual([{ data: { model: 'ears.en' } }]);
  await noteModel(pool, 'ears.en', { state: 'failed', message: 'It has another checksum.' });
  expect(await state()).toMatchObject([{ state: 'failed', message: 'It has another checksum.' }]);
  expect((await ask('POST', '/api/models/ears.en/fetch')).statusCode).toBe(202);
  await noteModel(pool, 'ears.en', { state: 'here' });
  await noteModel(pool, 'ears.en', { state: 'fetching', fetchedBytes: 7 });
  expect(await state()).toMatchObject([{ state: 'here' }]);
  // A worker of another machine that starts without its file fetches it, and tells where that fails: the others have it still.
  await registerModels(pool, [model]);
  expect(await state()).toMatchObject([{ state: 'here' }]);
  await noteLacking(pool, 'ears.en', 'Its server answered 503.');
  expect(await state()).toMatchObject([{ state: 'here', message: 'Its server answered 503.' }]);
  await pool.query(`update models set state = 'absent'`);
});

test('a model is let go where there is something of it: a worker removes it, and what comes late of it changes nothing', async () => {
  const { pool } = server.context;
  const letGo = async (name: string) => (await ask('DELETE', `/api/models/${name}`)).statusCode;
  await pool.query('delete from jobs.job where name = $1', [modelQueue]);
  expect([await letGo('nose'), await letGo('ears.en')]).toEqual([404, 409]);
  for (const wanted of ['asked', 'fetching', 'here', 'failed']) {
    await pool.query('update models set state = $1, fetched_bytes = 7', [wanted]);
    expect(await letGo('ears.en')).toBe(202);
    expect(await noteModel(pool, 'ears.en', { state: 'here', fetchedBytes: 9 })).toBe(false);
    expect((await ask('GET', '/api/engines')).json().models).toMatchObject([{ state: 'absent', fetchedBytes: 0 }]);
  }
  const { rows } = await pool.query('select data from jobs.job where name = $1', [modelQueue]);
  expect(rows).toEqual(Array.from({ length: 4 }, () => ({ data: { model: 'ears.en', remove: 'yes' } })));
});

function ask(method: 'GET' | 'POST' | 'DELETE', url: string, payload: object = {}) {
  const headers = { cookie: admin.cookie, origin: 'http://localhost:80', host: 'localhost:80', 'content-type': 'application/json' };
  return server.app.inject({ method, url, headers, ...(method === 'GET' ? {} : { payload }) });
}
