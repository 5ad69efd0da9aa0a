import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { SearchResponse } from '#contract/video-service/answers.ts';
import { setRoles } from '#domain/users/roles.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson } from '#testing/add-person.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { indexFilms } from '#testing/index-films.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { withoutLimits } from '#testing/without-limits.ts';

const QueryEntry = z.object({
  id: z.string(),
  cls: z.string(),
  q: z.string().nullish(),
  enc: z.string().optional(),
  repeat: z.object({ unit: z.string(), times: z.number() }).optional(),
  status: z.array(z.number()),
});
const ParameterEntry = z.object({
  id: z.string(),
  cls: z.string(),
  param: z.string().optional(),
  enc: z.string().optional(),
  rawQuery: z.string().optional(),
  status: z.array(z.number()),
});
const queries = readCorpus('search-queries', QueryEntry);
const controls = queries.filter(({ cls }) => cls === 'control');
const parameters = readCorpus('params', ParameterEntry);

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await startTestServer(withoutLimits);
  token = await server.guestToken();
  const lines = controls.map(({ q }) => `Here they speak of ${q} for once.`);
  await addFilm(server.context, { name: 'Everything [RU-0001]', lines, externalId: 'RU-0001', owner: 'Nordlys' });
  for (let n = 0; n < 29; n++) await addFilm(server.context, { name: `Beach number ${n}`, lines: ['a beach again'] });
  await addFilm(server.context, { name: 'Half made beach', lines: ['beach'], processed: false });
  await indexFilms(server.context);
});
afterAll(() => server.stop());

test('the whole corpus is asked', () => {
  expect([queries.length, parameters.length]).toEqual([566, 156]);
});

test.each(queries)('the query $id is answered, never with a fault of ours', async (entry) => {
  const encoded = entry.enc ?? encodeURIComponent((entry.repeat?.unit ?? '').repeat(entry.repeat?.times ?? 0));
  const origin = await server.listen();
  // Through the wire: a line that is too long ends in the parser, before the application.
  const answer = await fetch(`${origin}${searchPath(`query=${encoded}`)}`);
  expect(entry.status).toContain(answer.status);
  if (answer.status === 431) return;
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  const body = await answer.text();
  expect(body).not.toMatch(/\bat .*\.ts:\d+|SQLSTATE|syntax error/);
});

test.each(controls)('after all that the query $id still finds its film', async ({ enc }) => {
  const { results } = SearchResponse.parse((await ask(`query=${enc}&pageSize=100`)).json());
  expect(results.map(({ name }) => name)).toContain('Everything [RU-0001]');
});

test.each(parameters.filter(({ cls }) => cls === 'skip' || cls === 'pageSize'))(
  'the parameter $id gets one of its answers',
  async (entry) => {
    const answer = await ask(`query=beach&${entry.param}=${entry.enc}`);
    expect(entry.status).toContain(answer.statusCode);
    if (answer.statusCode === 400)
      expect(answer.json()).toEqual({ ErrorType: 'INVALID_INPUT', Message: expect.stringContaining('Trace id:') });
    else expect(answer.json().results.length).toBeLessThanOrEqual(100);
  },
);

test.each(parameters.filter(({ cls }) => cls === 'pollution'))('the query string $id does no harm', async (entry) => {
  const answer = await ask(entry.rawQuery ?? '');
  expect(entry.status).toContain(answer.statusCode);
  expect(Reflect.get({}, 'x')).toBeUndefined();
});

test('one request is one search, or a few: not thousands of alternatives', async () => {
  expect((await ask('query=beach&'.repeat(8))).json().results.length).toBeGreaterThan(0);
  const refused = await ask('query=beach&'.repeat(1_000));
  expect([refused.statusCode, refused.json().Message]).toEqual([400, expect.stringContaining('query may be given at most 8 times')]);
});

test.each(parameters.filter(({ cls }) => cls === 'widening'))('the query string $id shows a guest nothing more', async (entry) => {
  const plain = await ask('query=beach&pageSize=40');
  const wider = await ask(`query=beach&pageSize=40&${entry.rawQuery}`);
  expect(entry.status).toContain(wider.statusCode);
  if (wider.statusCode === 200) expect(shown(wider.json())).toEqual(shown(plain.json()));
});

test.each(parameters.filter(({ cls }) => cls === 'id'))('the id $id opens nothing and is told as every unknown one', async (entry) => {
  const origin = await server.listen();
  const paths = [`Videos/${entry.enc}/Thumbnails/00000000-0000-0000-0000-000000000000`, `Videos/${entry.enc}/Index`];
  for (const path of paths) {
    const answer = await fetch(`${origin}${server.account}/${path}?accessToken=${token}`);
    expect([path, [400, 401, 403, 404].includes(answer.status)]).toEqual([path, true]);
  }
  expect((await ask(`id=${entry.enc}`)).json().results ?? []).toEqual([]);
});

test.each(parameters.filter(({ cls }) => cls === 't'))('a page opens whatever its start second says: $id', async (entry) => {
  const answer = await server.app.inject({ url: `/video/3a9220459b?t=${entry.enc}` });
  expect(entry.status).toContain(answer.statusCode);
  expect(answer.body).not.toContain('__xss');
});

test('3.3 externalId, created and streamingPreset are shown to administrators only', async () => {
  const admin = await addPerson(server.context, { admin: true });
  const forAdmin = (await ask('query=interview', await admin.accountToken())).json().results[0];
  expect(forAdmin).toMatchObject({ externalId: 'RU-0001', created: expect.any(String), streamingPreset: 'SingleBitrate' });
  const forGuest = (await ask('query=interview')).json().results[0];
  expect([forGuest.externalId, forGuest.created, forGuest.streamingPreset]).toEqual([null, undefined, null]);
});

test('what only those who keep the archive are shown is a filter for them, and is ignored for everybody else', async () => {
  const [admin, viewer] = [await addPerson(server.context, { admin: true }), await addPerson(server.context, { viewer: true })];
  const editor = await addPerson(server.context, { editor: true });
  const former = await addPerson(server.context, { editor: true });
  const keepers = [await admin.accountToken(), await editor.accountToken(), await editor.editToken()];
  const others = [await viewer.accountToken(), await former.editToken(), token];
  await setRoles(server.context.pool, former.uid, { viewer: true });
  const tomorrow = encodeURIComponent(new Date(Date.now() + 86_400_000).toISOString());
  for (const [filter, left] of [
    ['externalId=RU-0001', 1],
    ['owner=Nordlys', 1],
    ['owner=Nobody', 0],
    [`createdAfter=${tomorrow}`, 0],
    ['createdBefore=2001-01-01T00:00:00Z', 0],
  ] as const) {
    const found = async (as: string) => (await ask(`query=&pageSize=100&${filter}`, as)).json().results.length;
    expect([filter, ...(await Promise.all(keepers.map(found)))]).toEqual([filter, left, left, left]);
    expect([filter, ...(await Promise.all(others.map(found)))]).toEqual([filter, 30, 30, 30]);
  }
});

test('4.3 a guest goes on as of the time that the first page was given, and of no other', async () => {
  const { createdBefore, createdBeforeSignature } = (await ask('query=&pageSize=12')).json().nextPage;
  const found = async (time: string, signature: string) =>
    (await ask(`query=&pageSize=100&createdBefore=${encodeURIComponent(time)}&createdBeforeSignature=${signature}`)).json().results.length;
  const film = await addFilm(server.context, { name: 'Later than the first page' });
  try {
    expect(await found(createdBefore, createdBeforeSignature)).toBe(30);
    // Told by no page of ours: everything is found, as if no time were named.
    expect(await found(createdBefore, `${createdBeforeSignature}x`)).toBe(31);
    expect(await found(createdBefore, '')).toBe(31);
    expect(await found('2001-01-01T00:00:00Z', createdBeforeSignature)).toBe(31);
  } finally {
    await server.context.pool.query('delete from videos where id = $1', [film]);
  }
});

test('5.4 a search by id gives that video or none', async () => {
  const [{ id }] = (await ask('query=interview')).json().results;
  const found = (await ask(`id=${id}`)).json().results;
  expect(found.map((one: { id: string }) => one.id)).toEqual([id]);
  expect((await ask('id=0123456789')).json().results).toEqual([]);
});

test('9.5 only processed videos are found, also by who asks for others; the list of administrators has all of them', async () => {
  expect((await ask('query=half&state=Uploaded')).json().results).toEqual([]);
  const admin = await addPerson(server.context, { admin: true });
  const list = `${server.account}/Videos?pageSize=100`;
  const all = await server.app.inject({ url: list, headers: { authorization: `Bearer ${await admin.accountToken()}` } });
  expect(all.json().results.map(({ state }: { state: string }) => state)).toContain('Uploaded');
  const refused = await server.app.inject({ url: list, headers: { authorization: `Bearer ${token}` } });
  expect([refused.statusCode, refused.json().ErrorType]).toEqual([403, 'USER_NOT_ALLOWED']);
});

test('4.3 pages follow each other without gap or repetition, the last one says that it is the last', async () => {
  const seen: string[] = [];
  let next = { skip: 0, done: false, createdBefore: '' };
  while (!next.done) {
    const page: SearchResponse = (
      await ask(`query=&pageSize=12&skip=${next.skip}${next.createdBefore && `&createdBefore=${encodeURIComponent(next.createdBefore)}`}`)
    ).json();
    seen.push(...page.results.map(({ id }) => id));
    next = { createdBefore: '', ...page.nextPage };
  }
  expect([seen.length, new Set(seen).size]).toEqual([30, 30]);
});

test('7.3 the paths are taken in either case, the older one answers in the same shape, HEAD is answered', async () => {
  const lower = await server.app.inject({
    url: searchPath('query=beach')
      .toLowerCase()
      .replace(/accesstoken=.*/, `accessToken=${token}`),
  });
  expect(SearchResponse.parse(lower.json()).results).toHaveLength(25);
  const older = await server.app.inject({ url: `/Partner/Breakdowns/Search?query=bea&pageSize=5&accessToken=${token}` });
  expect(SearchResponse.parse(older.json()).results).toHaveLength(5);
  const head = await server.app.inject({ method: 'HEAD', url: searchPath('query=beach') });
  expect([head.statusCode, head.body]).toEqual([200, '']);
});

test('7.3 another location or account is not here', async () => {
  const { location, accountId } = server.context.config.videoService;
  for (const [path, errorType] of [
    [`/mars/Accounts/${accountId}`, 'LOCATION_NOT_FOUND'],
    [`/${location}/Accounts/00000000-0000-0000-0000-000000000000`, 'ACCOUNT_NOT_FOUND'],
  ]) {
    const answer = await server.app.inject({ url: `${path}/Videos/Search?accessToken=${token}` });
    expect([answer.statusCode, answer.json().ErrorType]).toEqual([404, errorType]);
  }
});

test('8.6 the video service tells its errors in its own shape, with the id of the request', async () => {
  const answer = await server.app.inject({ url: `${server.account}/Videos/Search` });
  expect(answer.statusCode).toBe(401);
  expect(answer.json()).toEqual({
    ErrorType: 'ACCESS_TOKEN_VALIDATION_FAILED',
    Message: expect.stringContaining(`Trace id: '${answer.headers['x-ms-request-id']}'.`),
  });
  expect(answer.headers['www-authenticate']).toBe('Bearer');
});

test('two tokens that differ are refused, whichever place the stronger one stands in', async () => {
  const admin = await addPerson(server.context, { admin: true });
  const headers = { authorization: `Bearer ${await admin.accountToken()}` };
  expect((await server.app.inject({ url: searchPath('query=beach'), headers })).statusCode).toBe(400);
  expect((await server.app.inject({ url: `${searchPath('query=beach')}&accessToken=${token}` })).statusCode).toBe(400);
});

test('a language that nobody can mean is refused by its name; names and codes are taken', async () => {
  for (const known of ['English', 'english', 'de', 'pt-BR', 'All', 'English&language=French'])
    expect([known, (await ask(`query=beach&language=${known}`)).statusCode]).toEqual([known, 200]);
  const answer = await ask('query=beach&language=English&language=Klingon');
  expect([answer.statusCode, answer.json().ErrorType, answer.json().Message]).toEqual([
    400,
    'INVALID_INPUT',
    expect.stringContaining('Klingon'),
  ]);
});

test('2.9 the list of administrators goes on to its end, unshifted by what comes in or goes and however many pages it takes', async () => {
  const busy = await startTestServer({ RUSHES_SEARCHES_PER_MINUTE: '1', RUSHES_SEARCH_BURST: '1' });
  try {
    const stood: string[] = [];
    for (let n = 0; n < 5; n++) stood.unshift(await addFilm(busy.context, { processed: n % 2 === 0 }));
    const admin = await addPerson(busy.context, { admin: true });
    const headers = { authorization: `Bearer ${await admin.accountToken()}` };
    const listed: string[] = [];
    for (let next: SearchResponse['nextPage'] = { pageSize: 2, skip: 0, done: false }; !next.done; ) {
      const { skip, createdBefore, after } = next;
      const from = new URLSearchParams({ pageSize: '2', skip: `${skip}`, ...(createdBefore && after ? { createdBefore, after } : {}) });
      const page: SearchResponse = (await busy.app.inject({ url: `${busy.account}/Videos?${from}`, headers })).json();
      listed.push(...page.results.map(({ id }) => id));
      next = page.nextPage;
      await addFilm(busy.context);
      await busy.context.pool.query('delete from videos where id = $1', [listed.at(-1)]);
    }
    expect(listed).toEqual(stood);
  } finally {
    await busy.stop();
  }
});

test('a page of results is packed for another machine that takes it so', async () => {
  const from = { remoteAddress: '198.51.100.7', url: searchPath('query=beach') };
  const packed = await server.app.inject({ ...from, headers: { 'accept-encoding': 'gzip;q=1.0, br' } });
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(SearchResponse.parse(JSON.parse(gunzipSync(packed.rawPayload).toString())).results).toHaveLength(25);
  const plain = await server.app.inject({ ...from, headers: { 'accept-encoding': 'gzip;q=0' } });
  expect([plain.headers['content-encoding'], plain.json().results.length]).toEqual([undefined, 25]);
});

function searchPath(query: string): string {
  return `${server.account}/Videos/Search?${query}&accessToken=${token}`;
}

function ask(query: string, as = token) {
  return server.app.inject({ url: `${server.account}/Videos/Search?${query}`, headers: { authorization: `Bearer ${as}` } });
}

/** What a guest learns: the videos, and which fields of theirs. */
function shown({ results }: SearchResponse) {
  return results.map((item) => [item.id, Object.keys(item)]);
}
