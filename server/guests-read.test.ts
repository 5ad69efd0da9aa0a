import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ArchiveSettings } from '#contract/archive.ts';
import type { Roles } from '#contract/roles.ts';
import type { SearchItem, SearchResponse } from '#contract/video-service/answers.ts';
import { frameThumbnailIds } from '#domain/tokens/thumbnail-ids.ts';
import { setRoles } from '#domain/users/roles.ts';
import { CatalogueRecord } from '#domain/videos/catalogue-record.ts';
import { createCatalogueVideos } from '#domain/videos/create-video.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson } from '#testing/add-person.ts';
import { indexFilms } from '#testing/index-films.ts';
import { rows } from '#testing/role-matrix.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { withoutLimits } from '#testing/without-limits.ts';

type Reading = ArchiveSettings['guestsRead'];

/** Words that are only said, written or named in the footage; no title and no question holds them. */
const canaries = ['quetzalcoatl', 'xylographer', 'zephyrine', 'velociraptor', 'brandywine'];
/** They find each of these by what stands beside it, and by a slip or a beginning of the word itself. */
const questions = [
  'lamplighter',
  'turnpike okonkwo',
  'harbour dusk',
  '"the lamplighter"',
  'lamplighter -zeppelin',
  'quetzalcoatk',
  'quetzalcoatk lamplighter',
  'quetzalcoatk dressmaker',
  'xylographed turnpike',
  'zephyrina',
  'velociraptr',
  'brandywyne',
  'qetz',
  'quetzalc',
  'xylogr',
  'zephyr',
  'velocir',
  'brandyw',
];

const record = CatalogueRecord.parse({
  id: 'film',
  title: 'Harbour at dusk',
  durationSeconds: 60,
  lines: [{ start: 8, text: 'The lamplighter of Quetzalcoatl comes home' }],
  ocr: [{ start: 20, text: 'Xylographer, turnpike road' }],
  people: [{ name: 'Zephyrine Okonkwo', at: [3] }],
  labels: [{ name: 'velociraptor shelf', at: [30] }],
  brands: [{ name: 'Brandywine Works', at: [40] }],
});

/** It lacks what the other one holds. */
const lacking = CatalogueRecord.parse({ id: 'other', title: 'Beach', lines: [{ start: 1, text: 'A dressmaker at noon' }] });

const folder = mkdtempSync(join(tmpdir(), 'rushes-reading-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(['words', 'counts', 'locked'] as const)('where guests read %s', (guestsRead) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ ...withoutLimits, RUSHES_ARCHIVE_CONFIG: settingsFile(guestsRead) });
    await createCatalogueVideos(server.context.pool, [record, lacking]);
    await indexFilms(server.context);
  });
  afterAll(() => server.stop());

  test('no answer that a guest, somebody waiting or somebody whose role was taken can get holds a word of a match', async () => {
    const removed = await addPerson(server.context, { viewer: true });
    const ended = await addPerson(server.context, { admin: true });
    await setRoles(server.context.pool, removed.uid, {});
    await server.context.pool.query('delete from sessions where id = $1', [ended.sid]);
    const waiting = await addPerson(server.context, {});
    const tokens = [
      { token: await server.guestToken() },
      { token: await waiting.accountToken(), cookie: waiting.cookie },
      { token: await removed.accountToken(), cookie: removed.cookie },
      { token: await ended.accountToken(), cookie: ended.cookie },
    ];
    const answers: string[] = [];
    for (const who of tokens) answers.push(...(await everyAnswer(server, who)));
    expect(answers.length).toBeGreaterThan(tokens.length * questions.length * 5);
    const read = canaries.filter((word) => answers.some((answer) => answer.toLowerCase().includes(word)));
    expect(read).toEqual(guestsRead === 'words' ? canaries : []);
  });

  test.each<[string, Roles]>([
    ['viewer', { viewer: true }],
    ['editor', { editor: true }],
    ['administrator', { admin: true }],
  ])('a %s reads the words, and no longer from the request after the role was taken', async (_name, roles) => {
    const person = await addPerson(server.context, roles);
    const token = await person.accountToken();
    const before = await search(server, 'lamplighter', token);
    expect(before.reading).toBeUndefined();
    expect(before.results[0]?.searchMatches[0]?.text).toBe(record.lines[0]?.text);
    await setRoles(server.context.pool, person.uid, {});
    const after = await search(server, 'lamplighter', token);
    expect(after.reading).toBe(guestsRead === 'words' ? undefined : guestsRead);
  });

  test('what a video is called, how long it is and how much of it matches is told to everybody', async () => {
    const { results, nextPage } = await search(server, 'lamplighter turnpike zeppelin', await server.guestToken());
    expect(results).toMatchObject([
      { name: 'Harbour at dusk', durationInSeconds: 60, searchMatchesTotal: 2, lacks: ['zeppelin'], thumbnailId: expect.any(String) },
    ]);
    expect(results[0]?.searchMatchCounts).toEqual({ Transcript: 1, Ocr: 1 });
    expect(nextPage.done).toBe(true);
    const expected = { words: 2, counts: 0, locked: 2 }[guestsRead];
    expect(results[0]?.searchMatches).toHaveLength(expected);
  });

  test('a name that guests are not shown is no filter for them, and one that they are is', async () => {
    const named = async (asked: string) => {
      const { results } = await search(server, 'harbour', await server.guestToken(), asked);
      return results.length;
    };
    for (const filter of ['face=Nobody', 'person=Nobody', 'label=Nothing', 'brand=Nothing'])
      expect([filter, await named(`&${filter}`)]).toEqual([filter, guestsRead === 'words' ? 0 : 1]);
    expect(await named('&length=over-60')).toBe(0);
  });

  test('a browser is offered titles', async () => {
    const offered = async (typed: string) => (await server.app.inject({ url: `/api/suggestions?query=${typed}` })).json()[1];
    expect(await offered('harb')).toEqual(['Harbour at dusk']);
    expect(await offered('okonk')).toEqual(guestsRead === 'words' ? ['Zephyrine Okonkwo'] : []);
  });

  test('a frame of a moment opens for those who read its words', async () => {
    const { secrets } = server.context;
    const film = await addFilm(server.context);
    const url = `${server.account}/Videos/${film}/Thumbnails/`;
    const status = async (caller: string, token: string) => {
      const thumbnailId = frameThumbnailIds(secrets, { videoId: film, caller })(3);
      return (await server.app.inject({ url: url + thumbnailId, headers: { authorization: `Bearer ${token}` } })).statusCode;
    };
    const viewer = await addPerson(server.context, { viewer: true });
    expect(await status('guest', await server.guestToken('guest'))).toBe(guestsRead === 'words' ? 200 : 404);
    expect(await status(viewer.sid, await viewer.accountToken())).toBe(200);
  });
});

describe('a locked match', () => {
  test('has the tenth of the film in which it is and its kind, and nothing else; no place where the film itself was named', async () => {
    const server = await startTestServer({ ...withoutLimits, RUSHES_ARCHIVE_CONFIG: settingsFile('locked') });
    await createCatalogueVideos(server.context.pool, [record, lacking]);
    await indexFilms(server.context);
    await server.context.pool.query('update videos set has_video = true');
    const [found] = (await search(server, 'lamplighter', await server.guestToken())).results;
    expect(found?.searchMatches).toEqual([{ startTime: '00:00:06', type: 'Transcript', text: '', exactText: '' }]);
    for (const named of [`id:${found?.id} said:lamplighter`, `id:${found?.id} lamplighter turnpike`, '+title:harbour said:lamplighter']) {
      const [probed] = (await search(server, named, await server.guestToken())).results;
      expect([named, probed?.searchMatches, probed?.searchMatchCounts?.Transcript]).toEqual([named, [], 1]);
    }
    const [probed] = (await search(server, 'lamplighter', await server.guestToken(), `&id=${found?.id}`)).results;
    expect(probed?.searchMatches).toEqual([]);
    await server.stop();
  });
});

function settingsFile(guestsRead: Reading): string {
  const shipped = JSON.parse(readFileSync(resolve(import.meta.dirname, '..', 'archive.config.json'), 'utf8'));
  const file = join(folder, `${guestsRead}.json`);
  writeFileSync(file, JSON.stringify({ ...shipped, guestsRead }));
  return file;
}

async function search({ app, account }: TestServer, query: string, token: string, asked = ''): Promise<SearchResponse> {
  const url = `${account}/Videos/Search?query=${encodeURIComponent(query)}${asked}`;
  const answer = await app.inject({ url, headers: { authorization: `Bearer ${token}` } });
  return answer.json();
}

/** Every answer of every route that reads and that such a caller may call, to every question and a few ways of narrowing it. */
async function everyAnswer(server: TestServer, { token, cookie }: { token: string; cookie?: string }): Promise<string[]> {
  const open = rows.filter(({ method, need }) => method === 'GET' && ['guest', 'account-token', 'account-or-video-token'].includes(need));
  const [video] = (await search(server, 'harbour', token)).results as [SearchItem];
  const answers: string[] = [];
  for (const { path, need } of open) {
    const { location, accountId } = server.context.config.videoService;
    const url = path.replace(':location', location).replace(':account', accountId).replace(':id', video.id);
    const byQuestion: string[] = [];
    for (const question of questions) {
      // What does not answer by the query is asked twice, and not eighteen times.
      if (byQuestion.length === 2 && byQuestion[0] === byQuestion[1]) break;
      byQuestion.push(await ask(`${url}?query=${encodeURIComponent(question)}${need === 'guest' ? '' : '&pageSize=3'}`));
    }
    answers.push(...byQuestion);
  }
  const searchUrl = `${server.account}/Videos/Search`;
  for (const way of [
    '&person=Zephyr',
    '&sort=moments',
    '&matchKind=Transcript',
    '&textScope=transcript',
    '&face=zephyr',
    '&query=turnpike',
  ])
    for (const path of ['', '/Facets']) answers.push(await ask(`${searchUrl}${path}?query=lamplighter${way}`));
  for (const page of ['/', '/search?query=lamplighter', `/video/${video.id}`, `/login?returnUrl=/video/${video.id}`])
    answers.push(await ask(page));
  return answers;

  async function ask(url: string): Promise<string> {
    const headers = /Accounts|Partner/.test(url) ? { authorization: `Bearer ${token}` } : { ...(cookie ? { cookie } : {}) };
    return (await server.app.inject({ url, headers: { host: 'localhost:80', ...headers } })).body;
  }
}
