import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FaceGroup, faceMarkOf } from '#domain/moments/faces.ts';
import { setRoles } from '#domain/users/roles.ts';
import { publishLayers } from '#domain/videos/recompose-video.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { findFacesIn, seenFace } from '#testing/faces-in-film.ts';
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

const [reporter, operator] = [seenFace([620, 160, 80, 140], 0), seenFace([380, 450, 85, 160], 3_000)];

/** A film in which these faces were found. */
async function filmOf(groups: readonly FaceGroup[]): Promise<string> {
  const id = await addFilm(server.context);
  await lookAnew(id, groups);
  return id;
}

const lookAnew = (id: string, groups: readonly FaceGroup[]) => findFacesIn(server.context, id, groups);

function ask(method: 'GET' | 'PUT' | 'POST', url: string, payload?: object) {
  const headers = { cookie: editor.cookie, origin: 'http://localhost:80', host: 'localhost:80', 'content-type': 'application/json' };
  return server.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
}

const name = (id: string, mark: string, replaces: string, text: string) =>
  ask('PUT', `/api/videos/${id}/faces/${mark}`, { replaces, name: text });
const facesOf = async (id: string) => (await ask('GET', `/api/videos/${id}/faces`)).json().faces;
const namesOf = async (id: string) => (await facesOf(id)).map((face: { name: string }) => face.name);
const correctionsOf = async (id: string) => (await ask('GET', `/api/videos/${id}/corrections`)).json().corrections;

async function found(query: string): Promise<string[]> {
  await indexFilms(server.context);
  const token = await editor.accountToken();
  const answer = await server.app.inject({ url: `${server.account}/Videos/Search?${new URLSearchParams({ query, accessToken: token })}` });
  return answer.json().results.map(({ id }: { id: string }) => id);
}

test('an editor names a face: the film is found by the name, and no longer once that is taken back', async () => {
  const id = await filmOf([reporter, operator]);
  const [first] = await facesOf(id);
  expect(await facesOf(id)).toMatchObject([
    { name: 'Unknown 1', isNamed: false, startMs: 0, appearancesMs: [0] },
    { name: 'Unknown 2', isNamed: false, startMs: 3_000, appearancesMs: [3_000] },
  ]);
  expect([await found('"unknown 1"'), await found('hildegard')]).toEqual([[], []]);
  expect((await name(id, first.mark, 'Unknown 1', ' Hildegard \u0000 Johnson ')).json()).toEqual({ name: 'Hildegard Johnson' });
  expect([await found('hildegard'), await namesOf(id)]).toEqual([[id], ['Hildegard Johnson', 'Unknown 2']]);
  const [correction] = await correctionsOf(id);
  expect(correction).toMatchObject({ kind: 'Person', replaces: 'Unknown 1', says: 'Hildegard Johnson', startMs: 0, state: 'standing' });
  await ask('POST', `/api/videos/${id}/corrections/${correction.id}/undo`, {});
  expect([await found('hildegard'), await namesOf(id)]).toEqual([[], ['Unknown 1', 'Unknown 2']]);
});

test('a name holds when the film is looked at anew, though its face is another one in the list, a little aside and with another mark', async () => {
  const id = await filmOf([reporter, operator]);
  await name(id, faceMarkOf(operator), 'Unknown 2', 'Gertrude');
  await lookAnew(id, [seenFace([385, 455, 80, 150], 2_500), reporter]);
  expect(await namesOf(id)).toEqual(['Gertrude', 'Unknown 2']);
  await lookAnew(id, [reporter]);
  expect([await namesOf(id), await found('gertrude')]).toEqual([['Unknown 1'], []]);
  expect(await correctionsOf(id)).toMatchObject([{ says: 'Gertrude', state: 'unfitting' }]);
});

test('an editor tells one appearance from the rest: it is somebody else, has a picture, and stays so when the film is looked at anew', async () => {
  const [early, late] = [seenFace([620, 160, 80, 140], 0), seenFace([100, 160, 80, 140], 10_000)];
  const together = { ...early, tracks: [...early.tracks, ...late.tracks] };
  const id = await filmOf([together]);
  const mark = faceMarkOf(early);
  await name(id, mark, 'Unknown 1', 'Hildegard');
  const split = await ask('PUT', `/api/videos/${id}/faces/${mark}`, { replaces: 'Hildegard', name: 'Gertrude', appearances: [10_000] });
  expect([split.statusCode, await namesOf(id)]).toEqual([200, ['Hildegard', 'Gertrude']]);
  expect([await found('gertrude'), (await facesOf(id)).map((face: { appearancesMs: number[] }) => face.appearancesMs)]).toEqual([
    [id],
    [[0], [10_000]],
  ]);
  await lookAnew(id, [late, early]);
  expect(await namesOf(id)).toEqual(['Gertrude', 'Hildegard']);
  await lookAnew(id, [together]);
  const gone = await ask('PUT', `/api/videos/${id}/faces/${mark}`, { replaces: 'Hildegard', name: 'Ann', appearances: [7_777] });
  expect([gone.statusCode, await namesOf(id)]).toEqual([412, ['Hildegard', 'Gertrude']]);
  await name(id, mark, 'Hildegard', '');
  expect(await namesOf(id)).toEqual(['Unknown 1', 'Gertrude']);
  const [last] = await correctionsOf(id);
  await ask('POST', `/api/videos/${id}/corrections/${last.id}/undo`, {});
  expect(await namesOf(id)).toEqual(['Hildegard', 'Gertrude']);
});

test('two editors do not overwrite each other unseen, and a face that is not there is not named', async () => {
  const id = await filmOf([reporter]);
  const answers = await Promise.all(['Ann', 'Bo'].map((text) => name(id, faceMarkOf(reporter), 'Unknown 1', text)));
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 412]);
  expect(answers.find(({ statusCode }) => statusCode === 412)?.json().detail).toMatch(/it is “(Ann|Bo)” now/);
  expect((await name(id, faceMarkOf(operator), 'Unknown 1', 'Ann')).statusCode).toBe(404);
  expect((await name('0000000000', faceMarkOf(reporter), 'Unknown 1', 'Ann')).statusCode).toBe(404);
  expect((await ask('GET', '/api/videos/0000000000/faces')).statusCode).toBe(404);
});

test.each([
  ['empty', ' \u200b ', 'A person needs a name.'],
  ['too long', 'x'.repeat(101), 'at most 100 characters'],
  ['an e-mail address', 'ann@people.example', 'not contain an e-mail address'],
  ['what nobody is called', 'unknown 3', 'reserved for people'],
])('a name that is %s is refused in a sentence, and changes nothing', async (_, text, detail) => {
  const id = await filmOf([reporter]);
  const answer = await name(id, faceMarkOf(reporter), 'Unknown 1', text);
  expect([answer.statusCode, answer.json().detail]).toEqual([400, expect.stringContaining(detail)]);
  expect([await namesOf(id), await correctionsOf(id)]).toEqual([['Unknown 1'], []]);
});

test('a name that is written while one face is seen is proposed to editors, who alone give it; a viewer learns nothing of it', async () => {
  const id = await filmOf([reporter, seenFace([380, 450, 85, 160], 20_000)]);
  const written = {
    kind: 'Ocr',
    startMs: 1_000,
    endMs: 4_000,
    text: 'HILDEGARD JOHNSON',
    source: 'machine',
    confidencePercent: 91,
  } as const;
  const layer = { name: 'text', moments: [written], places: [{ x: 0.1, y: 0.75, width: 0.4, height: 0.06 }] } as const;
  await publishLayers(server.context.pool, id, { madeBy: 'text', version: 1, layers: [layer] });
  const [first, second] = await facesOf(id);
  const proposal = { name: 'Hildegard Johnson', by: 'lower-third', title: null, percent: null, startMs: 1_000 };
  expect([first.isNamed, first.proposals, second.proposals]).toEqual([false, [proposal], []]);
  const viewer = await addPerson(server.context, { viewer: true });
  const index = await server.app.inject({
    url: `${server.account}/Videos/${id}/Index`,
    headers: { authorization: `Bearer ${await viewer.videoToken(id)}` },
  });
  expect(index.json().videos[0].insights.faces.map((face: { name: string }) => face.name)).toEqual(['Unknown 1', 'Unknown 2']);
  await name(id, first.mark, 'Unknown 1', proposal.name);
  expect((await facesOf(id))[0]).toMatchObject({ name: 'Hildegard Johnson', isNamed: true, proposals: [] });
});

test('the picture of a face opens for those who may watch the film, by the id that they were told, and for nobody else', async () => {
  const id = await filmOf([reporter]);
  const viewer = await addPerson(server.context, { viewer: true });
  const index = await server.app.inject({
    url: `${server.account}/Videos/${id}/Index`,
    headers: { authorization: `Bearer ${await viewer.videoToken(id)}` },
  });
  const [face] = index.json().videos[0].insights.faces;
  expect(face).toMatchObject({
    name: 'Unknown 1',
    confidence: 0.84,
    thumbnails: [{ id: face.thumbnailId, instances: [{ start: '0:00:00' }] }],
  });
  const open = async (token: string) => {
    const answer = await server.app.inject({ url: `${server.account}/Videos/${id}/Thumbnails/${face.thumbnailId}?accessToken=${token}` });
    return answer.statusCode === 200 ? answer.body : answer.statusCode;
  };
  expect(await open(await viewer.videoToken(id))).toBe(faceMarkOf(reporter));
  expect(await open(await viewer.accountToken())).toBe(faceMarkOf(reporter));
  expect(await open(await editor.accountToken())).toBe(404);
  await setRoles(server.context.pool, viewer.uid, {});
  expect(await open(await viewer.accountToken())).toBe(404);
});

test('administrators see in the activity who named whom in which film', async () => {
  const admin = await addPerson(server.context, { admin: true });
  const id = await filmOf([reporter]);
  await name(id, faceMarkOf(reporter), 'Unknown 1', 'Hildegard');
  const activity = await server.app.inject({ url: '/api/activity', headers: { cookie: admin.cookie } });
  expect(activity.json().entries.filter(({ video }: { video: { id: string } | null }) => video?.id === id)).toMatchObject([
    { action: 'person-named', actor: { uid: editor.uid }, subject: null, video: { id }, detail: 'Hildegard' },
  ]);
});

test('two faces that nobody has named are said to be one person, found again by another look, named as one, and parted by taking it back', async () => {
  const id = await filmOf([reporter, operator]);
  const [first, second] = await facesOf(id);
  const merge = (payload: object) => ask('POST', `/api/videos/${id}/faces/${first.mark}/merge`, payload);
  const other = { otherMark: second.mark, otherReplaces: 'Unknown 2' };
  expect((await merge({ replaces: 'Unknown 9', ...other })).statusCode).toBe(412);
  expect((await merge({ replaces: 'Unknown 1', otherMark: first.mark, otherReplaces: 'Unknown 1' })).statusCode).toBe(400);
  const { correction } = (await merge({ replaces: 'Unknown 1', ...other })).json();
  expect(await facesOf(id)).toMatchObject([{ name: 'Unknown 1', mark: first.mark, appearancesMs: [0, 3_000] }]);
  await lookAnew(id, [operator, reporter]);
  const [merged] = await facesOf(id);
  expect(merged.appearancesMs).toEqual([0, 3_000]);
  await name(id, merged.mark, merged.name, 'Hildegard Johnson');
  expect(await namesOf(id)).toEqual(['Hildegard Johnson']);
  expect(await correctionsOf(id)).toMatchObject([
    { says: 'Hildegard Johnson' },
    { id: correction, kind: 'Person', says: null, replaces: 'Unknown 1, Unknown 2', state: 'standing' },
  ]);
  await ask('POST', `/api/videos/${id}/corrections/${correction}/undo`, {});
  expect(await namesOf(id)).toEqual(['Hildegard Johnson', 'Hildegard Johnson']);
  expect(
    (
      await ask('POST', `/api/videos/${id}/faces/${second.mark}/merge`, {
        replaces: 'Hildegard Johnson',
        otherMark: first.mark,
        otherReplaces: 'Hildegard Johnson',
      })
    ).json().detail,
  ).toContain('has a name');
  const { rows } = await server.context.pool.query(
    'select action, actor_uid as who, before from audit where video_id = $1 order by id limit 1',
    [id],
  );
  expect(rows).toEqual([{ action: 'faces-merged', who: editor.uid, before: 'Unknown 1, Unknown 2' }]);
});
