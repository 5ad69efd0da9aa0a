import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Roles } from '#contract/roles.ts';
import { routes } from '#contract/routes.ts';
import { endSession } from '#domain/signin/sessions.ts';
import { setRoles } from '#domain/users/roles.ts';
import { deleteFilm } from '#domain/videos/deletions.ts';
import { setVisibility } from '#domain/videos/visibility.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { readEvents } from '#testing/event-reader.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { until } from '#testing/until.ts';

let server: TestServer;
let beside: Awaited<ReturnType<TestServer['startBeside']>>;
let origin: string;
beforeAll(async () => {
  server = await startTestServer();
  beside = await server.startBeside();
  origin = await server.listen();
});
afterAll(async () => {
  await beside.stop();
  await server.stop();
});

const path = routes.sessionEvents.path;

test('4.2 an open page hears at once what another server process changes, and nothing of other people', async () => {
  const [ann, bob] = [await listening({}), await listening({})];
  expect(await ann.events.data(1)).toMatchObject({ user: { uid: ann.uid, roles: {} } });
  await bob.events.data(1);
  await setRoles(beside.context.pool, ann.uid, { viewer: true });
  expect(await ann.events.data(2)).toMatchObject({ user: { uid: ann.uid, roles: { viewer: true } } });
  // No beat, with which every session is looked at, has brought it.
  expect(ann.events.text()).not.toMatch(/^:/m);
  await setRoles(beside.context.pool, bob.uid, { editor: true });
  expect(await bob.events.data(2)).toMatchObject({ user: { uid: bob.uid, roles: { editor: true } } });
  await setRoles(beside.context.pool, ann.uid, {});
  await ann.events.data(3);
  await setRoles(beside.context.pool, bob.uid, {});
  await bob.events.data(3);
  for (const { uid, events } of [ann, bob])
    expect(events.events).toEqual(
      Array.from({ length: 3 }, () => ({ event: 'session', data: { user: expect.objectContaining({ uid }) } })),
    );
});

test.each([
  ['signing out', ({ sid }: Person) => endSession(beside.context.pool, sid)],
  ['the deletion of the account', ({ uid }: Person) => beside.context.pool.query('delete from users where id = $1', [uid])],
])('an open page hears of %s, and its stream ends', async (_how, end) => {
  const ann = await listening({ viewer: true });
  await ann.events.data(1);
  await end(ann);
  expect(await ann.events.data(2)).toEqual({ user: null });
  await until(() => ann.events.hasEnded());
});

test('what changed while the database was out of hearing is told when it is back', async () => {
  const ann = await listening({});
  await ann.events.data(1);
  const listener = `from pg_stat_activity where query like 'listen users_changed%' and state = 'idle' and datname = current_database()`;
  await server.context.pool.query(`select pg_terminate_backend(pid) ${listener}`);
  await until(async () => (await server.context.pool.query(`select 1 ${listener}`)).rowCount === 0);
  await setRoles(server.context.pool, ann.uid, { viewer: true });
  expect(await ann.events.data(2)).toMatchObject({ user: { roles: { viewer: true } } });
});

test('an administrator hears that people changed, once a second at most; nobody else does', async () => {
  const [admin, viewer, bob] = [await listening({ admin: true }), await listening({ viewer: true }), await addPerson(server.context, {})];
  await Promise.all([admin.events.data(1), viewer.events.data(1)]);
  const ofUsers = () => admin.events.events.filter(({ event }) => event === 'users').length;
  const [before, startedAt] = [ofUsers(), Date.now()];
  for (let n = 0; n < 20; n++) await setRoles(beside.context.pool, bob.uid, n % 2 ? {} : { viewer: true });
  await until(() => ofUsers() > before);
  expect(ofUsers() - before).toBeLessThanOrEqual(1 + Math.ceil((Date.now() - startedAt) / 1_000));
  expect(viewer.events.events.map(({ event }) => event)).toEqual(['session']);
});

test('whoever may watch hears that a film is shown to viewers no more, once, and nobody hears of one that they never saw', async () => {
  const { pool } = server.context;
  const editor = await addPerson(server.context, { editor: true });
  const [watching, waiting] = [await listening({ viewer: true }), await listening({})];
  await Promise.all([watching.events.data(1), waiting.events.data(1)]);
  const by = { actorUid: editor.uid, from: '127.0.0.1' };
  const takeDown = async (videoId: string, seenAt: string | null) => {
    const down = { shownTo: 'editors', until: null, reason: 'Somebody in it has asked.' } as const;
    return (await setVisibility(beside.context.pool, { videoId, seenAt, ...down, ...by })).setAt;
  };
  const [taken, deleted] = [await addFilm(server.context, { name: 'Taken' }), await addFilm(server.context, { name: 'Deleted' })];
  await takeDown(taken, await takeDown(taken, null));
  await deleteFilm(beside.context.pool, { videoId: taken, name: 'Taken', reason: '', ...by });
  await deleteFilm(beside.context.pool, { videoId: deleted, name: 'Deleted', reason: '', ...by });
  const halfway = await addFilm(server.context, { name: 'Halfway', processed: false });
  await deleteFilm(beside.context.pool, { videoId: halfway, name: 'Halfway', reason: '', ...by });
  const last = await addFilm(server.context);
  await takeDown(last, null);
  await watching.events.data(4);
  expect(watching.events.events.slice(1)).toEqual([taken, deleted, last].map((id) => ({ event: 'film', data: { id } })));
  await setRoles(pool, waiting.uid, { viewer: true });
  await waiting.events.data(2);
  expect(waiting.events.events.map(({ event }) => event)).toEqual(['session', 'session']);
});

test('the events are for the browser that holds the session, and nobody keeps a copy', async () => {
  const ann = await listening({});
  expect(ann.events.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(ann.events.headers.get('cache-control')).toBe('no-store');
  expect(ann.events.headers.get('x-accel-buffering')).toBe('no');
  expect((await ann.events.data(1)) as object).not.toHaveProperty('user.authVersion');
  const refused: Record<string, string>[] = [
    {},
    { authorization: `Bearer ${await ann.bearer()}` },
    { cookie: ann.cookie, 'sec-fetch-site': 'cross-site' },
    { cookie: ann.cookie, 'sec-fetch-site': 'same-site' },
  ];
  const statuses = await Promise.all(refused.map(async (headers) => (await readEvents(origin + path, headers)).status));
  expect(statuses).toEqual([401, 401, 403, 403]);
  const head = await fetch(origin + path, { method: 'HEAD', headers: { cookie: ann.cookie } });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('one browser keeps ten streams; the next one ends the oldest', async () => {
  const ann = await listening({});
  await ann.events.data(1);
  const more = await Promise.all(Array.from({ length: 10 }, () => readEvents(origin + path, { cookie: ann.cookie })));
  await until(() => ann.events.hasEnded());
  expect(ann.events.text()).toContain('retry: 60000');
  await Promise.all(more.map((one) => one.data(1)));
  expect(more.some((one) => one.hasEnded())).toBe(false);
});

test('a server that stops does not wait for the pages that listen', async () => {
  const closing = await server.startBeside();
  const ann = await listening({}, await closing.listen());
  await ann.events.data(1);
  await closing.stop();
  await until(() => ann.events.hasEnded());
});

/** Somebody with these roles, with a page open. */
async function listening(roles: Roles, at = origin) {
  const person = await addPerson(server.context, roles);
  return { ...person, events: await readEvents(at + path, { cookie: person.cookie, 'sec-fetch-site': 'same-origin' }) };
}
