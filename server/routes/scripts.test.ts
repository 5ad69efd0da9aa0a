import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SearchItem, VideoIndex } from '#contract/video-service/answers.ts';
import { sha256Of } from '#domain/files/sha256.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { endOwnSessions } from '#domain/signin/sessions.ts';
import { setRoles } from '#domain/users/roles.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { madeBytes } from '#testing/made-bytes.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { until } from '#testing/until.ts';
import { formOf, headersOf } from '#testing/upload-client.ts';
import { withoutLimits } from '#testing/without-limits.ts';

let server: TestServer;
let editor: Person;
beforeAll(async () => {
  server = await startTestServer({ ...withoutLimits, RUSHES_UPLOAD_MAX_MB: '3', RUSHES_DISK_RESERVE_MB: '0' });
  editor = await addPerson(server.context, { editor: true });
});
afterAll(() => server.stop());

/** As a script has them: no cookie, no page. */
async function makeKey(person: Person, days = 30) {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/account/keys',
    headers: headersOf(person),
    payload: { name: 'Nightly import', days },
  });
  expect(answer.statusCode).toBe(200);
  return String(answer.json().key);
}

const exchange = (key: string, query = '') =>
  server.app.inject({ url: `/Auth${server.account}/AccessToken${query}`, headers: { 'ocp-apim-subscription-key': key } });

async function editToken(key: string) {
  const answer = await exchange(key, '?allowEdit=true');
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  return String(answer.json());
}

interface Sent {
  readonly bytes: Buffer;
  readonly fileName?: string;
  readonly query?: string;
}

function upload(token: string, { bytes, fileName = 'film.mp4', query = 'name=Harbour' }: Sent) {
  const { type, body } = formOf(bytes, fileName);
  return server.app.inject({
    method: 'POST',
    url: `${server.account}/Videos?${query}`,
    payload: body,
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
  });
}

const change = (token: string, method: 'PUT' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
  server.app.inject({
    method,
    url: `${server.account}/Videos/${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(payload ? { payload } : {}),
  });
const indexOf = (token: string, id: string) =>
  server.app.inject({ url: `${server.account}/Videos/${id}/Index`, headers: { authorization: `Bearer ${token}` } });
const underWay = () => readdirSync(server.context.folder.uploads);

test('a key is told once, kept as its hash, and changed for a token of the account or of one video', async () => {
  const key = await makeKey(editor);
  const { rows } = await server.context.pool.query('select name, secret_hash as hash from keys where user_id = $1', [editor.uid]);
  expect(rows).toContainEqual({ name: 'Nightly import', hash: createHash('sha256').update(key).digest('hex') });
  expect(JSON.stringify(rows)).not.toContain(key.slice(8));
  const film = await addFilm(server.context, { lines: ['we came in by the harbour'] });
  const reading = String((await exchange(key)).json());
  expect((await server.app.inject(`${server.account}/Videos/Search?accessToken=${reading}`)).statusCode).toBe(200);
  expect((await indexOf(reading, film)).statusCode).toBe(403);
  const headers = { 'ocp-apim-subscription-key': key };
  const ofVideo = String((await server.app.inject({ url: `/auth${server.account}/Videos/${film}/AccessToken`, headers })).json());
  expect(VideoIndex.parse((await indexOf(ofVideo, film)).json()).videos[0]?.insights.transcript?.[0]?.text).toBe(
    'we came in by the harbour',
  );
  expect((await indexOf(ofVideo, await addFilm(server.context))).statusCode).toBe(403);
  expect((await change(ofVideo, 'DELETE', film)).statusCode).toBe(403);
  const account = (await server.app.inject({ url: '/api/account', headers: headersOf(editor) })).json();
  expect(account.keys[0]).toMatchObject({ name: 'Nightly import', lastUsedAt: expect.stringMatching(/^20/) });
  // It is no browser that somebody is signed in with.
  expect(account.sessions).toHaveLength(1);
});

test('what is no key, is over or revoked opens nothing, and neither does the token that it was changed for', async () => {
  const key = await makeKey(editor);
  const token = await editToken(key);
  const film = await addFilm(server.context);
  expect((await indexOf(token, film)).statusCode).toBe(200);
  for (const wrong of ['', 'x', key.slice(1), `${key} `, `${key}\u00e9`]) expect((await exchange(wrong)).statusCode).toBe(401);
  expect((await server.app.inject(`/Auth${server.account}/AccessToken?subscription-key=${key}`)).statusCode).toBe(401);
  await server.context.pool.query("update keys set expires_at = now() where user_id = $1 and expires_at > now() + interval '29 days'", [
    editor.uid,
  ]);
  expect((await exchange(key)).statusCode).toBe(401);
  expect((await indexOf(token, film)).statusCode).toBe(401);
  const second = await makeKey(editor);
  const secondToken = await editToken(second);
  const { keys } = (await server.app.inject({ url: '/api/account', headers: headersOf(editor) })).json();
  expect(keys).toHaveLength(1);
  const revoke = (who: Person) => server.app.inject({ method: 'DELETE', url: `/api/account/keys/${keys[0].id}`, headers: headersOf(who) });
  // Nobody else's key can be revoked.
  expect((await revoke(await addPerson(server.context, { editor: true }))).statusCode).toBe(404);
  expect((await revoke(editor)).statusCode).toBe(204);
  expect((await exchange(second)).statusCode).toBe(401);
  expect((await indexOf(secondToken, film)).statusCode).toBe(401);
});

test('whoever loses the role loses what their key opened, at once, and has it again with the role', async () => {
  const person = await addPerson(server.context, { editor: true });
  const key = await makeKey(person);
  const token = await editToken(key);
  const film = await addFilm(server.context);
  expect((await indexOf(token, film)).statusCode).toBe(200);
  await setRoles(server.context.pool, person.uid, { viewer: true });
  expect((await indexOf(token, film)).statusCode).toBe(403);
  expect((await exchange(key, '?allowEdit=true')).statusCode).toBe(403);
  await setRoles(server.context.pool, person.uid, { editor: true });
  expect((await indexOf(token, film)).statusCode).toBe(200);
  // Whoever signs out everywhere ends tokens; the key is theirs to revoke.
  await endOwnSessions(server.context.pool, person.uid);
  expect((await indexOf(token, film)).statusCode).toBe(401);
  expect((await exchange(key)).statusCode).toBe(200);
  await server.context.pool.query('delete from users where id = $1', [person.uid]);
  expect((await exchange(key)).statusCode).toBe(401);
});

test('only editors make keys, so many at most, and none for ever', async () => {
  const ask = async (person: Person, payload: object) =>
    (await server.app.inject({ method: 'POST', url: '/api/account/keys', headers: headersOf(person), payload })).statusCode;
  expect(await ask(await addPerson(server.context, { viewer: true }), { name: 'Mine', days: 1 })).toBe(403);
  const person = await addPerson(server.context, { editor: true });
  for (const wrong of [{ name: 'x', days: 0 }, { name: 'x', days: 367 }, { name: ' \u200b', days: 1 }, { name: 'x' }])
    expect([wrong, await ask(person, wrong)]).toEqual([wrong, 400]);
  for (let n = 0; n < 20; n += 1) expect(await ask(person, { name: `Key ${n}`, days: 1 })).toBe(200);
  expect(await ask(person, { name: 'One more', days: 1 })).toBe(409);
});

test('a film that is worked on is not read again until that has ended', async () => {
  const token = await editToken(await makeKey(editor));
  const id = await addFilm(server.context, { processed: false });
  for (const state of ['Uploaded', 'Processing']) {
    await server.context.pool.query('update videos set state = $2 where id = $1', [id, state]);
    const answer = await change(token, 'PUT', `${id}/ReIndex`);
    expect([answer.statusCode, answer.json()]).toEqual([409, expect.objectContaining({ ErrorType: 'VIDEO_INDEXING_IN_PROGRESS' })]);
  }
});

test('a script sends a film, whole and under the name that it says, and asks for its index until it is there', async () => {
  const token = await editToken(await makeKey(editor));
  const bytes = madeBytes(900_000, 'sent by a script');
  const answer = await upload(token, {
    bytes,
    query: 'name=Harbour%20at%20dawn&description=Boats&externalId=T-4711&language=de&privacy=Private',
  });
  expect(answer.statusCode).toBe(200);
  const item = SearchItem.parse(answer.json());
  expect(item).toMatchObject({ state: 'Uploaded', name: 'Harbour at dawn', description: 'Boats', externalId: 'T-4711', searchMatches: [] });
  expect(sha256Of(await storedBytes(server.context.store, toVideoKeys(item.id).original))).toBe(sha256Of(bytes));
  const jobs = await server.context.pool.query("select from jobs.job where data ->> 'videoId' = $1", [item.id]);
  expect(jobs.rowCount).toBe(1);
  expect(VideoIndex.parse((await indexOf(token, item.id)).json())).toMatchObject({
    state: 'Uploaded',
    videos: [{ processingProgress: '0%' }],
  });
  // The same again is the same film, or is refused where that was asked for.
  expect((await upload(token, { bytes, query: 'name=Again' })).json().id).toBe(item.id);
  expect((await upload(token, { bytes, query: 'name=Again&preventDuplicates=true' })).statusCode).toBe(409);
  expect(underWay()).toEqual([]);
});

test('what cannot be taken is refused in words, and nothing of it is left', async () => {
  const token = await editToken(await makeKey(editor));
  const small = Buffer.from('x');
  const refusals: [status: number, says: RegExp, sent: Sent][] = [
    [400, /^name must be given/, { bytes: small, query: '' }],
    [400, /^preventDuplicates must be true or false/, { bytes: small, query: 'name=x&preventDuplicates=yes' }],
    [400, /^description must be given once/, { bytes: small, query: 'name=x&description=a&description=b' }],
    [400, /at most 255/, { bytes: small, query: `name=${'n'.repeat(256)}` }],
    [415, /extension/, { bytes: small, fileName: 'list.m3u8' }],
    [400, /empty/, { bytes: Buffer.alloc(0) }],
    [413, /3 MB/, { bytes: madeBytes(3_100_000, 'too large') }],
    [400, /RUSHES_FETCH_FROM/, { bytes: small, query: 'name=x&videoUrl=http://127.0.0.1/x.mp4' }],
    [400, /RUSHES_CALL_BACK/, { bytes: small, query: 'name=x&callbackUrl=http://127.0.0.1/' }],
  ];
  for (const [status, says, sent] of refusals) {
    const answer = await upload(token, sent);
    expect([answer.statusCode, answer.json().Message]).toEqual([status, expect.stringMatching(says)]);
  }
  const asJson = await server.app.inject({
    method: 'POST',
    url: `${server.account}/Videos?name=x`,
    headers: { authorization: `Bearer ${token}` },
    payload: {},
  });
  expect(asJson.statusCode).toBe(415);
  expect((await upload(await server.guestToken(), { bytes: small })).statusCode).toBe(403);
  expect(underWay()).toEqual([]);
});

test('a script that is cut off leaves no film and no file', async () => {
  const token = await editToken(await makeKey(editor));
  const { port } = new URL(await server.listen());
  const films = async () => (await server.context.pool.query('select 1 from videos')).rowCount;
  const before = await films();
  const socket = connect(Number(port), '127.0.0.1');
  const head = [`POST ${server.account}/Videos?name=Cut HTTP/1.1`, 'host: localhost', `authorization: Bearer ${token}`];
  socket.write([...head, 'content-type: multipart/form-data; boundary=e', 'content-length: 2000000', '', ''].join('\r\n'));
  socket.write('--e\r\nContent-Disposition: form-data; name="file"; filename="cut.mp4"\r\n\r\n');
  socket.write(madeBytes(500_000, 'cut off'));
  await until(() => Promise.resolve(underWay().length === 1));
  socket.destroy();
  await until(() => Promise.resolve(underWay().length === 0));
  expect(await films()).toBe(before);
});

test('a script changes names and lines as corrections that stand in the audit, and deletes what can be brought back', async () => {
  const token = await editToken(await makeKey(editor));
  const film = await addFilm(server.context, { name: 'Habour', lines: ['we came in', 'by the habour'] });
  const patch = [
    { op: 'replace', path: '/name', value: 'Harbour' },
    { op: 'replace', path: '/videos/0/insights/transcript/1/text', value: 'by the harbour' },
  ];
  expect((await change(token, 'PATCH', `${film}/Index`, patch)).statusCode).toBe(200);
  const index = VideoIndex.parse((await indexOf(token, film)).json());
  expect(index.name).toBe('Harbour');
  expect(index.videos[0]?.insights.transcript).toMatchObject([{ text: 'we came in' }, { text: 'by the harbour', provenance: 'corrected' }]);
  const wrong = [
    [{ op: 'remove', path: '/name', value: '' }, 'JSON_PATCH_INVALID_OP'],
    [{ op: 'replace', path: '/state', value: 'Failed' }, 'JSON_PATCH_INVALID_PATH'],
    [{ op: 'replace', path: '/videos/0/insights/transcript/7/text', value: 'x' }, 'JSON_PATCH_INVALID_PATH'],
    [{ op: 'replace', path: '/name', value: 7 }, 'JSON_PATCH_INVALID_VALUE'],
  ] as const;
  for (const [one, errorType] of wrong) {
    // What comes before it is not done either.
    const answer = await change(token, 'PATCH', `${film}/Index`, [{ op: 'replace', path: '/name', value: 'Half' }, one]);
    expect([answer.statusCode, answer.json().ErrorType]).toEqual([400, errorType]);
  }
  // What only the correction itself refuses leaves nothing half done.
  const late = [
    { op: 'replace', path: '/videos/0/insights/transcript/0/text', value: 'they came in' },
    { op: 'replace', path: '/name', value: '' },
  ];
  expect((await change(token, 'PATCH', `${film}/Index`, late)).statusCode).toBe(400);
  const after = VideoIndex.parse((await indexOf(token, film)).json());
  expect([after.name, after.videos[0]?.insights.transcript?.[0]?.text]).toEqual(['Harbour', 'we came in']);
  expect((await change(token, 'PUT', `${film}/Index/Faces/1?newName=Ann`)).statusCode).toBe(404);
  expect((await change(token, 'PUT', `${film}/ReIndex`)).statusCode).toBe(204);
  expect((await change(token, 'DELETE', film)).statusCode).toBe(204);
  expect((await indexOf(token, film)).statusCode).toBe(404);
  const { rows } = await server.context.pool.query('select action from audit where video_id = $1 order by id', [film]);
  expect(rows.map(({ action }) => action)).toEqual(['lines-corrected', 'title-changed', 'film-deleted']);
});

test('a script replaces what is said in a film by its WebVTT, in the language of the film or in one that it tells', async () => {
  const token = await editToken(await makeKey(editor));
  const film = await addFilm(server.context, { name: 'Habour', lines: ['we came in', 'by the habour'] });
  const vtt = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Ann>We came in\n\n00:00:03.000 --> 00:00:04.000\nby the harbour\n';
  const send = (query: string, type = 'text/vtt') =>
    server.app.inject({
      method: 'PUT',
      url: `${server.account}/Videos/${film}/Index/Transcript${query}`,
      payload: vtt,
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
    });
  expect((await send('?language=de-DE')).json()).toMatchObject({ ErrorType: 'UNSUPPORTED' });
  expect((await send('?callbackUrl=http://127.0.0.1/')).json()).toMatchObject({ ErrorType: 'UNSUPPORTED' });
  expect((await send('', 'application/json')).statusCode).toBe(400);
  for (const wrong of ['?setAsSourceLanguage=yes', '?language=de&language=en', '?callbackUrl=a&callbackUrl=b'])
    expect([wrong, (await send(wrong)).json()]).toEqual([wrong, expect.objectContaining({ ErrorType: 'INVALID_INPUT' })]);
  const index = async () => VideoIndex.parse((await indexOf(token, film)).json()).videos[0]?.insights;
  expect((await send('?language=German&setAsSourceLanguage=true')).statusCode).toBe(400);
  expect((await index())?.transcript).toMatchObject([{ text: 'we came in' }, { text: 'by the habour' }]);
  expect((await send('?language=en-US')).statusCode).toBe(204);
  const lines = [
    { text: 'We came in', provenance: 'corrected', instances: [{ start: '0:00:01' }] },
    { text: 'by the harbour', provenance: 'corrected' },
  ];
  expect((await index())?.transcript).toMatchObject(lines);
  expect((await index())?.speakers).toMatchObject([{ name: 'Ann' }]);
  expect((await send('?language=de-DE&setAsSourceLanguage=true')).statusCode).toBe(204);
  expect((await index())?.sourceLanguage).toBe('de-DE');
  const { rows } = await server.context.pool.query('select action from audit where video_id = $1 order by id', [film]);
  expect(rows.map(({ action }) => action)).toEqual(['lines-corrected', 'fact-changed']);
});
