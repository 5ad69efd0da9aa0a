import cookie from '@fastify/cookie';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '#contract/endpoints.ts';
import { routes } from '#contract/routes.ts';
import { AccessCheck } from '#contract/status.ts';
import { whileChecking } from '#domain/status/canary.ts';
import { keepTelling, listProcesses } from '#domain/status/processes.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { indexFilms } from '#testing/index-films.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { until } from '#testing/until.ts';
import { createFastify } from '../http/create-fastify.ts';
import { serve, serveRaw } from '../http/serve.ts';
import { checkAccess } from './check-access.ts';

let server: TestServer;
let admin: Person;
beforeAll(async () => {
  server = await startTestServer();
  admin = await addPerson(server.context, { admin: true });
  await addFilm(server.context, { name: 'Harbour', lines: ['The harbour lights came on'] });
});
afterAll(() => server.stop());

const state = async () => {
  const { pool, store } = server.context;
  const { rows } = await pool.query(`
    select (select json_agg(u order by u.id) from users u) as users, (select json_agg(s.id order by s.id) from sessions s) as sessions,
           (select json_agg(k.id) from keys k) as keys, (select json_agg(v order by v.id) from videos v) as videos,
           (select json_agg(f) from film_visibility f) as kept, (select json_agg(q) from unfound_queries q) as unfound,
           (select count(*) from verifications) as begun`);
  await server.context.unfound.write();
  return { rows, media: await store.listVideos(), trash: await store.trash.list() };
};

/** Takes the canary into the index as the process does that works on films. */
async function indexing<T>(begin: () => Promise<T>): Promise<T> {
  const worker = keepTelling(server.context.pool, { does: 'ingest', dataFolder: server.context.folder.root });
  await until(async () => (await listProcesses(server.context.pool)).some(({ does }) => does === 'ingest'));
  const work = begin();
  let isOver = false;
  const ended = work.finally(() => (isOver = true));
  const indexAgain = async () => {
    await indexFilms(server.context);
    return isOver;
  };
  await until(indexAgain, { withinMs: 120_000 });
  await worker.stop();
  return await ended;
}

test('an administrator has every route asked as everybody; nothing leaks, nothing is left behind, and it stands in the activity', async () => {
  await indexFilms(server.context);
  const before = await state();
  const answer = await indexing(() =>
    server.app
      .inject({
        method: 'POST',
        url: '/api/status/access-check',
        headers: { cookie: admin.cookie, origin: 'http://localhost:80', host: 'localhost:80', 'content-type': 'application/json' },
        payload: '{}',
      })
      .then((response) => response),
  );
  const check = AccessCheck.parse(answer.json());
  expect(check).toMatchObject({ leaks: [], unasked: [], routes: Object.keys(routes).length });
  expect(check.questions).toBeGreaterThan(200);
  expect(await state()).toEqual(before);
  const { rows } = await server.context.pool.query("select actor_uid as actor, detail from audit where action = 'access-checked'");
  expect(rows).toEqual([{ actor: admin.uid, detail: `${check.questions} questions, 0 leaks` }]);
});

test('a route that lets in whom it should not, and one that tells of a film that is hidden, are both named; what was made for it goes all the same', async () => {
  const before = await state();
  const weak = createFastify(server.context);
  await weak.register(cookie);
  const site = { app: weak, context: server.context };
  serve(site, { ...endpoints.listUsers, need: 'signed-in', reads: 'self' }, () => ({
    users: [],
    total: 0,
    nextPage: { skip: 0, done: true },
  }));
  serveRaw(site, routes.feed, async (_caller, { reply }) => {
    const { rows } = await server.context.pool.query<{ name: string }>('select name from videos');
    return reply.type('text/xml').send(rows.map(({ name }) => name).join());
  });
  const { leaks } = await indexing(() => checkAccess(site, { actorUid: admin.uid, from: 'here' }));
  const told = leaks.filter((leak) => !leak.includes(': 404, '));
  expect(told).toEqual([
    ...['pending', 'viewer', 'editor'].map((identity) => `GET /api/users as ${identity}: 200, expected 403`),
    ...['guest', 'pending', 'viewer'].map((identity) => `GET /feed.xml as ${identity}: 200, and reveals a video that only editors may see`),
  ]);
  await weak.close();
  expect(await state()).toEqual(before);
});

test('a film that editors call like one of a check, or whose file is empty, is nobody’s but theirs', async () => {
  const { pool, store } = server.context;
  const id = await addFilm(server.context, { name: 'Fireboat', lines: ['A fireboat in the harbour'] });
  await pool.query("update videos set external_id = 'access-check-' || id, file_name = '', size_bytes = 0 where id = $1", [id]);
  const before = await state();
  await whileChecking(server.context, () => Promise.resolve());
  expect(await state()).toEqual(before);
  expect(await store.listVideos()).toContain(id);
});

test('one check at a time, over all processes; what a killed one left goes with the next', async () => {
  const { pool } = server.context;
  await pool.query("insert into users (id, name) values ('access-check-killed', 'Access check')");
  await whileChecking(server.context, async () => {
    await expect(checkAccess(server, { actorUid: admin.uid, from: 'here' })).rejects.toMatchObject({ code: 'conflict' });
  });
  expect((await pool.query("select from users where id = 'access-check-killed'")).rowCount).toBe(0);
});
