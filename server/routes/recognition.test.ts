import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { listOurTables } from '#domain/backup/our-tables.ts';
import type { Place } from '#domain/moments/faces.ts';
import { deleteFilm } from '#domain/videos/deletions.ts';
import { type NumberedFace, recogniseFaces } from '#domain/videos/people/recognition.ts';
import { registerSteps } from '#domain/videos/steps.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { findFacesIn, seenFace } from '#testing/faces-in-film.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { withoutLimits } from '#testing/without-limits.ts';

let server: TestServer;
let admin: Person;
beforeAll(async () => {
  server = await startTestServer(withoutLimits);
  admin = await addPerson(server.context, { admin: true });
  await registerSteps(server.context.pool, [{ name: 'people', version: 1, class: 'understood', optional: true }]);
});
beforeEach(() => turn(false));
afterAll(() => server.stop());

function ask(method: 'GET' | 'PUT' | 'POST', url: string, payload?: object, person = admin) {
  const headers = { cookie: person.cookie, origin: 'http://localhost:80', host: 'localhost:80', 'content-type': 'application/json' };
  return server.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
}
const turn = (isOn: boolean, person = admin) => ask('PUT', '/api/recognition', { isOn }, person);
const kept = async () => (await server.context.pool.query('select video_id, mark, numbers from known_faces')).rows;

async function isWaiting(id: string): Promise<boolean> {
  const { pool } = server.context;
  const { rowCount } = await pool.query(`select from ingest_steps where video_id = $1 and step = 'people' and state = 'waiting'`, [id]);
  return rowCount === 1;
}

/** A face as the step knows it: `direction` is what tells it from others. */
function face(place: Place, startMs: number, direction: number[]): NumberedFace {
  const length = Math.hypot(...direction);
  return { ...seenFace(place, startMs), numbers: direction.map((value) => value / length) };
}
const [ada, alsoAda, bo] = [
  face([100, 100, 80, 120], 0, [1, 0, 0]),
  face([500, 200, 90, 130], 2_000, [0.9, 0.3, 0]),
  face([700, 100, 80, 120], 0, [0, 0, 1]),
];

/** Looks at a film as the step does, as far as the archive is concerned. */
async function look(id: string, faces: readonly NumberedFace[]): Promise<void> {
  await findFacesIn(server.context, id, await recogniseFaces(server.context.pool, id, faces));
}
async function filmOf(faces: readonly NumberedFace[], name?: string): Promise<string> {
  const id = await addFilm(server.context, name ? { name } : {});
  await look(id, faces);
  return id;
}
const facesOf = async (id: string) => (await ask('GET', `/api/videos/${id}/faces`)).json().faces;
async function name(id: string, n: number, text: string) {
  const found = (await facesOf(id))[n];
  return await ask('PUT', `/api/videos/${id}/faces/${found.mark}`, { replaces: found.name, name: text });
}
const proposalsOf = async (id: string) => (await facesOf(id)).map(({ proposals }: { proposals: object[] }) => proposals);

test('recognising is off at first: nothing that tells a face from others is kept, and nobody is proposed', async () => {
  const [one, other] = [await filmOf([ada, bo]), await filmOf([alsoAda])];
  await name(one, 0, 'Ada');
  await look(one, [ada, bo]);
  await look(other, [alsoAda]);
  expect([await kept(), await proposalsOf(other)]).toEqual([[], [[]]]);
  expect((await ask('GET', '/api/engines')).json().recognition).toEqual({ isOn: false, by: '', since: null, faces: 0 });
});

test('once an administrator turns it on, named faces are learned by another look, and proposed where somebody is alike; nobody is named by it', async () => {
  const one = await filmOf([ada, bo], 'The first film');
  await name(one, 0, 'Ada');
  expect((await turn(true)).json().films).toBeGreaterThan(0);
  expect(await isWaiting(one)).toBe(true);
  await look(one, [ada, bo]);
  const [known, ...others] = await kept();
  expect([known, others]).toEqual([{ video_id: one, mark: (await facesOf(one))[0].mark, numbers: [1, 0, 0] }, []]);
  const other = await filmOf([bo, alsoAda]);
  expect(await proposalsOf(other)).toEqual([[], [{ name: 'Ada', by: 'face', title: 'The first film', percent: 95, startMs: null }]]);
  expect((await facesOf(other))[1]).toMatchObject({ name: 'Unknown 2', isNamed: false });
  expect((await ask('GET', '/api/engines')).json().recognition).toMatchObject({ isOn: true, faces: 1 });
  await name(other, 1, 'Ada');
  expect(await proposalsOf(other)).toEqual([[], []]);
});

test('turned off, all that was kept is gone at once, nobody is proposed any more, and both are written down', async () => {
  const one = await filmOf([ada]);
  await name(one, 0, 'Ada');
  await turn(true);
  await look(one, [ada]);
  const other = await filmOf([alsoAda]);
  expect([(await kept()).length, (await proposalsOf(other))[0].length]).toEqual([1, 1]);
  await turn(false);
  expect([await kept(), await proposalsOf(other)]).toEqual([[], [[]]]);
  const { entries } = (await ask('GET', '/api/activity')).json();
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'recognition-off', actor: { uid: admin.uid } },
    { action: 'recognition-on', actor: { uid: admin.uid } },
  ]);
});

test('what tells a face from others goes with its name, and no backup holds it', async () => {
  const one = await filmOf([ada]);
  await turn(true);
  expect(await isWaiting(one)).toBe(false);
  await name(one, 0, 'Ada');
  expect(await isWaiting(one)).toBe(true);
  await look(one, [ada]);
  expect(await kept()).toHaveLength(1);
  const tables = (await listOurTables(server.context.pool)).map((table) => table.name);
  expect(tables.filter((table) => ['known_faces', 'recognition'].includes(table))).toEqual([]);
  const [correction] = (await ask('GET', `/api/videos/${one}/corrections`)).json().corrections;
  await ask('POST', `/api/videos/${one}/corrections/${correction.id}/undo`, {});
  expect(await kept()).toEqual([]);
});

test('a name that comes back when somebody takes back that it was not theirs has the film looked at again', async () => {
  const one = await filmOf([ada]);
  await turn(true);
  await name(one, 0, 'Ada');
  await look(one, [ada]);
  await name(one, 0, '');
  expect(await kept()).toEqual([]);
  await server.context.pool.query(`update ingest_steps set state = 'done' where video_id = $1`, [one]);
  const [notAda] = (await ask('GET', `/api/videos/${one}/corrections`)).json().corrections;
  await ask('POST', `/api/videos/${one}/corrections/${notAda.id}/undo`, {});
  expect([(await facesOf(one))[0].name, await isWaiting(one)]).toEqual(['Ada', true]);
});

test('a film that is deleted proposes nobody in others, neither in those of before nor in new ones', async () => {
  const one = await filmOf([ada], 'Private');
  await name(one, 0, 'Ada');
  await turn(true);
  await look(one, [ada]);
  const before = await filmOf([alsoAda]);
  expect((await proposalsOf(before))[0]).toMatchObject([{ name: 'Ada', title: 'Private' }]);
  await deleteFilm(server.context.pool, { videoId: one, name: 'Private', reason: '', actorUid: admin.uid, from: '' });
  const after = await filmOf([alsoAda]);
  const { rows } = await server.context.pool.query(
    `select facts -> 'groups' -> 0 -> 'alike' as alike from layers where video_id = $1 and name = 'faces'`,
    [after],
  );
  expect([await proposalsOf(before), rows]).toEqual([[[]], [{ alike: [] }]]);
});

test('whether people are recognised is asked once for a film, and so is every other film, however many of their faces are alike', async () => {
  const one = await filmOf([ada, bo], 'The first film');
  await name(one, 0, 'Ada');
  await name(one, 1, 'Bo');
  await turn(true);
  await look(one, [ada, bo]);
  const alsoBo = face([300, 500, 80, 120], 9_000, [0, 0.2, 0.9]);
  const other = await filmOf([alsoAda, alsoBo, face([100, 100, 80, 120], 20_000, [0.8, 0.2, 0])]);
  const asked = vi.spyOn(server.context.pool, 'query');
  const proposals: { name: string }[][] = await proposalsOf(other);
  const statements = asked.mock.calls.map((call) => JSON.stringify(call));
  asked.mockRestore();
  expect(proposals.map((ofFace) => ofFace.map((proposal) => proposal.name))).toEqual([['Ada'], ['Bo'], ['Ada']]);
  const timesOf = (words: string) => statements.filter((statement) => statement.includes(words)).length;
  expect([timesOf('from recognition'), timesOf(`jsonb_array_elements(facts -> 'groups')`)]).toEqual([1, 2]);
});

test('of any number of named faces the three that are most alike are proposed', async () => {
  const { pool } = server.context;
  await turn(true);
  const many = await filmOf([]);
  // More and more alike, but for the last ones.
  await pool.query(
    `insert into known_faces (video_id, mark, engine, numbers)
     select $1, lpad(n::text, 8, '0'), $2, array[cos(angle), sin(angle), 0]
       from generate_series(1, 2400) as n, lateral (select abs(1700 - n) / 400.0 as angle) as a`,
    [many, ada.engine],
  );
  const [found] = await recogniseFaces(pool, await addFilm(server.context, {}), [ada]);
  expect(found?.alike).toEqual(['00001700', '00001699', '00001701'].map((mark) => ({ videoId: many, mark, percent: 100 })));
});

test('only administrators turn it on', async () => {
  const editor = await addPerson(server.context, { editor: true });
  expect((await turn(true, editor)).statusCode).toBe(403);
  expect((await ask('GET', '/api/engines')).json().recognition.isOn).toBe(false);
});
