import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Line, LinesChange } from '#contract/corrections.ts';
import type { Moment } from '#domain/moments/moment.ts';
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

const heard = (startMs: number, text: string, more: Partial<Moment> = {}): Moment => ({
  kind: 'Transcript',
  startMs,
  endMs: startMs + 3_000,
  text,
  source: 'machine',
  confidencePercent: 62,
  engine: 'an ear',
  ...more,
});

/** A film in which a machine heard this. */
async function filmThatSays(...moments: Moment[]): Promise<string> {
  const id = await addFilm(server.context);
  await hearAnew(id, ...moments);
  return id;
}

async function hearAnew(id: string, ...moments: Moment[]): Promise<void> {
  await publishLayers(server.context.pool, id, { madeBy: 'captions', version: 2, layers: [{ name: 'captions', moments }] });
}

function ask(method: 'GET' | 'PUT' | 'POST', url: string, payload?: object) {
  const headers = { cookie: editor.cookie, origin: 'http://localhost:80', host: 'localhost:80', 'content-type': 'application/json' };
  return server.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
}

const line = (startMs: number, text: string, more: Partial<Line> = {}): Line => ({
  startMs,
  endMs: startMs + 3_000,
  text,
  speaker: null,
  ...more,
});
const correctAll = (id: string, ...changes: LinesChange[]) => ask('PUT', `/api/videos/${id}/lines`, { changes });
const correct = (id: string, replaces: Line[], lines: Line[]) => correctAll(id, { replaces, lines });
const undo = (id: string, correction: number) => ask('POST', `/api/videos/${id}/corrections/${correction}/undo`, {});
const linesOf = async (id: string) => (await ask('GET', `/api/videos/${id}/lines`)).json().lines;
const textsOf = async (id: string) => (await linesOf(id)).map(({ text }: Line) => text);
const correctionsOf = async (id: string) => (await ask('GET', `/api/videos/${id}/corrections`)).json().corrections;

async function found(query: string): Promise<string[]> {
  await indexFilms(server.context);
  const token = await editor.accountToken();
  const answer = await server.app.inject({ url: `${server.account}/Videos/Search?${new URLSearchParams({ query, accessToken: token })}` });
  return answer.json().results.map(({ id }: { id: string }) => id);
}

test('an editor corrects a line: it says so, is found by its new words alone, in the captions too, and undone it is as it was', async () => {
  const id = await filmThatSays(heard(2_000, 'a wheat ear sings'), heard(9_000, 'and flies'));
  expect(await linesOf(id)).toMatchObject([
    { startMs: 2_000, endMs: 5_000, text: 'a wheat ear sings', confidencePercent: 62, review: null, isDoubtful: true, correction: null },
    { text: 'and flies' },
  ]);
  const answer = await correct(id, [line(2_000, 'a wheat ear sings')], [line(2_000, ' a wheatear \u0000 sings ')]);
  const [first] = answer.json().lines;
  expect(first).toMatchObject({ text: 'a wheatear sings', review: 'corrected', isDoubtful: false, replaces: 'a wheat ear sings' });
  expect([await found('wheatear'), await found('"wheat ear"')]).toEqual([[id], []]);
  expect([await captions(id), await played(id)]).toEqual(Array(2).fill(expect.stringContaining('\na wheatear sings\n')));
  expect((await undo(id, first.correction)).statusCode).toBe(200);
  expect(await linesOf(id)).toMatchObject([{ text: 'a wheat ear sings', review: null, isDoubtful: true }, {}]);
  expect([await found('wheatear'), await found('"wheat ear"'), await played(id)]).toEqual([[], [id], 'WEBVTT\n']);
});

test('a line that somebody confirmed is verified, counts as sure, and its confirmation is taken back like any correction', async () => {
  const id = await filmThatSays(heard(0, 'mostly noise', { isRough: true, confidencePercent: 20 }));
  const same = [line(0, 'mostly noise')];
  const [verified] = (await correct(id, same, same)).json().lines;
  expect(verified).toMatchObject({ text: 'mostly noise', review: 'verified', isDoubtful: false, replaces: null });
  await correct(id, same, same);
  expect(await correctionsOf(id)).toMatchObject([{ id: verified.correction, says: null, replaces: 'mostly noise' }]);
  await undo(id, verified.correction);
  expect(await linesOf(id)).toMatchObject([{ review: null, isDoubtful: true }]);
});

test('lines are split, joined, moved, given a speaker, removed and added, each undone by itself', async () => {
  const wordStartsMs = [0, 400, 900, 1_500];
  const id = await filmThatSays(
    heard(0, 'over here right there', { wordStartsMs }),
    heard(5_000, 'good'),
    heard(8_500, 'bye', { speaker: 'Bo' }),
  );
  const whole = [line(0, 'over here right there')];
  const halves = [line(0, 'over here', { endMs: 1_000 }), line(900, 'right there', { endMs: 3_000, speaker: 'Ann' })];
  const [split] = (await correct(id, whole, halves)).json().lines;
  expect(await linesOf(id)).toMatchObject([
    { text: 'over here', startMs: 0, endMs: 1_000, speaker: null, review: 'corrected' },
    { text: 'right there', startMs: 900, endMs: 3_000, speaker: 'Ann', review: 'corrected' },
    { text: 'good' },
    { text: 'bye', speaker: 'Bo' },
  ]);
  expect(await captions(id)).toContain('00:00:00.900 --> 00:00:03.000\nright there');
  const parts = [line(5_000, 'good'), line(8_500, 'bye', { speaker: 'Bo' })];
  const [, , joined] = (await correct(id, parts, [line(5_000, 'goodbye', { endMs: 11_500, speaker: 'Bo' })])).json().lines;
  expect(joined).toMatchObject({ text: 'goodbye', startMs: 5_000, endMs: 11_500, speaker: 'Bo', replaces: 'good\nbye' });
  await correct(id, halves.slice(0, 1), []);
  await correct(id, [], [line(20_000, 'a gull')]);
  expect(await textsOf(id)).toEqual(['right there', 'goodbye', 'a gull']);
  for (const { id: one } of (await correctionsOf(id)).slice(0, 2)) await undo(id, one);
  await undo(id, split.correction);
  expect(await textsOf(id)).toEqual(['over here right there', 'goodbye']);
  await undo(id, joined.correction);
  expect(await textsOf(id)).toEqual(['over here right there', 'good', 'bye']);
  expect((await correctionsOf(id)).map(({ state }: { state: string }) => state)).toEqual(Array(4).fill('undone'));
});

test('what editors wrote survives every run that hears the film anew, and what a run no longer says is told as that', async () => {
  const id = await filmThatSays(heard(2_000, 'the eagle has handed'), heard(9_000, 'beautiful just beautiful'));
  await correct(id, [line(2_000, 'the eagle has handed')], [line(2_000, 'the Eagle has landed')]);
  await correct(id, [line(9_000, 'beautiful just beautiful')], [line(9_000, 'beautiful just beautiful')]);
  await hearAnew(
    id,
    heard(1_400, 'Houston, the eagle has handled, tranquility', { endMs: 6_000 }),
    heard(9_400, 'Beautiful, just beautiful.'),
  );
  expect(await linesOf(id)).toMatchObject([
    { text: 'Houston, the Eagle has landed tranquility', startMs: 1_400, endMs: 6_000, review: 'corrected' },
    { text: 'beautiful just beautiful', startMs: 9_400, review: 'verified' },
  ]);
  await hearAnew(id, heard(2_000, 'static'));
  expect(await textsOf(id)).toEqual(['static']);
  expect(await correctionsOf(id)).toMatchObject([{ state: 'unfitting' }, { state: 'unfitting' }]);
});

test('what is changed in many lines with one press is all there or not at all, one entry in list and activity, and one press takes it back', async () => {
  const id = await filmThatSays(heard(0, 'teh tern'), heard(4_000, 'a gull'), heard(8_000, 'teh gull'));
  const change = (startMs: number, is: string, becomes: string) => ({ replaces: [line(startMs, is)], lines: [line(startMs, becomes)] });
  const [first, last] = [change(0, 'teh tern', 'the tern'), change(8_000, 'teh gull', 'the gull')];
  expect((await correctAll(id, first, change(8_000, 'a gull', 'the gull'))).statusCode).toBe(412);
  expect([await textsOf(id), await correctionsOf(id)]).toEqual([['teh tern', 'a gull', 'teh gull'], []]);
  const [tern, gull] = (await correctAll(id, first, change(4_000, 'a gull', 'a gull'), last)).json().lines;
  expect([tern, gull]).toMatchObject([
    { text: 'the tern', review: 'corrected', together: 3 },
    { text: 'a gull', review: 'verified', together: 3 },
  ]);
  expect(await correctionsOf(id)).toMatchObject([{ replaces: 'teh tern', says: 'the tern', together: 3, state: 'standing' }]);
  await hearAnew(id, heard(0, 'teh tern'));
  expect(await correctionsOf(id)).toMatchObject([{ state: 'standing' }]);
  expect((await undo(id, gull.correction)).statusCode).toBe(200);
  expect([await textsOf(id), await correctionsOf(id)]).toMatchObject([['teh tern'], [{ state: 'undone', together: 3 }]]);
  const { rows } = await server.context.pool.query('select before, detail from audit where video_id = $1', [id]);
  const all = { before: 'teh tern / a gull / teh gull', detail: 'the tern / a gull / the gull' };
  expect(rows).toEqual([all, all]);
});

const sendFile = (id: string, text: string) => ask('PUT', `/api/videos/${id}/lines/file`, { file: Buffer.from(text).toString('base64') });

test('a subtitle file stands in the place of what a machine heard, also when that is heard anew, and is taken back by one press', async () => {
  const id = await filmThatSays(heard(0, 'teh gull'), heard(5_000, 'teh sanderling'));
  await correct(id, [line(0, 'teh gull')], [line(0, 'The gull.')]);
  const srt = '1\n00:00:01,000 --> 00:00:02,500\nA hoopoe calls.\n\n2\n00:59:00,000 --> 00:59:01,000\nPast the end.\n';
  const answer = await sendFile(id, srt);
  expect(answer.json()).toMatchObject({
    lines: [{ startMs: 1_000, endMs: 2_500, text: 'A hoopoe calls.', speaker: null, review: 'corrected' }],
    remarks: ['1 line past the end of the video ignored'],
  });
  expect([await found('hoopoe'), await found('"teh sanderling"')]).toEqual([[id], []]);
  expect(await played(id)).toContain('A hoopoe calls.');
  await hearAnew(id, heard(0, 'teh gull'), heard(5_000, 'teh sanderling'));
  expect(await textsOf(id)).toEqual(['A hoopoe calls.']);
  const [{ correction }] = answer.json().lines;
  expect((await undo(id, correction)).statusCode).toBe(200);
  expect(await textsOf(id)).toEqual(['The gull.', 'teh sanderling']);
});

const putTranscript = async (id: string, payload: string) =>
  await server.app.inject({
    method: 'PUT',
    url: `${server.account}/Videos/${id}/Index/Transcript`,
    payload,
    headers: { authorization: `Bearer ${await editor.editToken()}`, 'content-type': 'text/vtt' },
  });
const transcript = (...texts: string[]) =>
  `WEBVTT\n\n${texts.map((text, n) => `00:00:0${n * 2 + 1}.000 --> 00:00:0${n * 2 + 2}.500\n${text}\n`).join('\n')}`;

test.each([
  ['from the page', sendFile],
  ['by the contract', putTranscript],
])(
  'a transcript that came %s before anything was heard is all that is said, whatever is heard later, until it is taken back',
  async (_, send) => {
    const id = await filmThatSays();
    await send(id, transcript('A dunlin calls.'));
    await hearAnew(id, heard(0, 'a dumpling cools'), heard(9_000, 'guillemots', { confidencePercent: 95 }));
    expect(await textsOf(id)).toEqual(['A dunlin calls.']);
    expect([await found('"dunlin calls"'), await found('guillemots')]).toEqual([[id], []]);
    for (const text of [await captions(id), await played(id)]) expect(text.match(/^[A-Za-z].*$/gmu)).toEqual(['WEBVTT', 'A dunlin calls.']);
    const index = await server.app.inject({
      url: `${server.account}/Videos/${id}/Index`,
      headers: { authorization: `Bearer ${await editor.videoToken(id)}` },
    });
    expect(index.json().videos[0].insights.transcript).toMatchObject([{ text: 'A dunlin calls.' }]);
    // Not even where it does not fit by any word.
    await hearAnew(id, heard(30_000, 'razorbills'));
    const [{ correction }] = await linesOf(id);
    expect([await textsOf(id), await correctionsOf(id)]).toMatchObject([['A dunlin calls.'], [{ id: correction, state: 'standing' }]]);
    expect((await undo(id, correction)).statusCode).toBe(200);
    expect([await textsOf(id), await found('"dunlin calls"')]).toEqual([['razorbills'], []]);
    expect(await found('razorbills')).toContain(id);
  },
);

test('the lines of a file stand in order of time, however the file has them', async () => {
  const id = await filmThatSays(heard(1_000, 'teh dunlin'));
  const cue = (second: number, text: string) => `00:00:0${second}.000 --> 00:00:0${second + 1}.500\n${text}\n`;
  expect((await sendFile(id, `WEBVTT\n\n${cue(5, 'It flies.')}\n${cue(1, 'A dunlin calls.')}`)).statusCode).toBe(200);
  expect(await textsOf(id)).toEqual(['A dunlin calls.', 'It flies.']);
});

test('to send the file that stands there again says nothing new; to send what every line says already says that it is all', async () => {
  const id = await filmThatSays(heard(1_000, 'A dunlin calls.', { endMs: 2_500, wordStartsMs: [1_000, 1_300, 1_900] }));
  const is = [line(1_000, 'A dunlin calls.', { endMs: 2_500 })];
  await correct(id, is, is);
  for (const _ of [1, 2]) await sendFile(id, transcript('A dunlin calls.'));
  expect(await correctionsOf(id)).toHaveLength(2);
  await hearAnew(id, heard(1_000, 'A dunlin calls.', { endMs: 2_500 }), heard(9_000, 'noise'));
  expect(await linesOf(id)).toMatchObject([{ text: 'A dunlin calls.', review: 'verified' }]);
});

test('lines of a file do not each bring along the transcript that they replace', async () => {
  const cue = (n: number) => `00:00:${String(n).padStart(2, '0')}.000 --> 00:00:${String(n).padStart(2, '0')}.900\nline ${n}\n\n`;
  const id = await filmThatSays(...Array.from({ length: 55 }, (_, n) => heard(n * 1_000, `heard ${n}`, { endMs: n * 1_000 + 900 })));
  const { lines } = (await sendFile(id, `WEBVTT\n\n${[1, 2, 3].map(cue).join('')}`)).json();
  expect(lines).toMatchObject([1, 2, 3].map((n) => ({ text: `line ${n}`, review: 'corrected', replaces: null })));
});

test.each([
  ['without lines', 'nothing to see', 'no lines within the video: no subtitles found'],
  ['past the end of the film', '1\n05:00:00,000 --> 05:00:01,000\nLate.\n', 'all are past its end'],
  ['that declares entities', '<?xml version="1.0"?><!DOCTYPE tt [<!ENTITY a "b">]><tt/>', 'document type'],
])('a subtitle file %s is refused in a sentence, and changes nothing', async (_, text, detail) => {
  const id = await filmThatSays(heard(0, 'a tern'));
  const answer = await sendFile(id, text);
  expect([answer.statusCode, answer.json().detail]).toEqual([400, expect.stringContaining(detail)]);
  expect(await textsOf(id)).toEqual(['a tern']);
});

test('two editors do not overwrite each other unseen: who comes second is told what the line says now', async () => {
  const id = await filmThatSays(heard(0, 'a tern'));
  const answers = await Promise.all(['a turn', 'a fern'].map((text) => correct(id, [line(0, 'a tern')], [line(0, text)])));
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 412]);
  expect(answers.find(({ statusCode }) => statusCode === 412)?.json().detail).toMatch(/it is “a (turn|fern)” now/);
  const gone = await correct(id, [line(50_000, 'a tern')], []);
  expect([gone.statusCode, gone.json().detail]).toEqual([412, expect.stringContaining('the line is gone now')]);
  expect(await correctionsOf(id)).toHaveLength(1);
});

test.each([
  ['without words', line(0, ' \u200b '), 'A line needs words.'],
  ['too long', line(0, 'x'.repeat(4_001)), 'at most 4000 characters'],
  ['that ends before it begins', line(2_000, 'tern', { endMs: 1_000 }), 'must end after it begins'],
  ['that ends behind its film', line(70_000, 'tern'), 'by the end of the video'],
  ['of a speaker with too long a name', line(0, 'tern', { speaker: 'x'.repeat(201) }), 'at most 200 characters'],
])('a line %s is refused in a sentence, and changes nothing', async (_, wrong, detail) => {
  const id = await filmThatSays(heard(0, 'a tern'));
  const answer = await correct(id, [line(0, 'a tern')], [wrong]);
  expect([answer.statusCode, answer.json().detail]).toEqual([400, expect.stringContaining(detail)]);
  expect(await correctionsOf(id)).toEqual([]);
});

test('administrators see in the activity who wrote what instead of what, and the lines of a film that is not there are not found', async () => {
  const admin = await addPerson(server.context, { admin: true });
  const id = await filmThatSays(heard(0, 'a tern'));
  await correct(id, [line(0, 'a tern')], [line(0, 'a fern')]);
  await correct(id, [line(0, 'a fern')], [line(0, 'a fern')]);
  const activity = await server.app.inject({ url: '/api/activity', headers: { cookie: admin.cookie } });
  expect(activity.json().entries.filter(({ video }: { video: { id: string } | null }) => video?.id === id)).toMatchObject([
    { action: 'lines-corrected', actor: { uid: editor.uid }, video: { id }, before: 'a tern', detail: 'a fern' },
  ]);
  expect((await ask('GET', '/api/videos/0000000000/lines')).statusCode).toBe(404);
  expect((await correct('0000000000', [], [line(0, 'a tern')])).statusCode).toBe(404);
});

const captions = (id: string) => readAsViewer(id, `${server.account}/Videos/${id}/Captions`);
/** The captions that the player shows. */
const played = (id: string) => readAsViewer(id, `/media/${id}/captions.vtt`);

async function readAsViewer(id: string, url: string): Promise<string> {
  const viewer = await addPerson(server.context, { viewer: true });
  const headers = { authorization: `Bearer ${await viewer.videoToken(id)}` };
  return (await server.app.inject({ url, headers })).body;
}
