import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { routes } from '#contract/routes.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import {
  azureAccountToken,
  azureFace,
  azurePicture,
  azureSecret,
  azureFilm as film,
  type StandInAzure,
  startStandInAzure,
} from '#testing/stand-in-azure.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { withoutLimits } from '#testing/without-limits.ts';
import { checkAccess } from '../access-check/check-access.ts';
import { openAzureService } from '../azure/azure-service.ts';
import { readAzureSettings } from '../azure/azure-settings.ts';

let azure: StandInAzure;
let server: TestServer;
let viewer: Person;
beforeAll(async () => {
  azure = await startStandInAzure();
  server = await startTestServer({ ...withoutLimits, ...azure.settings });
  viewer = await addPerson(server.context, { viewer: true });
});
afterAll(async () => {
  await server.stop();
  azure.stop();
});
beforeEach(() => {
  azure.calls.length = 0;
  azure.refusals = [];
});

const get = (url: string, token: string) => server.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
const search = async (query: string, token?: string) =>
  await get(`${server.account}/Videos/Search?${new URLSearchParams({ query, pageSize: '12' })}`, token ?? (await server.guestToken()));
const videoToken = async (person: Person) => (await get(`/api/GetVideoIndexerVideoAccessTokenV2/${film}`, await person.bearer())).json();

test('a guest finds films that lie at Azure, each match with its time, its kind and what to mark', async () => {
  const answer = (await search('harbour lights')).json();
  expect(answer.results).toMatchObject([
    { id: film, name: 'Harbour lights', durationInSeconds: 272, externalId: null, streamingPreset: null },
  ]);
  expect(answer.results[0].created).toBeUndefined();
  expect(answer.results[0].searchMatches).toMatchObject([
    {
      startTime: '00:00:26',
      type: 'Transcript',
      exactText: 'harbour',
      ranges: [
        [4, 11],
        [36, 43],
      ],
    },
    { startTime: '00:01:01.1000000', type: 'Face', text: 'Ann Archer' },
  ]);
  expect(answer.nextPage).toMatchObject({ done: true });
  expect(azure.calls.at(-1)).toMatch(
    /Videos\/Search\?pageSize=12&skip=0&query=harbour\+lights&privacy=Private&state=Processed&language=English /,
  );
});

test('a guest holds nothing that opens the account at Azure, and no answer tells it or the secret', async () => {
  const token = (await server.app.inject('/api/GetVideoIndexerAccountTokenV2')).json().accessToken;
  const answers = [
    await search('harbour', token),
    await get(`${server.account}/Videos/${film}/Index`, token),
    await server.app.inject(`/search?query=harbour`),
    await server.app.inject('/readyz'),
  ];
  for (const { body, headers } of answers) {
    for (const secret of [azureAccountToken, azureSecret, 'token-of-film', '"login"'])
      expect(body + JSON.stringify(headers)).not.toContain(secret);
  }
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 403, 200, 200]);
  expect(token).not.toBe(azureAccountToken);
});

test('whoever may watch is given what opens the frames of that film alone; guests and those who wait are not', async () => {
  const { accessToken, widgetToken } = await videoToken(viewer);
  expect(widgetToken).toBe(`token-of-film-${film}`);
  expect(azure.calls.join('\n')).toContain(`{"permissionType":"Reader","scope":"Video","videoId":"${film}"}`);
  expect((await videoToken(await addPerson(server.context, {}))).code).toBe('forbidden');
  const index = (await get(`${server.account}/Videos/${film}/Index?includeStreamingUrls=false`, accessToken)).json();
  expect(index).toMatchObject({ name: 'Harbour lights', durationInSeconds: 272 });
  const { transcript, ocr } = index.videos[0].insights;
  expect(transcript).toMatchObject([
    { text: expect.stringContaining('harbour slept'), instances: [{ start: '0:00:26', end: '0:00:29.5' }] },
  ]);
  expect(ocr).toMatchObject([{ text: 'PIER 4' }]);
});

test.each(['', '.', '..', '%2e%2e', '%2E%2E%2F', 'abcdefghij%2f..'])(
  'what is no id of a film (“%s”) is given no token of anything, least of all of the account',
  async (id) => {
    const { statusCode, body } = await get(`/api/GetVideoIndexerVideoAccessTokenV2/${id}`, await viewer.bearer());
    expect(statusCode).toBe(404);
    expect(body).not.toMatch(/token/i);
    const { azure: settings } = readAzureSettings(azure.byKey);
    const service = settings && openAzureService(settings);
    const videoId = decodeURIComponent(id);
    await expect(service?.widgetToken(videoId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(service?.index(videoId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(service?.picture({ videoId, thumbnailId: azureFace, mayWatch: true })).rejects.toMatchObject({ code: 'not_found' });
    await expect(service?.picture({ videoId: film, thumbnailId: videoId, mayWatch: true })).rejects.toMatchObject({ code: 'not_found' });
    expect(azure.calls.filter((call) => call.includes('oken'))).toEqual([]);
  },
);

test('a poster is shown to everybody, and a face to none but those who may watch the film', async () => {
  const [found] = (await search('harbour')).json().results;
  const picture = async (id: string, token: string) => await get(`${server.account}/Videos/${film}/Thumbnails/${id}`, token);
  const guest = await server.guestToken();
  expect((await picture(found.thumbnailId, guest)).rawPayload.equals(azurePicture)).toBe(true);
  expect((await picture(azureFace, guest)).statusCode).toBe(404);
  expect((await picture(azureFace, (await videoToken(viewer)).accessToken)).statusCode).toBe(200);
});

test('administrators see what only they may, and the list of films in every state', async () => {
  const admin = await addPerson(server.context, { admin: true });
  const listed = (await get(`${server.account}/Videos?pageSize=12`, await admin.accountToken())).json();
  expect(listed.results).toMatchObject([
    { externalId: 'tape-7', streamingPreset: 'SingleBitrate', created: '2018-04-25T16:29:43.099+00:00' },
  ]);
  expect(azure.calls.at(-1)).toMatch(/^GET \/westeurope\/Accounts\/[\w-]+\/Videos\?pageSize=12&skip=0 /);
  expect((await get(`${server.account}/Videos`, await server.guestToken())).statusCode).toBe(403);
});

test('a token that is taken back is minted anew; too many calls, silence and refused credentials are told in words', async () => {
  azure.refusals = [{ status: 401 }];
  expect((await search('harbour')).json().results).toHaveLength(1);
  azure.refusals = [{ status: 429, headers: { 'retry-after': '17' } }];
  const slowed = await search('harbour');
  expect([slowed.statusCode, slowed.headers['retry-after'], slowed.json().Message]).toEqual([
    429,
    '17',
    expect.stringContaining('too many requests'),
  ]);
  azure.refusals = [{ status: 503 }];
  expect((await search('harbour')).json()).toMatchObject({ ErrorType: 'SERVER_TIMEOUT' });
  azure.refusals = [{ status: 401 }, { status: 403 }];
  const refused = await search('harbour');
  expect([refused.statusCode, refused.json().Message]).toEqual([503, expect.stringContaining('credentials')]);
  expect((await search('harbour')).statusCode).toBe(200);
});

test('an answer that is none is told in words with a time to try again, and a film of which nothing can be made hides no other', async () => {
  const body = {
    page: '<html>Bad gateway</html>',
    ends: '{"results":[',
    films: '{"results":[{"id":"nameless"},null],"nextPage":{"skip":"x"}}',
  };
  for (const broken of [body.page, body.ends]) {
    azure.refusals = [{ status: 200, body: broken }];
    const answer = await search('harbour');
    expect([answer.statusCode, answer.headers['retry-after'], answer.json().ErrorType]).toEqual([503, '30', 'SERVER_TIMEOUT']);
  }
  azure.refusals = [{ status: 200, body: body.films }];
  const answer = await search('harbour');
  expect([answer.statusCode, answer.json().results]).toEqual([200, []]);
});

test('what opens a film is minted anew after minutes, so that its frames stay open; what opens the account is kept as long as it holds', async () => {
  const { azure: settings } = readAzureSettings(azure.settings);
  if (!settings) throw new Error('the stand-in names no account');
  let minutes = 0;
  const service = openAzureService(settings, { now: () => (1_000 + minutes) * 60_000 });
  const mintedAt = async (at: number) => {
    minutes = at;
    azure.calls.length = 0;
    await service.widgetToken(film);
    await service.index(film);
    return azure.calls.flatMap((call) => /generateAccessToken.*"scope":"(\w+)"/.exec(call)?.[1] ?? []);
  };
  expect(await mintedAt(0)).toEqual(['Video', 'Account']);
  expect(await mintedAt(4)).toEqual([]);
  expect(await mintedAt(10)).toEqual(['Video']);
  expect(await mintedAt(54)).toEqual(['Video']);
  expect(await mintedAt(56)).toEqual(['Account']);
});

test('a classic account is opened by its key', async () => {
  const { azure: settings, faults } = readAzureSettings(azure.byKey);
  expect(faults).toEqual([]);
  const service = settings && openAzureService(settings);
  const found = await service?.search({ query: ['harbour'], skip: 0, pageSize: 12, purpose: 'results' });
  expect(found?.answer.results.map(({ video }) => video.name)).toEqual(['Harbour lights']);
  expect(await service?.widgetToken(film)).toBe(`token-of-film-${film}`);
  expect(azure.calls[0]).toMatch(/^GET \/Auth\/westeurope\/Accounts\/[\w-]+\/AccessToken\?allowEdit=false a-key$/);
});

test('what is missing of an account is named, and no secret is', () => {
  const faultsOf = (change: Record<string, string>) => readAzureSettings({ ...azure.settings, ...change }).faults;
  expect(faultsOf({ AZURE_CLIENT_SECRET: '' })).toEqual(['VIDEO_SERVICE=azure needs AZURE_CLIENT_SECRET']);
  expect(readAzureSettings({ VIDEO_SERVICE: 'azure' }).faults).toEqual([expect.stringMatching(/AZURE_LOCATION, .+, or AZURE_KEY alone/)]);
  expect(faultsOf({ AZURE_ACCOUNT_ID: 'no guid' })).toEqual(['AZURE_ACCOUNT_ID must be a GUID']);
  expect(readAzureSettings({}).azure).toBeNull();
});

test('what is done with films that lie here has no address there', async () => {
  const editor = await addPerson(server.context, { editor: true });
  for (const { path } of [routes.incoming, routes.listSteps, routes.player])
    expect((await server.app.inject({ url: path.replace(/:\w+/g, 'x'), headers: { cookie: editor.cookie } })).statusCode).toBe(404);
  const { headers, body } = await server.app.inject('/');
  expect(headers['content-security-policy']).toContain(`frame-src 'self' ${azure.settings.AZURE_WIDGET_BASE};`);
  expect(body).toContain('"films":"azure"');
});

test('the status and the figures for other programs say nothing of an index, which is not made there', async () => {
  const admin = await addPerson(server.context, { admin: true });
  const status = (await server.app.inject({ url: routes.archiveStatus.path, headers: { cookie: admin.cookie } })).json();
  expect([status.index, status.warnings.map(({ about }: { about: string }) => about)]).toEqual([
    null,
    expect.not.arrayContaining(['store']),
  ]);
  const { body } = await server.app.inject({ url: routes.metrics.path });
  expect(body).toContain('rushes_processes{');
  expect(body).not.toMatch(/^rushes_index_/m);
});

test('a check of who sees what asks the routes that are there, and finds no leak', async () => {
  const admin = await addPerson(server.context, { admin: true });
  const check = await checkAccess(server, { actorUid: admin.uid, from: 'here' });
  expect(check).toMatchObject({ leaks: [], unasked: [] });
  expect(check.routes).toBeLessThan(Object.keys(routes).length);
  expect(check.questions).toBeGreaterThan(50);
});
