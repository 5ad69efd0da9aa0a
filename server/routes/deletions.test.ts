import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { sha256Of } from '#domain/files/sha256.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { withVideoClaim } from '#domain/jobs/worker-lease.ts';
import { refuseDeletedContent } from '#domain/videos/deletions.ts';
import { publishVideo } from '#domain/videos/publish-video.ts';
import { addFilm, originalOf } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { indexFilms } from '#testing/index-films.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { until } from '#testing/until.ts';
import { beginUploadIn, sendIn } from '#testing/upload-client.ts';
import { withoutLimits } from '#testing/without-limits.ts';

let server: TestServer;
let editor: Person;
let admin: Person;
let viewer: Person;
beforeAll(async () => {
  server = await startTestServer(withoutLimits);
  editor = await addPerson(server.context, { editor: true });
  admin = await addPerson(server.context, { admin: true });
  viewer = await addPerson(server.context, { viewer: true });
});
afterAll(() => server.stop());

test('a deleted film is found and played by nobody, not even with what was given out before, and comes back under its id with all that people corrected', async () => {
  const id = await addFilm(server.context, { name: 'Lighthouse keepers', lines: ['the lamp is lit at dusk'] });
  await ask('PUT', `/api/videos/${id}/facts/title`, editor, { replaces: 'Lighthouse keepers', says: 'The last keepers' });
  const doors = await doorsOf(id);
  const statuses = async () => await Promise.all(doors.map(async (door) => (await server.app.inject(door)).statusCode));
  expect([await statuses(), await found('lamp'), await found('keepers')]).toEqual([[200, 200, 200, 200, 200], [id], [id]]);

  const onlyUnderWay = { name: 'The last keepers', reason: '', isUnderWay: true };
  expect((await ask('DELETE', `/api/videos/${id}`, editor, onlyUnderWay)).json()).toMatchObject({ code: 'conflict' });
  expect((await remove(id, 'The last keepers', 'Rights ended')).statusCode).toBe(204);
  expect(await statuses()).toEqual([404, 404, 404, 404, 404]);
  expect([await found('lamp'), await found('keepers'), (await server.app.inject('/feed.xml')).body.includes(id)]).toEqual([[], [], false]);
  for (const path of ['corrections', 'lines', 'faces', 'steps'])
    expect([path, (await ask('GET', `/api/videos/${id}/${path}`, editor)).statusCode]).toEqual([path, 404]);
  const late = await ask('PUT', `/api/videos/${id}/facts/title`, editor, { replaces: 'The last keepers', says: 'Late' });
  expect([late.statusCode, (await ask('GET', '/api/uploads', editor)).body.includes(id)]).toEqual([404, false]);
  expect(await deleted()).toMatchObject([
    { id, name: 'The last keepers', reason: 'Rights ended', deletedBy: `Person ${editor.uid}`, daysLeft: limits.restorableDays },
  ]);
  expect((await remove(id, 'The last keepers')).json()).toMatchObject({ code: 'conflict' });

  expect((await ask('POST', `/api/deletions/${id}/restore`, editor, {})).statusCode).toBe(204);
  expect([await statuses(), await found('lamp'), await found('keepers'), await deleted()]).toEqual([
    [200, 200, 200, 200, 200],
    [id],
    [id],
    [],
  ]);
  const { corrections } = (await ask('GET', `/api/videos/${id}/corrections`, editor)).json();
  expect(corrections).toMatchObject([{ says: 'The last keepers', state: 'standing' }]);
  expect((await activityOf(id)).slice(0, 2)).toEqual(['film-restored ', 'film-deleted Rights ended']);
  expect((await ask('POST', `/api/deletions/${id}/restore`, editor, {})).statusCode).toBe(404);
});

test('only who saw the film as it is called deletes it, with its item code or as it is shown', async () => {
  const id = await addFilm(server.context, { name: 'Tape 9' });
  expect((await remove(id, 'Tape 8')).json()).toMatchObject({ code: 'version_mismatch', detail: expect.stringContaining('“Tape 9”') });
  expect((await remove('0000000000', 'Tape 9')).statusCode).toBe(404);
  expect(await deleted()).toEqual([]);
  const coded = await addFilm(server.context, { name: 'Tape 10 [AB-77]' });
  expect([
    (await remove(coded, 'Tape 10')).statusCode,
    (await ask('POST', `/api/deletions/${coded}/restore`, editor, {})).statusCode,
  ]).toEqual([204, 204]);
});

test('a film that is deleted on its way in is published by no worker, and goes on when it is brought back', async () => {
  const { pool } = server.context;
  const id = await addFilm(server.context, { name: 'Half in', processed: false });
  await pool.query(`insert into ingest_steps (video_id, step, state) values ($1, 'renditions', 'running'), ($1, 'publish', 'done')`, [id]);
  await pool.query(`update videos set state = 'Processing' where id = $1`, [id]);
  await remove(id, 'Half in');
  const facts = { width: 640, height: 360, hasVideo: true, hasAudio: true, streamingPreset: 'SingleBitrate' } as const;
  await publishVideo(pool, { videoId: id, durationInSeconds: 60, ...facts });
  expect([await stateOf(id), (await deleted()).length]).toEqual(['Quarantined', 1]);
  await ask('POST', `/api/deletions/${id}/restore`, editor, {});
  const { rows } = await pool.query('select step, state from ingest_steps where video_id = $1', [id]);
  expect([await stateOf(id), rows]).toEqual(['Uploaded', [{ step: 'renditions', state: 'waiting' }]]);
  const jobs = await pool.query(`select from jobs.job where data ->> 'videoId' = $1 and state = 'created'`, [id]);
  expect(jobs.rowCount).toBe(1);
});

test('a film that is being erased is listed no more and does not come back, and whoever sends the same bytes is asked to wait', async () => {
  const { pool } = server.context;
  const id = await addFilm(server.context, { name: 'Going' });
  await remove(id, 'Going');
  await pool.query('update deletions set erasing_at = now() where video_id = $1', [id]);
  const answer = await ask('POST', `/api/deletions/${id}/restore`, editor, {});
  expect([answer.statusCode, answer.json().detail]).toEqual([409, expect.stringContaining('being erased')]);
  expect([await deleted(), await stateOf(id), await activityOf(id)]).toEqual([[], 'Quarantined', ['film-deleted ']]);
  const { rows } = await pool.query<{ hash: string }>('select content_hash as hash from videos where id = $1', [id]);
  await expect(refuseDeletedContent(pool, rows[0]?.hash ?? '')).rejects.toMatchObject({ code: 'unavailable' });
});

test('the upload of a deleted film waits, is known once that is restored, and becomes a film of its own once it is erased', async () => {
  const id = await addFilm(server.context, { name: 'Tape 11' });
  const bytes = Buffer.from(originalOf(id));
  const send = async (name: string) => {
    const url = String((await beginUploadIn(server, editor, { name, size: bytes.length })).headers.location);
    expect((await sendIn(server, editor, { url, bytes, offset: 0 })).statusCode).toBe(204);
    return url;
  };
  const [first, second] = [await send('tape-11.mp4'), await send('again.mp4')];
  const finish = (url: string) => ask('POST', `${url}/finish`, editor, { sha256: sha256Of(bytes), sidecars: [] });
  const refused = [409, expect.stringContaining('deleted video “Tape 11”. Restore it')];

  await remove(id, 'Tape 11');
  const answer = await finish(first);
  expect([answer.statusCode, answer.json().detail]).toEqual(refused);
  await ask('POST', `/api/deletions/${id}/restore`, editor, {});
  expect((await finish(first)).json()).toMatchObject({ state: 'known', videoId: id });

  await remove(id, 'Tape 11');
  expect((await finish(second)).statusCode).toBe(409);
  await until(async () => (await erase(id, 'Tape 11')).statusCode === 204);
  const { state, videoId } = (await finish(second)).json();
  expect([state, videoId === id, await stateOf(videoId)]).toEqual(['added', false, 'Uploaded']);
});

test('a reason has as many characters as are counted on the page, and not one more', async () => {
  const id = await addFilm(server.context, { name: 'Reasons' });
  expect((await remove(id, 'Reasons', 'x'.repeat(281))).statusCode).toBe(400);
  expect(await stateOf(id)).toBe('Processed');
  expect((await remove(id, 'Reasons', '\u{1F3AC}'.repeat(280))).statusCode).toBe(204);
  expect((await ask('POST', `/api/deletions/${id}/restore`, editor, {})).statusCode).toBe(204);
});

test('an administrator who gives its title erases a deleted film at once: files, rows, and what the audit quotes of it', async () => {
  const { pool, store } = server.context;
  const id = await addFilm(server.context, { name: 'Tape 12', lines: ['a heron waits'] });
  await ask('PUT', `/api/videos/${id}/facts/title`, editor, { replaces: 'Tape 12', says: 'Herons' });
  await store.remove(toVideoKeys(id).captions, 'an earlier step');
  expect((await erase(id, 'Herons')).statusCode).toBe(404);
  await remove(id, 'Herons');
  expect((await erase(id, 'Heron')).json()).toMatchObject({ code: 'version_mismatch' });
  expect((await ask('DELETE', `/api/deletions/${id}`, editor, { name: 'Herons' })).statusCode).toBe(403);
  // A claim ends with its connection: the one of the refusals before may still be held for a moment, as the worker's below.
  const busy = await until(() => withVideoClaim(pool, id, async () => (await erase(id, 'Herons')).json()));
  expect([busy, await store.stat(toVideoKeys(id).original)]).toEqual([expect.objectContaining({ code: 'conflict' }), expect.anything()]);

  await until(async () => (await erase(id, 'Herons')).statusCode === 204);
  const held = await Promise.all([store.listVideos(), store.trash.list(), pool.query('select video_id, body from layers')]);
  expect(JSON.stringify([held[0], held[1], held[2].rows])).not.toMatch(new RegExp(`${id}|heron`, 'i'));
  expect(await Array.fromAsync(store.list(toVideoKeys(id).all))).toEqual([]);
  expect([await stateOf(id), await deleted()]).toEqual([undefined, []]);
  const forgets = await pool.query(`select from archive_facts where name = 'index_forgets'`);
  expect(forgets.rowCount).toBe(1);
  expect(await activityOf(id)).toEqual(['film-erased ', 'film-deleted ', 'title-changed ']);
});

function ask(method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, person: Person, payload?: object) {
  const headers = { cookie: person.cookie, origin: 'http://localhost:80', host: 'localhost:80', 'content-type': 'application/json' };
  return server.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
}

const remove = (id: string, name: string, reason = '') => ask('DELETE', `/api/videos/${id}`, editor, { name, reason });
const erase = (id: string, name: string) => ask('DELETE', `/api/deletions/${id}`, admin, { name });
const deleted = async () => (await ask('GET', '/api/deletions', editor)).json().films;

async function stateOf(id: string): Promise<string | undefined> {
  return (await server.context.pool.query<{ state: string }>('select state from videos where id = $1', [id])).rows[0]?.state;
}

async function activityOf(id: string): Promise<string[]> {
  const { entries } = (await ask('GET', '/api/activity', admin)).json();
  return entries
    .filter(({ video }: { video: { id: string } | null }) => video?.id === id)
    .map(({ action, detail }: { action: string; detail: string }) => `${action} ${detail}`);
}

/** What a viewer holds of a film who was watching: a token, and the cookie of its stream. */
async function doorsOf(film: string) {
  const token = await viewer.videoToken(film);
  const player = `/embed/player/trial/${film}/?accessToken=${token}`;
  const cookie = String((await server.app.inject(player)).headers['set-cookie']).split(';')[0];
  return [
    { method: 'GET' as const, url: player },
    { method: 'GET' as const, url: `${server.account}/Videos/${film}/Index?accessToken=${token}` },
    { method: 'GET' as const, url: `/api/videos/${film}/facts`, headers: { authorization: `Bearer ${token}` } },
    { method: 'GET' as const, url: `/media/${film}/hls/v1/segment-00000.m4s`, headers: { cookie } },
    { method: 'GET' as const, url: `/posters/${film}.jpg` },
  ];
}

async function found(query: string): Promise<string[]> {
  await indexFilms(server.context);
  const accessToken = await server.guestToken();
  const answer = await server.app.inject({ url: `${server.account}/Videos/Search?${new URLSearchParams({ query, accessToken })}` });
  return answer.json().results.map(({ id }: { id: string }) => id);
}
