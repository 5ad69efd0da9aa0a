import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { drawTitlePoster } from '#domain/drawing/title-poster.ts';
import { readStored } from '#domain/files/read-stored.ts';
import { sha256Of } from '#domain/files/sha256.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { listOriginalFaults } from '#domain/footage/check-originals.ts';
import type { Moment } from '#domain/moments/moment.ts';
import { setRoles } from '#domain/users/roles.ts';
import { showPoster } from '#domain/videos/desk/poster.ts';
import { publishLayers } from '#domain/videos/recompose-video.ts';
import { addFilm, originalOf } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { indexFilms } from '#testing/index-films.ts';
import { madeBytes } from '#testing/made-bytes.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { beginUploadIn, sendIn } from '#testing/upload-client.ts';
import { withoutLimits } from '#testing/without-limits.ts';

let server: TestServer;
let editor: Person;
beforeAll(async () => {
  server = await startTestServer({ ...withoutLimits, RUSHES_DISK_RESERVE_MB: '0' });
  editor = await addPerson(server.context, { editor: true });
});
afterAll(() => server.stop());

function ask(method: 'GET' | 'PUT' | 'POST', url: string, payload?: object, by = editor) {
  const headers = { cookie: by.cookie, origin: 'http://localhost:80', host: 'localhost:80', 'content-type': 'application/json' };
  return server.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
}

const heard = (text: string, n: number, confidencePercent: number): Moment => ({
  kind: 'Transcript',
  startMs: n * 4_000,
  endMs: n * 4_000 + 3_500,
  text,
  source: 'machine',
  confidencePercent,
});
const lineOf = ({ startMs, endMs, text }: Moment, more: object = {}) => ({ startMs, endMs, text, speaker: null, ...more });

async function addHeard(name: string, moments: readonly Moment[]): Promise<string> {
  const id = await addFilm(server.context, { name });
  await publishLayers(server.context.pool, id, { madeBy: 'speech', version: 1, layers: [{ name: 'captions', moments }] });
  return id;
}

const namesIn = async (captions: string, text: string): Promise<string[]> => {
  const { films, total } = (await ask('GET', `/api/films?${new URLSearchParams({ captions, text })}`)).json();
  expect(total).toBe(films.length);
  return films.map(({ name }: { name: string }) => name);
};

test('editors find films by how it stands with what is said, from the moment on at which somebody looks at a line', async () => {
  const lines = [heard('the ship comes in', 0, 95), heard('the shop goes out', 1, 40)];
  const id = await addHeard('Tern one', lines);
  await addFilm(server.context, { name: 'Tern two', lines: ['it came with the film'] });
  await addFilm(server.context, { name: 'Tern three' });
  const states = async () =>
    Object.fromEntries(
      await Promise.all(
        ['unchecked', 'doubtful', 'started', 'verified', 'given', 'none'].map(
          async (state) => [state, await namesIn(state, 'tern')] as const,
        ),
      ),
    );
  const before = { given: ['Tern two'], none: ['Tern three'] };
  expect(await states()).toEqual({ ...before, unchecked: ['Tern one'], doubtful: ['Tern one'], started: [], verified: [] });
  const [first, second] = lines.map((line) => lineOf(line));
  const correct = (replaces: object[], are: object[]) => ask('PUT', `/api/videos/${id}/lines`, { changes: [{ replaces, lines: are }] });
  await correct([second ?? {}], [{ ...second, text: 'the ship goes out' }]);
  expect(await states()).toEqual({ ...before, unchecked: [], doubtful: [], started: ['Tern one'], verified: [] });
  await correct([first ?? {}], [first ?? {}]);
  expect(await states()).toEqual({ ...before, unchecked: [], doubtful: [], started: [], verified: ['Tern one'] });
  const { counts } = (await ask('GET', '/api/films?text=tern')).json();
  expect(counts).toEqual({ unchecked: 0, doubtful: 0, started: 0, verified: 1, given: 1, none: 1 });
});

test('words are found in all that is said, as whole words however they are written, and in nothing else', async () => {
  const id = await addHeard('Plover', [heard('Mount  Everest and Everestine, EVEREST', 0, 90), heard('no mountain', 1, 90)]);
  await addFilm(server.context, { name: 'Everest in a title', lines: ['100% of it'] });
  const found = async (find: string) => (await ask('GET', `/api/lines?${new URLSearchParams({ find })}`)).json();
  const { films, next } = await found('mount everest');
  expect([films.map((film: { id: string }) => film.id), films[0]?.lines.length, next]).toEqual([[id], 1, null]);
  expect((await found('everes')).films).toEqual([]);
  expect((await found('100%')).films).toHaveLength(1);
  expect((await found('1_0')).films).toEqual([]);
  // One writes é as one sign, another as two.
  for (const [n, text] of ['le café', 'le cafe\u0301'].entries()) await addHeard(`Café ${n}`, [heard(text, 0, 90)]);
  for (const sought of ['café', 'CAFE\u0301'])
    expect([sought, (await found(sought)).films.map((film: { name: string }) => film.name).sort()]).toEqual([sought, ['Café 0', 'Café 1']]);
});

test('lines that were found are left as they are where somebody else has changed them since, and by whoever may no longer edit', async () => {
  const says = heard('a kittiwake and its kittens', 0, 90);
  for (const name of ['Kittiwake one', 'Kittiwake two']) await addHeard(name, [says]);
  const replacing = await addPerson(server.context, { editor: true });
  const { films } = (await ask('GET', '/api/lines?find=kittiwake', undefined, replacing)).json();
  const [first, second] = films.map(({ id }: { id: string }) => id);
  const replace = (id: string, text: string, by: Person) =>
    ask('PUT', `/api/videos/${id}/lines`, { changes: [{ replaces: [lineOf(says)], lines: [lineOf(says, { text })] }] }, by);
  expect((await replace(first, 'a puffin and its kittens', editor)).statusCode).toBe(200);
  const late = await replace(first, 'a tern and its kittens', replacing);
  expect([late.statusCode, late.json().detail]).toEqual([412, expect.stringContaining('it is “a puffin and its kittens” now')]);
  await setRoles(server.context.pool, replacing.uid, { viewer: true });
  expect((await replace(second, 'a tern and its kittens', replacing)).statusCode).toBe(403);
  const left = await Promise.all([first, second].map(async (id) => (await ask('GET', `/api/videos/${id}/lines`)).json().lines));
  expect(left.map(([line]) => line.text)).toEqual(['a puffin and its kittens', says.text]);
});

test('a page hears that somebody else changed the film, and of its own changes that they are its own', async () => {
  const id = await addFilm(server.context, { name: 'Snipe' });
  const other = await addPerson(server.context, { editor: true });
  const look = async (by: Person) => (await ask('GET', `/api/videos/${id}/revision`, undefined, by)).json();
  const before = await look(editor);
  expect(before.last).toBeNull();
  await ask('PUT', `/api/videos/${id}/facts/title`, { replaces: 'Snipe', says: 'Woodcock' }, other);
  const [ours, theirs] = [await look(editor), await look(other)];
  expect(ours.revision).toBeGreaterThan(before.revision);
  expect([ours.last.isOwn, theirs.last.isOwn, ours.last.isUndone]).toEqual([false, true, false]);
  await ask('POST', `/api/videos/${id}/corrections/${ours.last.correction}/undo`, {});
  expect((await look(other)).last).toMatchObject({ isOwn: false, isUndone: true });
  // And what it is called and who sees it now, however that came.
  expect([before, ours, await look(editor)]).toMatchObject(['Snipe', 'Woodcock', 'Snipe'].map((name) => ({ name, keptBackAt: null })));
  await ask('PUT', `/api/videos/${id}/visibility`, { shownTo: 'viewers', until: null, reason: '', seenAt: null }, other);
  expect((await look(editor)).keptBackAt).not.toBeNull();
});

test('the poster is the second that an editor chose once it is drawn, at another address, and the archive’s own when that is taken back', async () => {
  const { context, app } = server;
  const id = await addFilm(context, { name: 'Avocet' });
  await indexFilms(context);
  await context.pool.query(
    `insert into steps (name, position, version, class, optional) values ('poster', 6, 1, 'understood', true) on conflict do nothing`,
  );
  const poster = async () => {
    const token = await editor.accountToken();
    const asked = async (by: Record<string, string>) =>
      (await app.inject({ url: `${server.account}/Videos/Search?${new URLSearchParams({ ...by, accessToken: token })}` })).json()
        .results[0];
    const { thumbnailId } = await asked({ id });
    expect((await asked({ query: 'avocet' })).thumbnailId).toBe(thumbnailId);
    const picture = await app.inject({ url: `${server.account}/Videos/${id}/Thumbnails/${thumbnailId}?accessToken=${token}` });
    return { thumbnailId, body: picture.body, shared: (await app.inject({ url: `/posters/${id}.jpg` })).body };
  };
  const own = await poster();
  expect((await ask('PUT', `/api/videos/${id}/poster`, { atMs: 90_000 })).json().detail).toContain('ends before');
  expect((await ask('PUT', `/api/videos/${id}/poster`, { atMs: 12_000 })).statusCode).toBe(202);
  const { rows } = await context.pool.query(`select state from ingest_steps where video_id = $1 and step = 'poster'`, [id]);
  expect([rows, await poster()]).toEqual([[{ state: 'waiting' }], own]);
  await context.store.put(toVideoKeys(id).chosenPoster, Buffer.from('the twelfth second'));
  expect([await showPoster(context.pool, id, 14_000), await showPoster(context.pool, id, 12_000)]).toEqual([false, true]);
  const chosen = await poster();
  expect([chosen.body, chosen.shared]).toEqual(['the twelfth second', 'the twelfth second']);
  expect(chosen.thumbnailId).not.toBe(own.thumbnailId);
  const { corrections } = (await ask('GET', `/api/videos/${id}/corrections`)).json();
  await ask('POST', `/api/videos/${id}/corrections/${corrections[0].id}/undo`, {});
  expect(await poster()).toMatchObject({ body: 'poster', shared: 'poster' });
  const undone = await context.pool.query(`select detail from audit where video_id = $1 and action = 'correction-undone'`, [id]);
  expect(undone.rows).toEqual([{ detail: '00:00:12.000' }]);
});

test('as many long lines as one press verifies are verified by one call', async () => {
  const lines = Array.from({ length: limits.changesAtOnceMax }, (_, n): Moment => {
    return { ...heard(`${n} ${'ж'.repeat(245)}`, 0, 62), startMs: n * 20, endMs: n * 20 + 20 };
  });
  const id = await addHeard('Tern by the hour', lines);
  const changes = lines.map((moment) => ({ replaces: [lineOf(moment)], lines: [lineOf(moment)] }));
  const answer = await ask('PUT', `/api/videos/${id}/lines`, { changes });
  expect(answer.statusCode).toBe(200);
  expect(answer.json().lines.filter(({ review }: { review: string }) => review === 'verified')).toHaveLength(lines.length);
});

test('a recording without pictures shows its title as its poster, also once it is called something else, and when that is taken back', async () => {
  const { context } = server;
  const id = await addFilm(context, { name: 'Dunlin' });
  const poster = async () => (await server.app.inject({ url: `/posters/${id}.jpg` })).rawPayload;
  await ask('PUT', `/api/videos/${id}/facts/title`, { replaces: 'Dunlin', says: 'Sanderling' });
  expect((await poster()).toString()).toBe('poster');
  await context.pool.query('update videos set has_video = false where id = $1', [id]);
  await ask('PUT', `/api/videos/${id}/facts/title`, { replaces: 'Sanderling', says: 'Knot' });
  expect(await poster()).toEqual(drawTitlePoster('Knot'));
  const { corrections } = (await ask('GET', `/api/videos/${id}/corrections`)).json();
  await ask('POST', `/api/videos/${id}/corrections/${corrections[0].id}/undo`, {});
  expect(await poster()).toEqual(drawTitlePoster('Sanderling'));
  const { rows } = await context.pool.query('select poster_version as version from videos where id = $1', [id]);
  expect(rows).toEqual([{ version: 2 }]);
});

test('another file takes the place of a film’s own: same id, title and corrections, all steps once more, the old file in the trash', async () => {
  const { context } = server;
  const id = await addFilm(context, { name: 'Curlew', lines: ['the first cut'] });
  await ask('PUT', `/api/videos/${id}/facts/title`, { replaces: 'Curlew', says: 'Whimbrel' });
  await context.pool.query(`insert into ingest_steps (video_id, step, state) values ($1, 'poster', 'done')`, [id]);
  await context.pool.query(
    `insert into steps (name, position, version, class, optional) values ('poster', 6, 1, 'understood', true) on conflict do nothing`,
  );
  await context.pool.query(`insert into original_checks (video_id, checked_at, fault) values ($1, now(), 'changed')`, [id]);
  const bytes = madeBytes(40_000, 'second cut');
  const begun = await beginUploadIn(server, editor, { name: 'second-cut.mp4', size: bytes.length, replaces: id });
  const url = String(begun.headers.location);
  await sendIn(server, editor, { url, bytes, offset: 0 });
  const finish = () => ask('POST', `${url}/finish`, { sha256: sha256Of(bytes), sidecars: [] });
  expect((await finish()).json()).toMatchObject({ state: 'added', videoId: id });
  expect((await finish()).json()).toMatchObject({ state: 'added', videoId: id });
  expect(sha256Of(await storedBytes(context.store, toVideoKeys(id).original))).toBe(sha256Of(bytes));
  const { rows } = await context.pool.query(
    `select v.name, v.state, v.file_name as "fileName", (select count(*)::int from ingest_steps where video_id = v.id and state <> 'waiting') as done
       from videos v where id = $1`,
    [id],
  );
  expect(rows).toEqual([{ name: 'Whimbrel', state: 'Processed', fileName: 'second-cut.mp4', done: 0 }]);
  const trashed = (await context.store.trash.list()).find(({ key }) => key === toVideoKeys(id).original);
  expect(trashed?.reason).toContain('second-cut.mp4');
  expect(await listOriginalFaults(context.pool), 'what was wrong with the old one says nothing of it').toEqual([]);
});

test('a file that another film has takes nobody’s place, and a film that is gone has none', async () => {
  const [id, other] = [await addFilm(server.context, { name: 'Knot' }), await addFilm(server.context, { name: 'Dunlin' })];
  const bytes = Buffer.from(originalOf(other));
  const begun = await beginUploadIn(server, editor, { name: 'dunlin.mp4', size: bytes.length, replaces: id });
  const url = String(begun.headers.location);
  await sendIn(server, editor, { url, bytes, offset: 0 });
  const refused = await ask('POST', `${url}/finish`, { sha256: sha256Of(bytes), sidecars: [] });
  expect([refused.statusCode, refused.json().detail]).toEqual([409, expect.stringContaining('“Dunlin” already uses this file')]);
  expect((await readStored(server.context.store, toVideoKeys(id).original))?.toString()).toBe(originalOf(id));
  expect((await beginUploadIn(server, editor, { name: 'a.mp4', size: 5, replaces: '0123456789' })).statusCode).toBe(404);
});

test('subtitles that come alone join the film that came as the file of their name, and what came with it is read again', async () => {
  const { context } = server;
  const id = await addFilm(context, { name: 'Ruff' });
  await context.pool.query(`update videos set file_name = 'ruff.reel.mp4' where id = $1`, [id]);
  await context.pool.query(`insert into steps (name, position, version, class, optional) values ('facts', 0, 1, 'playable', false),
    ('captions', 4, 1, 'playable', true) on conflict do nothing`);
  const send = async (name: string, text: string) => {
    const bytes = Buffer.from(text);
    const begun = await beginUploadIn(server, editor, { name, size: bytes.length });
    const url = String(begun.headers.location);
    await sendIn(server, editor, { url, bytes, offset: 0 });
    return await ask('POST', `${url}/finish`, { sha256: sha256Of(bytes), sidecars: [] });
  };
  const kept = async () => {
    const below = toVideoKeys(id).sidecars;
    const keys = (await Array.fromAsync(context.store.list(below))).map(({ key }) => key).sort();
    return await Promise.all(keys.map(async (key) => [key.slice(below.length + 1), (await storedBytes(context.store, key)).toString()]));
  };
  expect((await send('ruff.reel.en.srt', 'first')).json()).toMatchObject({ state: 'added', videoId: id });
  expect((await send('ruff.reel.de.srt', 'zweite')).json()).toMatchObject({ state: 'added', videoId: id });
  expect((await send('ruff.reel.en.srt', 'better')).json()).toMatchObject({ state: 'added', videoId: id });
  expect(await kept()).toEqual([
    ['subtitles-0.en.txt', 'better'],
    ['subtitles-1.de.txt', 'zweite'],
  ]);
  const { rows } = await context.pool.query(`select step, state from ingest_steps where video_id = $1 order by step`, [id]);
  expect(rows).toEqual([
    { step: 'captions', state: 'waiting' },
    { step: 'facts', state: 'waiting' },
  ]);
  const lonely = await send('nobody.en.srt', 'third');
  expect([lonely.statusCode, lonely.json().detail]).toEqual([404, expect.stringContaining('matches no video’s file name')]);
});
