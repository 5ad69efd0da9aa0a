import { mkdirSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { endSession } from '#domain/signin/sessions.ts';
import { removeUser } from '#domain/users/delete-user.ts';
import { setRoles } from '#domain/users/roles.ts';
import { type ProbeKind, probeAccess, probeKinds } from '#testing/access-probes.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { madeBytes } from '#testing/made-bytes.ts';
import { putReport } from '#testing/put-report.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { until } from '#testing/until.ts';
import { wantsWholeCorpus } from '#testing/whole-corpus.ts';
import { withoutLimits } from '#testing/without-limits.ts';

let server: TestServer;
let film: string;
beforeAll(async () => {
  server = await startTestServer(withoutLimits);
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
    holdTime();
    expect(await segment()).toBe(200);
    await end(viewer);
    await until(async () => (await segment()) !== 200);
    expect(await segment()).toBe(status);
  },
);

test('what another process changes is heard again after the connection was lost', async () => {
  const { viewer, segment } = await viewerAtWork();
  await loseListener();
  await until(async () => (await listeners()) === 1);
  holdTime();
  expect(await segment()).toBe(200);
  await endSession(server.context.pool, viewer.sid);
  await until(async () => (await segment()) !== 200);
  expect(await segment()).toBe(401);
});

test('what another process changed while the connection was lost counts when it is back', async () => {
  const { viewer, segment } = await viewerAtWork();
  await loseListener();
  holdTime();
  expect(await segment()).toBe(200);
  await endSession(server.context.pool, viewer.sid);
  await until(async () => (await segment()) !== 200);
});

const losses: [string, number, (person: Person) => Promise<unknown>][] = [
  ['role', 403, ({ uid }) => setRoles(server.context.pool, uid, { viewer: true })],
  ['key', 401, ({ uid }) => server.context.pool.query('delete from keys where user_id = $1', [uid])],
  ['person', 401, ({ uid }) => removeUser(server.context.pool, uid)],
];

test.each(losses)('a film whose sender loses their %s while it comes is not added', async (_what, status, end) => {
  const { uploads } = server.context.folder;
  mkdirSync(uploads, { recursive: true });
  const underWay = () => readdirSync(uploads);
  const sender = await addPerson(server.context, { editor: true });
  const token = await sender.editToken();
  const { port } = new URL(await server.listen());
  const films = async () => (await server.context.pool.query('select 1 from videos')).rowCount;
  const before = await films();
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
  let answer = '';
  socket.on('data', (text) => {
    answer += text;
  });
  const part = '--e\r\nContent-Disposition: form-data; name="file"; filename="late.mp4"\r\n\r\n';
  const bytes = madeBytes(500_000, status + token);
  const closing = '\r\n--e--\r\n';
  const length = part.length + bytes.length + closing.length;
  const head = [`POST ${server.account}/Videos?name=Late HTTP/1.1`, 'host: localhost', `authorization: Bearer ${token}`];
  socket.write([...head, 'content-type: multipart/form-data; boundary=e', `content-length: ${length}`, '', ''].join('\r\n'));
  socket.write(part);
  socket.write(bytes.subarray(0, 400_000));
  await until(() => Promise.resolve(underWay().length === 1));
  await end(sender);
  socket.write(bytes.subarray(400_000));
  socket.write(closing);
  await until(() => Promise.resolve(answer.includes('\r\n\r\n')));
  socket.destroy();
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(await films()).toBe(before);
  expect(underWay()).toEqual([]);
});

/** Nothing that is remembered grows old from now on. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
}

const runs = wantsWholeCorpus ? 100 : 10;
/** What is promised: a call is refused within a second, a stream within ten. */
const maxMsOf: Record<ProbeKind, number> = { session: 1_000, bearer: 1_000, 'video token': 1_000, 'media cookie': 10_000 };

test(`whatever opened a film ends with a change that another process makes, ${runs} times`, { timeout: 30_000 + runs * 2_000 }, async ({
  task,
}) => {
  const beside = await server.startBeside();
  const admin = await addPerson(server.context, { admin: true });
  const change = (method: 'PATCH' | 'DELETE' | 'POST', url: string, cookie: string, payload: object) =>
    beside.app.inject({ method, url, payload, headers: { cookie, host: 'localhost:80', origin: 'http://localhost:80' } });
  const changes: ((person: Person) => ReturnType<typeof change>)[] = [
    ({ uid }) => change('PATCH', `/api/users/${uid}/roles`, admin.cookie, { role: 'viewer', granted: false }),
    ({ uid }) => change('DELETE', `/api/users/${uid}`, admin.cookie, {}),
    ({ cookie }) => change('POST', '/api/sign-out', cookie, {}),
    ({ cookie }) => change('POST', '/api/account/sign-out-everywhere', cookie, {}),
  ];
  const tookMs: number[] = [];
  for (let run = 0; run < runs; run++) {
    const person = await addPerson(server.context, { viewer: true });
    const probes = await probeAccess({ app: server.app, account: server.account, film }, person);
    await probes.settled('yes');
    const changedAt = Date.now();
    expect((await changes[run % changes.length]?.(person))?.statusCode).toBeLessThan(300);
    await probes.settled('no');
    await probes.stop();
    // Asked for again and again after the first refusal, nothing was given.
    const ms = (kind: ProbeKind) => Math.max(0, probes.lastYesAt(kind) - changedAt);
    for (const kind of probeKinds) expect(ms(kind), kind).toBeLessThanOrEqual(maxMsOf[kind]);
    tookMs.push(Math.max(...probeKinds.map(ms)));
  }
  await beside.stop();
  tookMs.sort((a, b) => a - b);
  putReport(task, { check: 'revocation', runs, medianMs: tookMs[Math.floor(runs / 2)] ?? 0, maxMs: tookMs.at(-1) ?? 0 });
});

/** Somebody who watches, and the status of the next segment that they ask for. */
async function viewerAtWork() {
  const viewer = await addPerson(server.context, { viewer: true });
  const headers = { authorization: `Bearer ${await viewer.videoToken(film)}` };
  const segment = async () => (await server.app.inject({ url: `/media/${film}/hls/v1/segment-00000.m4s`, headers })).statusCode;
  return { viewer, segment };
}

const listening = `from pg_stat_activity where query like 'listen users_changed%' and state = 'idle' and datname = current_database()`;

async function listeners(): Promise<number | null> {
  return (await server.context.pool.query(`select 1 ${listening}`)).rowCount;
}

async function loseListener(): Promise<void> {
  await until(async () => (await listeners()) === 1);
  await server.context.pool.query(`select pg_terminate_backend(pid) ${listening}`);
  await until(async () => (await listeners()) === 0);
}
