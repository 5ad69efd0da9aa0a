import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { sql } from '#domain/db/sql.ts';
import { mintAccountToken } from '#domain/tokens/account-token.ts';
import { makePosterThumbnailId } from '#domain/tokens/thumbnail-ids.ts';
import { CatalogueRecord } from '#domain/videos/catalogue-record.ts';
import { createCatalogueVideos } from '#domain/videos/create-video.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { indexFilms } from '#testing/index-films.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { withoutLimits } from '#testing/without-limits.ts';

let server: TestServer;
let editor: Person;
let viewer: Person;
/** The only film that names herons; another one stands beside it. */
let film: string;
beforeAll(async () => {
  server = await startTestServer(withoutLimits);
  editor = await addPerson(server.context, { editor: true });
  viewer = await addPerson(server.context, { viewer: true });
  const facts = { people: ['Solveig Bakkane'], labels: ['heronry'], lines: ['the heronry is flooded', 'nobody saw the herons leave'] };
  film = await addFilm(server.context, { name: 'Heronry at dawn', ...facts });
  await addFilm(server.context, { name: 'Harbour at dusk', people: ['Ragnhild Moe'], lines: ['the ferry is late'] });
  await indexFilms(server.context);
});
afterAll(() => server.stop());
beforeEach(() => server.context.pool.query('delete from film_visibility'));

/** Every question that may tell of the film, asked as somebody; by what was asked, whether the answer tells of it. */
async function whatTells(person: Person | null): Promise<Record<string, boolean>> {
  const caller = person?.uid ?? 'a guest';
  const accessToken = await mintAccountToken(server.context.secrets, { caller, adminFields: false, sid: person?.sid });
  const headers = person ? { cookie: person.cookie } : {};
  const account = (path: string, asked: Record<string, string> = {}) =>
    `${server.account}/Videos${path}?${new URLSearchParams({ ...asked, accessToken })}`;
  const questions = {
    search: account('/Search', { query: 'heronry' }),
    'search by its id': account('/Search', { query: `id:${film}` }),
    'search with a condition': account('/Search', { query: '+flooded' }),
    'search that is sorted': account('/Search', { query: 'flooded', sort: 'newest' }),
    'search for something else': account('/Search', { query: 'heronrie' }),
    'search for a word that only it holds, half typed': account('/Search', { query: 'ferry solv' }),
    'the same as suggestions': `/Partner/Breakdowns/Search?${new URLSearchParams({ query: 'ferry solv', accessToken })}`,
    list: account('/Search'),
    'list by id': account('/Search', { id: film }),
    facets: account('/Search/Facets', { query: 'flooded' }),
    'facets of the list': account('/Search/Facets'),
    suggestions: `/Partner/Breakdowns/Search?${new URLSearchParams({ query: 'heron', accessToken })}`,
    'choice of suggestions': `/Partner/Breakdowns/Search?${new URLSearchParams({ query: 'solv', perKind: '3', accessToken })}`,
    'suggestions of browsers': '/api/suggestions?query=heron',
    examples: '/api/search-examples',
    feed: '/feed.xml',
    poster: `/posters/${film}.jpg`,
    'card of a link': `/video/${film}`,
    thumbnail: account(`/${film}/Thumbnails/${makePosterThumbnailId(server.context.secrets, film)}`),
  };
  const told: Record<string, boolean> = {};
  for (const [what, url] of Object.entries(questions)) {
    const { statusCode, body } = await server.app.inject({ url, headers });
    // Its own question says an answer again to everybody.
    const said = body.replace(/"query":"[^"]*",/, '');
    const isPicture = what === 'poster' || what === 'thumbnail';
    // Without it one film is listed, and none holds the word.
    const counts = what.startsWith('facets') && !/"videos":[01],"kinds"/.test(body);
    told[what] = statusCode === 200 && (isPicture || counts || new RegExp(`heronry|solveig|the flooded|${film}`, 'i').test(said));
  }
  return told;
}

/** What of these tells of the film, by what was asked. */
async function tellingTo(person: Person | null): Promise<string[]> {
  return Object.entries(await whatTells(person))
    .filter(([, tells]) => tells)
    .map(([what]) => what);
}

/** What previews of links, feed readers and their pictures are told, whoever asks: they are guests. */
const forGuestsAlone = ['feed', 'poster', 'card of a link'];

test('whoever sees a film is told of it by everything that is asked here', async () => {
  for (const person of [null, viewer, editor])
    expect(
      Object.entries(await whatTells(person))
        .filter(([, tells]) => !tells)
        .map(([what]) => what),
    ).toEqual([]);
});

test('a film that is kept from guests is told of by nothing to a guest, and by all to viewers and editors but what guests are sent', async () => {
  expect((await show({ shownTo: 'viewers' })).statusCode).toBe(200);
  expect(await tellingTo(null)).toEqual([]);
  for (const person of [viewer, editor]) {
    const told = await whatTells(person);
    const untold = Object.keys(told).filter((what) => !told[what]);
    expect(untold).toEqual(Object.keys(told).filter((what) => forGuestsAlone.includes(what)));
  }
  // And a guest is told of the other film as before.
  const accessToken = await server.guestToken();
  const list = (await server.app.inject(`${server.account}/Videos/Search?${new URLSearchParams({ accessToken })}`)).json();
  expect([list.results.length, list.nextPage.totalCount]).toEqual([1, 1]);
});

test('a word that only a film holds that is kept from somebody is not what theirs was taken for; one of a film that they see is', async () => {
  await show({ shownTo: 'editors', reason: 'Rights' });
  const asked = async (person: Person, query: string, perKind?: string) => {
    const texts = new URLSearchParams({ query, accessToken: await person.accountToken(), ...(perKind ? { perKind } : {}) });
    return (await server.app.inject(`${perKind ? '/Partner/Breakdowns' : `${server.account}/Videos`}/Search?${texts}`)).json();
  };
  const found = await asked(viewer, 'ferry solv');
  expect([found.searchedFor, found.results]).toMatchObject([undefined, [{ name: 'Harbour at dusk', lacks: ['solv'] }]]);
  expect((await asked(editor, 'ferry solv')).searchedFor).toEqual({ text: 'ferry solveig', literally: 'ferry "solv"' });
  expect((await asked(viewer, 'harbour solv', '3')).searchedFor).toBeUndefined();
  expect((await asked(viewer, 'late Ragn')).searchedFor).toEqual({ text: 'late Ragnhild', literally: 'late "Ragn"' });
  const id = found.results[0].id;
  const inFilm = async (person: Person) => {
    const texts = new URLSearchParams({ query: 'ferry solv', accessToken: await person.videoToken(id) });
    return (await server.app.inject(`${server.account}/Videos/${id}/Matches?${texts}`)).json().searchedFor?.text;
  };
  expect([await inFilm(viewer), await inFilm(editor)]).toEqual([undefined, 'ferry solveig']);
});

test('a film that is taken down is told of to editors alone, every key that a viewer holds stops at once, and it comes back as it was', async () => {
  const doors = await doorsOf(viewer);
  const statuses = async () => await Promise.all(doors.map(async (door) => (await server.app.inject(door)).statusCode));
  const open = doors.map(() => 200);
  expect(await statuses()).toEqual(open);
  expect((await show({ shownTo: 'editors' })).json()).toMatchObject({
    code: 'invalid_parameter',
    detail: expect.stringContaining('reason'),
  });
  const down = (await show({ shownTo: 'editors', reason: 'Somebody in it has asked' })).json();
  expect(down).toMatchObject({ shownTo: 'editors', until: null, reason: 'Somebody in it has asked', setBy: `Person ${editor.uid}` });
  expect([await tellingTo(null), await tellingTo(viewer), await statuses()]).toEqual([[], [], doors.map(() => 404)]);
  const anew = { url: `/api/GetVideoIndexerVideoAccessTokenV2/${film}`, headers: { authorization: `Bearer ${await viewer.bearer()}` } };
  expect((await server.app.inject(anew)).statusCode).toBe(404);
  const editors = await doorsOf(editor);
  expect(await Promise.all(editors.map(async (door) => (await server.app.inject(door)).statusCode))).toEqual(open);
  expect((await ask('GET', '/api/kept-back', editor)).json().films).toMatchObject([
    { id: film, name: 'Heronry at dawn', reason: 'Somebody in it has asked' },
  ]);
  expect((await show({ shownTo: 'everybody', seenAt: down.setAt })).json()).toMatchObject({ shownTo: 'everybody', setAt: null });
  expect([await statuses(), (await server.app.inject(anew)).statusCode, (await tellingTo(null)).length > 10]).toEqual([open, 200, true]);
});

test('a film under embargo is told of to editors alone, and to everybody from its time on without anybody doing anything', async () => {
  expect((await show({ shownTo: 'editors', until: new Date(Date.now() - 1_000) })).json()).toMatchObject({ code: 'invalid_parameter' });
  expect((await show({ shownTo: 'editors', until: new Date(Date.now() + 3_600_000) })).statusCode).toBe(200);
  expect([await tellingTo(null), await tellingTo(viewer)]).toEqual([[], []]);
  await server.context.pool.query(`update film_visibility set until = now() - interval '1 second'`);
  expect([(await tellingTo(null)).includes('search'), (await tellingTo(viewer)).includes('facets')]).toEqual([true, true]);
  expect((await ask('GET', `/api/videos/${film}/visibility`, editor)).json()).toMatchObject({ shownTo: 'everybody', setAt: null });
  expect((await ask('GET', '/api/kept-back', editor)).json()).toEqual({ films: [], total: 0, next: null });
});

test('films that are restricted, and those that are deleted, are listed to the last, also where some leave the list meanwhile', async () => {
  const { pool } = server.context;
  const records = Array.from({ length: 205 }, (_, n) => CatalogueRecord.parse({ id: `many ${n}`, title: `Many ${n}` }));
  await createCatalogueVideos(pool, records);
  await pool.query(sql`
    insert into film_visibility (video_id, shown_to, until, reason, set_by) select id, 'viewers', null, '', ${editor.uid} from videos where name like 'Many %'`);
  const keptBack = await listed('/api/kept-back', (id) => pool.query(sql`delete from film_visibility where video_id = ${id}`));
  expect([keptBack.totals, new Set(keptBack.ids).size]).toEqual([[205, 204, 203], 205]);
  await pool.query(sql`
    insert into deletions (video_id, state_before, deleted_by, reason) select id, state, ${editor.uid}, '' from videos where name like 'Many %'`);
  await pool.query(sql`update videos set state = 'Quarantined' where name like 'Many %'`);
  expect((await ask('GET', '/api/kept-back', editor)).json()).toEqual({ films: [], total: 0, next: null });
  const deleted = await listed('/api/deletions', (id) => pool.query(sql`delete from deletions where video_id = ${id}`));
  expect([deleted.totals, new Set(deleted.ids).size]).toEqual([[205, 204, 203], 205]);
});

/** A list to its end, from which after each piece the first film goes that was listed so far. */
async function listed(path: string, leaves: (id: string) => Promise<unknown>) {
  const [ids, totals]: [string[], number[]] = [[], []];
  for (let next: string | null = ''; next !== null; ) {
    const page: z.infer<typeof FilmsListed> = FilmsListed.parse(
      (await ask('GET', next === '' ? path : `${path}?after=${next}`, editor)).json(),
    );
    ids.push(...page.films.map(({ id }) => id));
    totals.push(page.total);
    next = page.next;
    await leaves(ids[totals.length - 1] ?? '');
  }
  return { ids, totals };
}

const FilmsListed = z.object({ films: z.array(z.object({ id: z.string() })), total: z.number(), next: z.string().nullable() });

test('of two editors who decide at once the second is told; who decided what stands in the activity', async () => {
  const first = (await show({ shownTo: 'viewers', reason: 'Rights' })).json();
  expect((await show({ shownTo: 'everybody', seenAt: null })).json()).toMatchObject({ code: 'version_mismatch' });
  expect((await show({ shownTo: 'everybody', seenAt: first.setAt })).statusCode).toBe(200);
  const admin = await addPerson(server.context, { admin: true });
  const { entries } = (await ask('GET', '/api/activity', admin)).json();
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'film-shown-to', before: 'viewers only · Rights', detail: 'everyone', actor: { uid: editor.uid }, video: { id: film } },
    { action: 'film-shown-to', before: 'everyone', detail: 'viewers only · Rights' },
  ]);
  expect(
    (await ask('PUT', `/api/videos/${film}/visibility`, viewer, { shownTo: 'viewers', until: null, reason: '', seenAt: null })).statusCode,
  ).toBe(403);
});

function show(asked: { shownTo: string; until?: Date; reason?: string; seenAt?: string | null }) {
  const { until = null, reason = '', seenAt = null, shownTo } = asked;
  return ask('PUT', `/api/videos/${film}/visibility`, editor, { shownTo, until, reason, seenAt });
}

function ask(method: 'GET' | 'PUT', url: string, person: Person, payload?: object) {
  const headers = { cookie: person.cookie, origin: 'http://localhost:80', host: 'localhost:80', 'content-type': 'application/json' };
  return server.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
}

/** What somebody holds of the film who was watching: a token, and the cookie of its stream. */
async function doorsOf(person: Person) {
  const accessToken = await person.videoToken(film);
  const player = `/embed/player/trial/${film}/?${new URLSearchParams({ accessToken })}`;
  const cookie = String((await server.app.inject(player)).headers['set-cookie']).split(';')[0];
  const ofFilm = (path: string, asked: Record<string, string> = {}) =>
    ({ method: 'GET', url: `${server.account}/Videos/${film}${path}?${new URLSearchParams({ ...asked, accessToken })}` }) as const;
  return [
    { method: 'GET', url: player } as const,
    { method: 'GET', url: `/embed/insights/trial/${film}/?${new URLSearchParams({ accessToken })}` } as const,
    { method: 'GET', url: `/api/videos/${film}/facts`, headers: { authorization: `Bearer ${accessToken}` } } as const,
    ofFilm('/Index'),
    ofFilm('/Captions'),
    ofFilm('/Matches', { query: 'flooded' }),
    ofFilm('/Thumbnails/00000001-0000-0000-0000-000000000000'),
    { method: 'GET', url: `/media/${film}/hls/v1/segment-00000.m4s`, headers: { cookie } } as const,
    { method: 'GET', url: `/media/${film}/captions.vtt`, headers: { cookie } } as const,
    { method: 'GET', url: `/media/${film}/frame/1.jpg`, headers: { cookie } } as const,
  ];
}
