import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { VideoIndex } from '#contract/video-service/answers.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { indexFilms } from '#testing/index-films.ts';
import { madeBytes } from '#testing/made-bytes.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { formOf } from '#testing/upload-client.ts';
import { withoutLimits } from '#testing/without-limits.ts';

/** What scripts are answered, to the letter of the video service's contract. */
let server: TestServer;
let editor: Person;
let token: string;
beforeAll(async () => {
  server = await startTestServer({ ...withoutLimits, RUSHES_UPLOAD_MAX_MB: '1', RUSHES_DISK_RESERVE_MB: '0' });
  editor = await addPerson(server.context, { editor: true });
  token = await editor.editToken();
});
afterAll(() => server.stop());

const get = (path: string, as = token) =>
  server.app.inject({ url: `${server.account}/Videos${path}`, headers: { authorization: `Bearer ${as}` } });
const send = (method: 'PUT' | 'PATCH' | 'DELETE', path: string, payload?: object | string, type = 'application/json') =>
  server.app.inject({
    method,
    url: `${server.account}/Videos${path}`,
    ...(payload === undefined ? {} : { payload }),
    headers: { authorization: `Bearer ${token}`, ...(payload === undefined ? {} : { 'content-type': type }) },
  });
function upload(bytes: Buffer, fileName: string, query: string) {
  const { type, body } = formOf(bytes, fileName);
  return server.app.inject({
    method: 'POST',
    url: `${server.account}/Videos?${query}`,
    payload: body,
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
  });
}

test('who reads records bounds by when films came in, whenever they could be seen, page after page and with every word', async () => {
  const { pool } = server.context;
  const film = await addFilm(server.context, { name: 'Came in before midnight, seen after it' });
  try {
    await pool.query(`update videos set created_at = '2001-02-03T23:30:00Z', published_at = '2001-02-04T00:20:00Z' where id = $1`, [film]);
    await indexFilms(server.context);
    const between = (from: string, to: string) => `createdAfter=2001-02-${from}T00:00:00Z&createdBefore=2001-02-${to}T00:00:00Z`;
    for (const query of ['', 'midnight']) {
      const page = async (days: string) => (await get(`/Search?query=${query}&pageSize=1&${days}`)).json();
      expect((await page(between('03', '04'))).results.map(({ id }: { id: string }) => id)).toEqual([film]);
      expect((await page(between('04', '05'))).results).toEqual([]);
      expect((await page(between('03', '04'))).nextPage).toMatchObject({ done: true, createdBefore: '2001-02-04T00:00:00.000Z' });
    }
  } finally {
    await pool.query('delete from videos where id = $1', [film]);
  }
});

test('a script finds its film by the external id, alone or in the list of films in every state, and is never given another one', async () => {
  const film = await addFilm(server.context, { externalId: 'T-9001' });
  const onItsWay = await addFilm(server.context, { externalId: 'T-9002', processed: false });
  await addFilm(server.context);
  const idOf = (externalId: string) => get(`/GetIdByExternalId?externalId=${externalId}`);
  const found = (await get('/Search?externalId=T-9001')).json().results;
  expect(found.map(({ id }: { id: string }) => id)).toEqual([film]);
  expect([await idOf('T-9001'), await idOf('T-9002')].map((answer) => answer.json())).toEqual([film, onItsWay]);
  const missing = [await idOf('T-900'), await idOf(''), await idOf('%00')];
  expect(missing.map((answer) => [answer.statusCode, answer.json().ErrorType])).toEqual(Array(3).fill([404, 'BREAKDOWN_NOT_FOUND']));
  const listed = (await get('?pageSize=100')).json().results;
  expect(listed).toContainEqual(expect.objectContaining({ id: onItsWay, state: 'Uploaded' }));
  expect((await get('?createdBefore=2001-01-01T00:00:00Z')).json().results).toEqual([]);
  // Which of two is meant, nobody knows; one that is deleted is not meant.
  const second = await addFilm(server.context, { externalId: 'T-9001' });
  const ofTwo = await idOf('T-9001');
  expect(ofTwo.statusCode).toBe(409);
  for (const one of [film, second]) expect(ofTwo.body).toContain(one);
  expect((await send('DELETE', `/${second}`)).statusCode).toBe(204);
  expect((await idOf('T-9001')).json()).toBe(film);
  const viewer = await addPerson(server.context, { viewer: true });
  for (const as of [await server.guestToken(), await viewer.accountToken(), await editor.accountToken()])
    expect([(await get('', as)).statusCode, (await get('/GetIdByExternalId?externalId=T-9001', as)).statusCode]).toEqual([403, 403]);
});

test('a patch of the index is answered by the whole index as it is then', async () => {
  const film = await addFilm(server.context, { name: 'Habour', lines: ['we came in'] });
  const answer = await send('PATCH', `/${film}/Index`, [
    { op: 'replace', path: '/name', value: 'Harbour' },
    { op: 'replace', path: '/videos/0/insights/transcript/0/text', value: 'We came in.' },
  ]);
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  const index = VideoIndex.parse(answer.json());
  expect([index.name, index.videos[0]?.insights.transcript?.map(({ text }) => text)]).toEqual(['Harbour', ['We came in.']]);
  const asked = VideoIndex.parse((await get(`/${film}/Index`)).json());
  expect(index).toEqual(asked);
});

test('a patch may change as many lines as are changed at once', async () => {
  const texts = Array.from({ length: limits.changesAtOnceMax }, (_, n) => `what was said in line ${n}`);
  const film = await addFilm(server.context, { name: 'Long', lines: texts });
  const path = (n: number) => `/videos/0/insights/transcript/${n}/text`;
  const patch = texts.map((text, n) => ({ op: 'replace', path: path(n), value: `${text}, ${'and on '.repeat(10)}` }));
  const answer = await send('PATCH', `/${film}/Index`, patch);
  expect(answer.statusCode).toBe(200);
});

test('a film is called as fileName says where the form itself names no film', async () => {
  const named = async (sent: string, fileName: string) => {
    const answer = await upload(madeBytes(2_000, `${sent} ${fileName}`), sent, `name=x&fileName=${fileName}`);
    const { rows } = await server.context.pool.query('select file_name from videos where id = $1', [answer.json().id]);
    return [answer.statusCode, rows[0]?.file_name];
  };
  expect(await named('blob', 'tape-7.mov')).toEqual([200, 'tape-7.mov']);
  expect(await named('tape-8.mp4', 'tape-9.mov')).toEqual([200, 'tape-8.mp4']);
  expect(await named('blob', 'list.m3u8')).toEqual([415, undefined]);
});

test('8.6 every refusal says by its type which one of the contract it is', async () => {
  const bytes = madeBytes(3_000, 'twice');
  expect((await upload(bytes, 'one.mp4', 'name=One')).statusCode).toBe(200);
  const film = await addFilm(server.context, { lines: ['we came in'] });
  const transcript = (body: string, type = 'text/vtt') => send('PUT', `/${film}/Index/Transcript`, body, type);
  const byKey = (key: string) =>
    server.app.inject({ url: `/Auth${server.account}/AccessToken`, headers: { 'ocp-apim-subscription-key': key } });
  const told = async (asked: ReturnType<typeof get>) => {
    const answer = await asked;
    return [answer.statusCode, answer.json().ErrorType];
  };
  expect(await told(upload(bytes, 'one.mp4', 'name=Again&preventDuplicates=true'))).toEqual([409, 'ALREADY_EXISTS']);
  expect(await told(upload(Buffer.alloc(0), 'one.mp4', 'name=x'))).toEqual([400, 'INPUT_FILE_EMPTY']);
  expect(await told(upload(madeBytes(1_100_000, 'large'), 'one.mp4', 'name=x'))).toEqual([413, 'INPUT_FILE_SIZE_LIMIT_EXCEEDED']);
  expect(await told(transcript('WEBVTT\n\nnothing in it\n'))).toEqual([400, 'INVALID_VTT_INPUT']);
  expect(await told(transcript('{}', 'application/json'))).toEqual([400, 'INVALID_VTT_INPUT']);
  expect(await told(byKey('rushes_nobodys'))).toEqual([401, 'INVALID_AUTH_SUBSCRIPTION_KEY']);
  expect(await told(get('/Search', 'no token'))).toEqual([401, 'ACCESS_TOKEN_VALIDATION_FAILED']);
});

test('a writing call is told where its token belongs, as none is taken from its address', async () => {
  const url = (path: string) => `${server.account}/Videos${path}?name=x&accessToken=${token}`;
  for (const [method, path] of [
    ['POST', ''],
    ['DELETE', '/0000000000'],
    ['PUT', '/0000000000/ReIndex'],
  ] as const) {
    const { ErrorType, Message } = (await server.app.inject({ method, url: url(path) })).json();
    expect([method, ErrorType, Message]).toEqual([
      ...[method, 'ACCESS_TOKEN_VALIDATION_FAILED'],
      expect.stringMatching(/^This call needs an access token as Authorization: Bearer\. .+ in the address\./),
    ]);
  }
  expect((await server.app.inject(url('').replace(token, ''))).json().Message).toMatch(/as accessToken or as Authorization: Bearer/);
});

test('captions are given of every film whose index is', async () => {
  const film = await addFilm(server.context, { processed: false });
  const [index, captions] = [await get(`/${film}/Index`), await get(`/${film}/Captions`)];
  expect([index.statusCode, captions.statusCode, captions.body.startsWith('WEBVTT')]).toEqual([200, 200, true]);
  expect((await get('/0000000000/Captions')).json().ErrorType).toBe('BREAKDOWN_NOT_FOUND');
});
