import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sha256Of } from '#domain/files/sha256.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { addCallback } from '#domain/videos/callbacks.ts';
import { failVideo } from '#domain/videos/fail-video.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { madeBytes } from '#testing/made-bytes.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { headersOf } from '#testing/upload-client.ts';
import { withoutLimits } from '#testing/without-limits.ts';
import { callBack, fetchFootage } from './other-servers.ts';

let server: TestServer;
let editor: Person;
let token: string;
/** Two servers of somebody else: the archive is told of one. */
const known = createServer((request, response) => answerAs(request, response));
const stranger = createServer((_request, response) => void response.end('not yours'));
let answerAs: (request: IncomingMessage, response: ServerResponse) => void;
let [here, elsewhere] = ['', ''];
/** The calls that came, as the other server sees them. */
let calls: string[] = [];
const footage = madeBytes(400_000, 'from another server');

beforeAll(async () => {
  const listen = async (one: typeof known) => {
    await new Promise<void>((done) => one.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(one.address() as AddressInfo).port}`;
  };
  [here, elsewhere] = [await listen(known), await listen(stranger)];
  const env = { RUSHES_UPLOAD_MAX_MB: '3', RUSHES_DISK_RESERVE_MB: '0', RUSHES_FETCH_FROM: here, RUSHES_CALL_BACK: here };
  server = await startTestServer({ ...withoutLimits, ...env });
  editor = await addPerson(server.context, { editor: true });
  const made = await server.app.inject({
    method: 'POST',
    url: '/api/account/keys',
    headers: headersOf(editor),
    payload: { name: 'Nightly', days: 1 },
  });
  const asked = `/Auth${server.account}/AccessToken?allowEdit=true`;
  token = (await server.app.inject({ url: asked, headers: { 'ocp-apim-subscription-key': made.json().key } })).json();
});
afterAll(async () => {
  await server.stop();
  for (const one of [known, stranger]) {
    one.closeAllConnections();
    await new Promise((done) => one.close(done));
  }
});
beforeEach(() => {
  calls = [];
  answerAs = (request, response) => {
    calls.push(`${request.method} ${request.url}`);
    response.end(request.method === 'GET' ? footage : '');
  };
});

const ask = (method: 'POST' | 'PUT', path: string, query: Record<string, string>) =>
  server.app.inject({
    method,
    url: `${server.account}/Videos${path}?${new URLSearchParams(query)}`,
    headers: { authorization: `Bearer ${token}` },
  });
const callbacksLeft = async () => (await server.context.pool.query('select from callbacks')).rowCount;

test('a film is fetched from a server that the operator named, whole and under its name there', async () => {
  const answer = await ask('POST', '', { name: 'Fetched', videoUrl: `${here}/tapes/Harbour%20one.mp4?key=1` });
  expect([answer.json().Message, answer.json()]).toMatchObject([undefined, { name: 'Fetched', state: 'Uploaded' }]);
  const { id } = answer.json();
  expect(sha256Of(await storedBytes(server.context.store, toVideoKeys(id).original))).toBe(sha256Of(footage));
  const { rows } = await server.context.pool.query('select file_name from videos where id = $1', [id]);
  expect(rows[0].file_name).toBe('Harbour one.mp4');
});

test('no other server is asked, not by another way of writing it, and not where the first one leads on to it', async () => {
  const { port } = new URL(here);
  const addresses = [
    ...[`${elsewhere}/x.mp4`, `http://localhost:${port}/x.mp4`, `https://127.0.0.1:${port}/x.mp4`, 'file:///etc/passwd', 'x.mp4'],
    ...[`${here}@${new URL(elsewhere).host}/x.mp4`, `http://ann:secret@127.0.0.1:${port}/x.mp4`],
  ];
  for (const videoUrl of addresses)
    expect([videoUrl, (await ask('POST', '', { name: 'x', videoUrl })).json()]).toMatchObject([videoUrl, { ErrorType: 'UNSUPPORTED' }]);
  expect(calls).toEqual([]);
  answerAs = (request, response) => {
    calls.push(request.url ?? '');
    response.writeHead(302, { location: request.url === '/on' ? '/again' : `${elsewhere}/x.mp4` }).end();
  };
  expect((await ask('POST', '', { name: 'x', videoUrl: `${here}/on` })).json().Message).toMatch(
    /only fetches videos from the servers in RUSHES_FETCH_FROM/,
  );
  expect(calls).toEqual(['/on', '/again']);
});

test('a server that has no film, leads on for ever, breaks off, falls silent or sends too much is told by its name, and nothing of it is kept', async () => {
  const films = async () => (await server.context.pool.query('select from videos')).rowCount;
  const before = await films();
  const faults: [says: RegExp, answers: typeof answerAs][] = [
    [/it answers 404/, (_, response) => response.writeHead(404).end()],
    [/redirects too often/, (request, response) => response.writeHead(307, { location: `${request.url}1` }).end()],
    [
      /The video could not be fetched from/,
      (_, response) => response.writeHead(200, { 'content-length': '9000' }).write('x', () => response.destroy()),
    ],
    [/3 MB/, (_, response) => response.end(madeBytes(3_100_000, 'too much'))],
  ];
  for (const [says, answers] of faults) {
    answerAs = answers;
    const { Message, ErrorType } = (await ask('POST', '', { name: 'x', videoUrl: `${here}/x.mp4` })).json();
    expect([Message, ErrorType]).toEqual([
      expect.stringMatching(says),
      /MB/.test(says.source) ? 'INPUT_FILE_SIZE_LIMIT_EXCEEDED' : 'URL_UNREACHABLE',
    ]);
  }
  answerAs = (_, response) => void response.writeHead(200, { 'content-length': '9' }).write('x');
  const { bytes } = await fetchFootage(`${here}/x.mp4`, { from: [here], silenceMs: 50 });
  await expect(Array.fromAsync(bytes)).rejects.toThrow(/sent nothing for 0.05 seconds/);
  expect(await films()).toBe(before);
});

test('who wants to be told of a film is, once it plays or has failed, and not before', async () => {
  answerAs = (request, response) =>
    void response.end(request.method === 'GET' ? madeBytes(300_000, 'told of') : calls.push(`${request.method} ${request.url}`) && '');
  const { id } = (await ask('POST', '', { name: 'Told of', videoUrl: `${here}/told.mp4`, callbackUrl: `${here}/heard?job=7` })).json();
  await callBack(server.context);
  expect([calls, await callbacksLeft()]).toEqual([[], 1]);
  await failVideo(server.context.pool, { videoId: id, code: 'General', message: 'It cannot be read.' });
  await callBack(server.context);
  expect([calls, await callbacksLeft()]).toEqual([[`POST /heard?job=7&id=${id}&state=Failed`], 0]);
});

test('a film that is deleted under way is told of when it is back and plays', async () => {
  const { pool } = server.context;
  const id = await addFilm(server.context);
  await addCallback(pool, { videoId: id, address: `${here}/back`, awaits: 'playable' });
  await pool.query(`update videos set state = 'Quarantined' where id = $1`, [id]);
  await callBack(server.context);
  expect([calls, await callbacksLeft()]).toEqual([[], 1]);
  await pool.query(`update videos set state = 'Processed' where id = $1`, [id]);
  await callBack(server.context);
  expect(calls).toEqual([`POST /back?id=${id}&state=Processed`]);
});

test('a film that is read anew is told of once no step has anything left to do', async () => {
  const id = await addFilm(server.context);
  expect((await ask('PUT', `/${id}/ReIndex`, { callbackUrl: `${here}/read` })).statusCode).toBe(204);
  await server.context.pool.query(
    "insert into steps (name, position, version, class, optional) values ('text', 1, 1, 'understood', true) on conflict do nothing",
  );
  await server.context.pool.query("insert into ingest_steps (video_id, step, state) values ($1, 'text', 'running')", [id]);
  await callBack(server.context);
  expect(calls).toEqual([]);
  await server.context.pool.query("update ingest_steps set state = 'done' where video_id = $1", [id]);
  await callBack(server.context);
  expect(calls).toEqual([`POST /read?id=${id}&state=Processed`]);
});

test('a call that is not taken is tried again later, and given up in the end; nobody else is called', async () => {
  const id = await addFilm(server.context);
  const refused = await ask('PUT', `/${id}/ReIndex`, { callbackUrl: `${elsewhere}/x` });
  expect(refused.json()).toMatchObject({ ErrorType: 'UNSUPPORTED', Message: expect.stringContaining('RUSHES_CALL_BACK') });
  expect(await callbacksLeft()).toBe(0);
  await ask('PUT', `/${id}/ReIndex`, { callbackUrl: `${here}/busy` });
  await server.context.pool.query("update ingest_steps set state = 'done' where video_id = $1", [id]);
  answerAs = (request, response) => {
    calls.push(request.url ?? '');
    response.writeHead(503).end();
  };
  await callBack(server.context);
  await callBack(server.context);
  expect([calls.length, await callbacksLeft()]).toEqual([1, 1]);
  for (let tries = 2; tries <= 6; tries++) {
    await server.context.pool.query('update callbacks set due_at = now()');
    await callBack(server.context);
    expect([calls.length, await callbacksLeft()]).toEqual([tries, tries < 6 ? 1 : 0]);
  }
});
