import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { addFilm } from '#testing/add-film.ts';
import { addPerson } from '#testing/add-person.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { indexFilms } from '#testing/index-films.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { contentPolicies } from './http/security-headers.ts';
import { escapeMarkup } from './markup-text.ts';

const hostile = `</title><script>alert("1")</script> & 'x' \u0007\u001b[0m\ufffe <!-- ]]>`;
const shownHostile = escapeMarkup(hostile);
let server: TestServer;
let harbour: string;
let evil: string;
let hidden: string;

beforeAll(async () => {
  server = await startTestServer({
    RUSHES_PUBLIC_URL: 'https://archive.example',
    RUSHES_SEARCH_BURST: '999',
    RUSHES_THUMBNAIL_BURST: '999',
  });
  const { context } = server;
  harbour = await addFilm(context, { name: 'Harbour at dusk [RU-0042]', people: ['Ines Caldeira'], durationInSeconds: 2_520 });
  evil = await addFilm(context, { name: hostile, people: [hostile] });
  hidden = await addFilm(context, { name: 'Secret rough cut', processed: false });
  await context.pool.query('update videos set description = $2 where id = $1', [harbour, 'Boats come in "at night" & unload.']);
  await indexFilms(context);
});
afterAll(() => server.stop());

test('the feed names the newest processed videos by the name that people read, and no other', async () => {
  const answer = await get('/feed.xml');
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
  expect(answer.headers['cache-control']).toBe('public, max-age=300');
  expect(Date.parse(String(answer.headers['last-modified']))).toBeGreaterThan(Date.now() - 600_000);
  const entries = answer.body.split('<entry>').slice(1);
  expect(entries.map((entry) => /\/video\/([0-9a-f]{10})"/.exec(entry)?.[1])).toEqual([evil, harbour]);
  const [, ofHarbour = ''] = entries;
  expect(ofHarbour).toContain('<title>Harbour at dusk</title>');
  expect(ofHarbour).toContain(`<id>tag:archive.example,2026:/video/${harbour}</id>`);
  expect(ofHarbour).toContain(`href="https://archive.example/posters/${harbour}.jpg"`);
  expect(ofHarbour).toContain('<summary>42 min · Boats come in &#34;at night&#34; &#38; unload.</summary>');
  expect(answer.body).not.toContain(hidden);
});

test('the feed is well formed whatever a video is called', async () => {
  const { body } = await get('/feed.xml');
  expect(body).toContain(`<title>${shownHostile}</title>`);
  const text = body.replace(/^<\?xml [^<>]*\?>/, '').replace(/<\/?[a-z]+( [a-z]+="[^"<>]*")*\/?>/g, '');
  expect(text).toMatch(/^([^<>&]|&#\d+;)*$/);
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/);
});

test('a reader that has the feed already is sent nothing, until a video is added or withdrawn', async () => {
  const tag = String((await get('/feed.xml')).headers.etag);
  const again = await get('/feed.xml', { 'if-none-match': `"other", W/${tag}` });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  const film = await addFilm(server.context, { name: 'Withdrawn soon' });
  expect((await get('/feed.xml', { 'if-none-match': tag })).statusCode).toBe(200);
  await server.context.pool.query("update videos set state = 'Quarantined' where id = $1", [film]);
  expect((await get('/feed.xml', { 'if-none-match': tag })).statusCode).toBe(304);
});

test('the poster of a processed video opens without a token; of any other the answer is that there is none', async () => {
  const poster = await get(`/posters/${harbour}.jpg`);
  expect([poster.statusCode, poster.body, poster.headers['content-type']]).toEqual([200, 'poster', 'image/jpeg']);
  expect([poster.headers['cache-control'], poster.headers['cross-origin-resource-policy']]).toEqual([
    'public, max-age=3600',
    'cross-origin',
  ]);
  const bodies = [];
  for (const id of [hidden, '0123456789', '..%2f..%2fsecrets', 'HARBOUR']) {
    const none = await get(`/posters/${id}.jpg`);
    expect([none.statusCode, none.headers['cache-control']]).toEqual([404, 'no-store']);
    bodies.push(JSON.stringify({ ...none.json(), instance: '' }));
  }
  expect(new Set(bodies).size).toBe(1);
});

test.each([
  ['the page of a video', (id: string) => `/video/${id}?t=95&query=boats`],
  ['the sign-in page on the way to it', (id: string) => `/login?returnUrl=${encodeURIComponent(`/video/${id}?t=95`)}`],
  ['the page of a video at a time that somebody typed', (id: string) => `/video/${id}?t=1m35s`, '?t=1m35s'],
  ['a range of a video', (id: string) => `/video/${id}?t=95&query=boats&end=99.5`, '?t=95&#38;end=99.5'],
  ['a video at no time', (id: string) => `/video/${id}?t=%22%3E`, ''],
])('a link to %s is previewed by title, length and poster', async (_what, addressOf, moment = '?t=95') => {
  const { body, headers } = await get(addressOf(harbour));
  expect(body).toContain(`<title>Harbour at dusk — ${server.context.settings.name}</title>`);
  expect(metaOf(body)).toEqual({
    description: '42 min · Boats come in &#34;at night&#34; &#38; unload.',
    'twitter:card': 'summary_large_image',
    'og:type': 'video.other',
    'og:site_name': server.context.settings.name,
    'og:title': 'Harbour at dusk',
    'og:description': '42 min · Boats come in &#34;at night&#34; &#38; unload.',
    'og:url': `https://archive.example/video/${harbour}${moment}`,
    'og:image': `https://archive.example/posters/${harbour}.jpg`,
    'og:image:type': 'image/jpeg',
    'og:image:alt': 'Harbour at dusk',
  });
  expect([headers['content-security-policy'], headers['cache-control']]).toEqual([contentPolicies.app, 'no-cache']);
});

test('a preview is the same for a guest and for an administrator', async () => {
  const admin = await addPerson(server.context, { admin: true });
  const asAdmin = await get(`/video/${harbour}`, { cookie: admin.cookie });
  expect(asAdmin.body).toBe((await get(`/video/${harbour}`)).body);
});

test('no name of a video becomes markup of the page', async () => {
  const { body } = await get(`/video/${evil}`);
  expect(metaOf(body)['og:title']).toBe(shownHostile);
  expect(body).toContain(`<title>${shownHostile} — `);
  expect(body).not.toContain('<script>alert');
});

test('a page of no processed video is the document that every page is, and previews nothing', async () => {
  const plain = (await get('/search')).body;
  const foreign = encodeURIComponent(`//evil.example/video/${harbour}`);
  for (const url of [`/video/${hidden}`, '/video/0123456789', '/login', `/login?returnUrl=${foreign}`, `/search?query=/video/${harbour}`])
    expect([url, (await get(url)).body]).toEqual([url, plain]);
});

test('a browser learns where to search and whom to ask for suggestions', async () => {
  const { body } = await get('/opensearch.xml');
  expect(body).toContain('template="https://archive.example/search?query={searchTerms}&#38;skip=0"');
  expect(body).toContain(
    'type="application/x-suggestions+json" method="get" template="https://archive.example/api/suggestions?query={searchTerms}"',
  );
});

test('suggestions complete titles and people for a guest, in the form that browsers read', async () => {
  const answer = await get('/api/suggestions?query=Harb');
  expect(answer.headers['content-type']).toBe('application/x-suggestions+json; charset=utf-8');
  expect(answer.json()).toEqual(['Harb', ['Harbour at dusk'], ['Title']]);
  expect((await get('/api/suggestions?query=ines+cal')).json()).toEqual(['ines cal', ['Ines Caldeira'], ['Person']]);
  for (const nothing of ['', '?query=', '?query=%20', '?query=secret+rough', '?query=a&query=b'])
    expect([nothing, (await get(`/api/suggestions${nothing}`)).json()[1]]).toEqual([nothing, []]);
  expect((await get(`/api/suggestions?query=${'x'.repeat(1_001)}`)).statusCode).toBe(400);
});

const texts = [
  ...readCorpus('search-queries', z.object({ q: z.string().nullish() })).map(({ q }) => q ?? ''),
  ...readCorpus('file-names', z.object({ value: z.string().nullish() })).map(({ value }) => value ?? ''),
  ...readCorpus('display-names', z.object({ value: z.string().nullish() })).map(({ value }) => value ?? ''),
];

test('every hostile text of the corpus is text in markup, and reads as it was written', () => {
  expect(texts.length).toBeGreaterThan(700);
  for (const text of texts) {
    const marked = escapeMarkup(text);
    expect(marked).toMatch(/^([^<>&"'`]|&#\d+;)*$/);
    expect(marked.isWellFormed()).toBe(true);
    const read = marked.replace(/&#(\d+);/g, (_whole, code: string) => String.fromCodePoint(Number(code)));
    const bearable = text.toWellFormed().replace(/[^\t\n\r\u0020-\u007e\u00a0-\ufffd\u{10000}-\u{10ffff}]/gu, ' ');
    expect(read).toBe(bearable);
  }
});

async function get(url: string, headers: Record<string, string> = {}) {
  return await server.app.inject({ url, headers: { host: 'archive.example', ...headers } });
}

function metaOf(body: string): Record<string, string> {
  return Object.fromEntries(
    [...body.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)" \/>/g)].map(([, key, value]) => [key, value]),
  );
}
