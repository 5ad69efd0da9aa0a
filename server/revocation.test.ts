import { afterAll, beforeAll, expect, test } from 'vitest';
import { endSession } from '#domain/signin/sessions.ts';
import { removeUser } from '#domain/users/remove-user.ts';
import { setRoles } from '#domain/users/set-roles.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { until } from '#testing/until.ts';

let server: TestServer;
let film: string;
beforeAll(async () => {
  server = await startTestServer();
  film = await addFilm(server.context);
});
afterAll(() => server.stop());

const ends: [string, (person: Person) => Promise<unknown>, number][] = [
  ['sign-out', ({ sid }) => endSession(server.context.pool, sid), 401],
  ['taking the role away', ({ uid }) => setRoles(server.context.pool, uid, {}), 403],
  ['removing the user', ({ uid }) => removeUser(server.context.pool, uid), 401],
];

test.each(ends)(
  'a stream that is being watched ends with %s, without waiting for what was remembered to grow old',
  async (_how, end, status) => {
    const { viewer, segment } = await viewerAtWork();
    expect(await segment()).toBe(200);
    await end(viewer);
    await until(async () => (await segment()) !== 200, { withinMs: 2_500 });
    expect(await segment()).toBe(status);
  },
);

test('what another process changes is heard again after the connection was lost', async () => {
  const { viewer, segment } = await viewerAtWork();
  await loseListener();
  await until(async () => (await listeners()) === 1);
  expect(await segment()).toBe(200);
  await endSession(server.context.pool, viewer.sid);
  await until(async () => (await segment()) !== 200, { withinMs: 2_500 });
  expect(await segment()).toBe(401);
});

test('what another process changed while the connection was lost counts when it is back', async () => {
  const { viewer, segment } = await viewerAtWork();
  await loseListener();
  expect(await segment()).toBe(200);
  await endSession(server.context.pool, viewer.sid);
  await until(async () => (await segment()) !== 200, { withinMs: 2_500 });
});

/** Somebody who watches, and the status of the next segment that they ask for. */
async function viewerAtWork() {
  const viewer = await addPerson(server.context, { viewer: true });
  const headers = { authorization: `Bearer ${await viewer.videoToken(film)}` };
  const segment = async () => (await server.app.inject({ url: `/media/${film}/hls/v1/segment-00000.m4s`, headers })).statusCode;
  return { viewer, segment };
}

const listening = `from pg_stat_activity where query = 'listen users_changed' and state = 'idle' and datname = current_database()`;

async function listeners(): Promise<number | null> {
  return (await server.context.pool.query(`select 1 ${listening}`)).rowCount;
}

async function loseListener(): Promise<void> {
  await until(async () => (await listeners()) === 1);
  await server.context.pool.query(`select pg_terminate_backend(pid) ${listening}`);
  await until(async () => (await listeners()) === 0);
}
