import { afterAll, beforeAll, expect, test } from 'vitest';
import { CorrectLinesInput } from '#contract/corrections.ts';
import { publishLayers } from '#domain/videos/recompose-video.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { indexFilms } from '#testing/index-films.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { withoutLimits } from '#testing/without-limits.ts';

let server: TestServer;
let editor: Person;
beforeAll(async () => {
  server = await startTestServer(withoutLimits);
  editor = await addPerson(server.context, { editor: true });
});
afterAll(() => server.stop());

test('an editor gives a film another title: search finds it by that and no longer by the old one, until it is undone', async () => {
  const id = await addFilm(server.context, { name: 'Ptarmigan', lines: ['nothing of it is said'] });
  expect((await rename(id, 'Ptarmigan', '  Capercaillie \u0000 at\tdawn ')).json()).toMatchObject({ title: 'Capercaillie at dawn' });
  expect([await found('capercaillie'), await found('ptarmigan')]).toEqual([[id], []]);
  const [correction] = await corrections(id);
  expect(correction).toMatchObject({ kind: 'Title', replaces: 'Ptarmigan', says: 'Capercaillie at dawn', state: 'standing' });
  expect((await undo(id, correction.id)).json()).toEqual({ name: 'Ptarmigan' });
  expect([await found('capercaillie'), await found('ptarmigan')]).toEqual([[], [id]]);
  expect(await corrections(id)).toMatchObject([{ id: correction.id, state: 'undone', undoneBy: expect.any(String) }]);
});

test('a change has so many lines at most, and a press so many changes; of one too many nothing is kept', async () => {
  const id = await addFilm(server.context, { lines: ['teh tern'], durationInSeconds: 600 });
  const lines = Array.from({ length: 51 }, (_, n) => ({
    startMs: 10_000 + n * 4_000,
    endMs: 12_000 + n * 4_000,
    text: `line ${n}`,
    speaker: null,
  }));
  const change = async (changes: object[]) => (await ask('PUT', `/api/videos/${id}/lines`, { changes })).statusCode;
  const kept = async () => [(await ask('GET', `/api/videos/${id}/lines`)).json().lines.length, (await corrections(id)).length];
  expect(await change([{ replaces: [], lines }])).toBe(400);
  expect(await change([{ replaces: lines, lines: [] }])).toBe(400);
  const changes = Array.from({ length: 2_001 }, () => ({ replaces: [], lines: lines.slice(0, 1) }));
  expect(await change(changes)).toBe(400);
  expect([changes, changes.slice(1)].map((some) => CorrectLinesInput.safeParse({ id, changes: some }).success)).toEqual([false, true]);
  expect(await kept()).toEqual([1, 0]);
  expect(await change([{ replaces: [], lines: lines.slice(1) }])).toBe(200);
  expect((await kept())[0]).toBe(51);
});

test('a title that an editor gave holds when a step reads the film anew, and the new one of the file is found once it is undone', async () => {
  const id = await addFilm(server.context, { name: 'Dotterel' });
  await rename(id, 'Dotterel', 'Lapwing');
  const facts = { name: 'Whimbrel', language: 'en', externalId: null, description: null, owner: null, recordedAt: null, place: null };
  await publishLayers(server.context.pool, id, {
    madeBy: 'facts',
    version: 2,
    layers: [{ name: 'catalogue', facts: { ...facts, rights: null } }],
  });
  expect([await found('lapwing'), await found('whimbrel')]).toEqual([[id], []]);
  const [correction] = await corrections(id);
  expect((await undo(id, correction.id)).json()).toEqual({ name: 'Whimbrel' });
});

test('two editors do not overwrite each other unseen, and a correction is taken back once', async () => {
  const id = await addFilm(server.context, { name: 'Curlew' });
  const answers = await Promise.all(['Sandpiper', 'Greenshank'].map((title) => rename(id, 'Curlew', title)));
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 412]);
  expect(answers.find(({ statusCode }) => statusCode === 412)?.json().detail).toMatch(/it is “(Sandpiper|Greenshank)” now/);
  const [correction] = await corrections(id);
  const undoings = await Promise.all([undo(id, correction.id), undo(id, correction.id)]);
  expect(undoings.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  expect(await corrections(id)).toHaveLength(1);
});

test.each([
  ['empty', ' \u200b ', 'A video needs a title.'],
  ['too long', 'x'.repeat(256), 'The title may have at most 255 characters.'],
  ['an e-mail address', 'Ask ann@people.example', 'not contain an e-mail address'],
])('a title that is %s is refused in a sentence, and changes nothing', async (_, title, detail) => {
  const id = await addFilm(server.context, { name: 'Godwit' });
  const answer = await rename(id, 'Godwit', title);
  expect([answer.statusCode, answer.json().detail]).toEqual([400, expect.stringContaining(detail)]);
  expect(await corrections(id)).toEqual([]);
});

test('what is known of a film is corrected piece by piece: it is found by it, holds when the film is read anew, and undone it is as it was', async () => {
  const id = await addFilm(server.context, { name: 'Bittern' });
  const written = {
    description: 'A reedbed in fog',
    recordedAt: '1969-07',
    place: 'Gråberg',
    language: 'sv',
    rights: 'Free',
    externalId: 'B-7',
  };
  for (const [fact, says] of Object.entries(written)) {
    const { statusCode } = await correct(id, fact, fact === 'language' ? 'en' : '', says);
    expect([fact, statusCode]).toEqual([fact, 200]);
  }
  expect(await facts(id)).toEqual({ title: 'Bittern', ...written });
  for (const word of ['reedbed', 'gråberg', '1969']) expect([word, await found(word)]).toEqual([word, [id]]);
  // Under which conditions it may be shown is nothing that is to be seen in it.
  expect(await found('free')).toEqual([]);
  await publishLayers(server.context.pool, id, { madeBy: 'language', version: 2, layers: [{ name: 'language', language: 'de' }] });
  expect(await facts(id)).toEqual({ title: 'Bittern', ...written });
  expect((await correct(id, 'place', 'Gråberg', '')).json()).toMatchObject({ place: '', rights: 'Free' });
  expect(await found('gråberg')).toEqual([]);
  const [, ...others] = await corrections(id);
  for (const { id: correction } of others) await undo(id, correction);
  expect(await facts(id)).toMatchObject({ title: 'Bittern', description: '', place: '', language: 'de', externalId: '' });
  expect(await found('reedbed')).toEqual([]);
});

test.each([
  ['language', 'Swedish, mostly', 'a code such as en'],
  ['language', '', 'a code such as en'],
  ['recordedAt', 'last summer', '1969, 1969-07 or 1969-07-20'],
  ['recordedAt', '1969-02-30', '1969, 1969-07 or 1969-07-20'],
  ['place', 'x'.repeat(201), 'The place may have at most 200 characters.'],
  ['rights', 'Ask ann@people.example', 'not contain an e-mail address'],
  ['owner', 'Ann', 'fact Invalid option'],
])('a %s that is %j is refused in a sentence, and changes nothing', async (fact, says, detail) => {
  const id = await addFilm(server.context, { name: 'Godwit' });
  const answer = await correct(id, fact, fact === 'language' ? 'en' : '', says);
  expect([answer.statusCode, answer.json().detail]).toEqual([400, expect.stringContaining(detail)]);
  expect(await corrections(id)).toEqual([]);
});

test('a place that somebody else named meanwhile is told and not overwritten', async () => {
  const id = await addFilm(server.context);
  await correct(id, 'place', '', 'Oslo');
  const answer = await correct(id, 'place', '', 'Bergen');
  expect([answer.statusCode, answer.json().detail]).toEqual([412, 'The place has been changed by someone else: it is “Oslo” now.']);
});

test('a label that an editor adds is found, one that is taken out is not, and undone it is again', async () => {
  const id = await addFilm(server.context, { labels: ['obelisk', 'mudflat'] });
  const names = await nameAs(id, 'labels', '', ' spoonbill ');
  expect(names.json()).toMatchObject({ people: [], labels: ['obelisk', 'mudflat', 'spoonbill'], brands: [] });
  await nameAs(id, 'labels', 'obelisk', '');
  await nameAs(id, 'labels', 'mudflat', 'tideland');
  await nameAs(id, 'people', '', 'Ann Godwit');
  for (const query of ['spoonbill', 'tideland', 'person:godwit']) expect([query, await found(query)]).toEqual([query, [id]]);
  for (const query of ['obelisk', 'mudflat']) expect([query, await found(query)]).toEqual([query, []]);
  const [, , removal] = await corrections(id);
  expect(removal).toMatchObject({ kind: 'Name', names: 'labels', replaces: 'obelisk', says: '', state: 'standing' });
  await undo(id, removal.id);
  expect(await found('obelisk')).toEqual([id]);
});

test('a name that is gone by now is told, and what cannot be a name is refused', async () => {
  const id = await addFilm(server.context, { labels: ['sanderling'] });
  expect((await nameAs(id, 'labels', 'dotterel', 'plover')).json()).toMatchObject({
    status: 412,
    detail: expect.stringContaining('“dotterel”'),
  });
  for (const [kind, says] of [
    ['labels', 'x'.repeat(101)],
    ['brands', 'write to mail@archive.example'],
    ['people', 'Speaker 2'],
  ] as const)
    expect((await nameAs(id, kind, '', says)).statusCode).toBe(400);
  expect((await nameAs(id, 'keywords', '', 'plover')).statusCode).toBe(400);
  expect(await corrections(id)).toEqual([]);
});

test('what is not there is not found: a film, a correction, a correction of another film', async () => {
  const [id, other] = [await addFilm(server.context, { name: 'Knot' }), await addFilm(server.context)];
  await rename(id, 'Knot', 'Dunlin');
  const [correction] = await corrections(id);
  expect((await undo(other, correction.id)).statusCode).toBe(404);
  expect((await undo(id, 999_999)).statusCode).toBe(404);
  expect((await undo(id, 'first')).statusCode).toBe(400);
  expect((await rename('0000000000', 'Knot', 'Dunlin')).statusCode).toBe(404);
  expect((await rename('nonsense', 'Knot', 'Dunlin')).statusCode).toBe(404);
});

test('administrators see in the activity who gave a film which title, and who took it back', async () => {
  const admin = await addPerson(server.context, { admin: true });
  const id = await addFilm(server.context, { name: 'Avocet' });
  await rename(id, 'Avocet', 'Stilt');
  await undo(id, (await corrections(id))[0].id);
  const activity = await server.app.inject({ url: '/api/activity', headers: { cookie: admin.cookie } });
  expect(activity.json().entries.filter(({ video }: { video: { id: string } | null }) => video?.id === id)).toMatchObject([
    { action: 'correction-undone', actor: { uid: editor.uid }, subject: null, video: { name: 'Stilt' }, detail: 'Stilt' },
    { action: 'title-changed', actor: { uid: editor.uid }, subject: null, video: { name: 'Avocet' }, detail: 'Stilt', from: '127.0.0.1' },
  ]);
});

test('what was changed in several films is taken back by its corrections: a machine that finds the label later is heard, and a fact is not pinned', async () => {
  const films = [await addFilm(server.context), await addFilm(server.context)];
  const made = await Promise.all(
    films.map(
      async (id) => [id, (await nameAs(id, 'labels', '', 'boat')).json(), (await correct(id, 'place', '', 'Kiel')).json()] as const,
    ),
  );
  for (const [id, label, place] of made) {
    expect([label, place]).toMatchObject([{ labels: ['boat'] }, { place: 'Kiel' }]);
    for (const { correction } of [label, place]) expect((await undo(id, correction)).statusCode).toBe(200);
    expect(await corrections(id)).toMatchObject([{ state: 'undone' }, { state: 'undone' }]);
  }
  const layers = [{ name: 'labels', names: ['boat'], moments: [] }] as const;
  for (const id of films) {
    await publishLayers(server.context.pool, id, { madeBy: 'labels', version: 1, layers });
    expect((await ask('GET', `/api/videos/${id}/corrections`)).json().names.labels).toEqual(['boat']);
  }
  const [id = ''] = films;
  expect((await nameAs(id, 'labels', '', 'boat')).json()).toMatchObject({ labels: ['boat'], correction: null });
  expect((await correct(id, 'place', '', '')).json()).toMatchObject({ place: '', correction: null });
});

function ask(method: 'GET' | 'PUT' | 'POST', url: string, payload?: object) {
  const headers = { cookie: editor.cookie, origin: 'http://localhost:80', host: 'localhost:80', 'content-type': 'application/json' };
  return server.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
}

const correct = (id: string, fact: string, replaces: string, says: string) =>
  ask('PUT', `/api/videos/${id}/facts/${fact}`, { replaces, says });
const nameAs = (id: string, kind: string, replaces: string, says: string) =>
  ask('PUT', `/api/videos/${id}/names/${kind}`, { replaces, says });
const rename = (id: string, replaces: string, title: string) => correct(id, 'title', replaces, title);
const undo = (id: string, correction: number | string) => ask('POST', `/api/videos/${id}/corrections/${correction}/undo`, {});
const facts = async (id: string) => (await ask('GET', `/api/videos/${id}/corrections`)).json().facts;
const corrections = async (id: string) => (await ask('GET', `/api/videos/${id}/corrections`)).json().corrections;

async function found(query: string): Promise<string[]> {
  await indexFilms(server.context);
  const token = await editor.accountToken();
  const answer = await server.app.inject({ url: `${server.account}/Videos/Search?${new URLSearchParams({ query, accessToken: token })}` });
  return answer.json().results.map(({ id }: { id: string }) => id);
}
