import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256Of } from '#domain/files/sha256.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { endsOf, madeBytes } from '#testing/made-bytes.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { askIn, beginUploadIn, headersOf, sendIn, tus } from '#testing/upload-client.ts';

let server: TestServer;
let editor: Person;
beforeAll(async () => {
  server = await startTestServer({ RUSHES_DISK_RESERVE_MB: '0' });
  editor = await addPerson(server.context, { editor: true });
});
afterAll(() => server.stop());

const cue = (text: string) => Buffer.from(`1\n00:00:00,000 --> 00:00:02,000\n${text}\n`);

test('what comes with a film that is here already is laid beside it where nothing of its kind lies, else it is said how it takes that place', async () => {
  const bytes = madeBytes(40_000, 'known');
  const film = await sendFilm(bytes, 'known.mp4', { 'known.en.srt': cue('The harbour') });
  expect(film.remarks).toEqual([]);
  const again = await sendFilm(bytes, 'known.mp4', {
    'known.en.srt': cue('Another harbour'),
    'known.de.srt': cue('Der Hafen'),
    'known.json': Buffer.from('{"title":"Harbour"}'),
  });
  expect(again).toMatchObject({ state: 'known', videoId: film.videoId });
  expect(again.remarks).toEqual([
    'known.en.srt was skipped: the video already has subtitles in this language. Add it on its own on the desk to replace them.',
    'known.de.srt was added to it.',
    'known.json was added to it.',
  ]);
  expect(await besides(film.videoId)).toMatchObject({
    'subtitles-0.en.txt': String(cue('The harbour')),
    'subtitles-1.de.txt': String(cue('Der Hafen')),
    'unread-0.txt': '{"title":"Harbour"}',
  });
  expect(await trashed(film.videoId)).toEqual([]);
  expect((await sendFilm(bytes, 'other.mp4', { 'other.de.srt': cue('Der Hafen'), 'other.en.srt': cue('No') })).remarks).toEqual([
    'It already has other.de.srt.',
    'other.en.srt was skipped: the video already has subtitles in this language. Rename it after known.mp4 and add it on its own on the desk to replace them.',
  ]);
  const { rows } = await server.context.pool.query('select file_name from uploads where user_id = $1 and finished_at is null', [
    editor.uid,
  ]);
  expect(rows).toEqual([]);
});

test.each(['NFC', 'NFD'])('a sidecar finds its film whichever of the two ways to write é a name has, with the film in %s', async (form) => {
  const [films, other] = [`café ${form}.mp4`.normalize(form), form === 'NFC' ? 'NFD' : 'NFC'];
  const film = await sendFilm(madeBytes(30_000, form), films, { [`café ${form}.de.srt`.normalize(other)]: cue('Das Café') });
  expect((await sendAlone(cue('The café'), `café ${form}.en.srt`.normalize(other))).videoId).toBe(film.videoId);
  expect(Object.keys(await besides(film.videoId))).toEqual(['facts.json', 'subtitles-0.de.txt', 'subtitles-1.en.txt']);
});

test('a sidecar that comes alone takes the place of the one of its language, which goes to the trash, and of no other; the audit tells of it', async () => {
  const film = await sendFilm(madeBytes(30_000, 'alone'), 'alone.mp4', { 'alone.es-419.srt': cue('El puerto') });
  expect((await sendAlone(cue('The harbour'), 'alone.srt')).state).toBe('added');
  expect(await besides(film.videoId)).toMatchObject({
    'subtitles-0.es-419.txt': String(cue('El puerto')),
    'subtitles-1.txt': String(cue('The harbour')),
  });
  expect((await sendAlone(cue('El puerto viejo'), 'alone.es-419.srt')).videoId).toBe(film.videoId);
  expect(Object.keys(await besides(film.videoId))).toEqual(['facts.json', 'subtitles-0.es-419.txt', 'subtitles-1.txt']);
  expect(await besides(film.videoId)).toMatchObject({ 'subtitles-0.es-419.txt': String(cue('El puerto viejo')) });
  expect(await trashed(film.videoId)).toEqual([cue('El puerto').length]);
  const { rows } = await server.context.pool.query(
    `select detail, actor_uid = $2 as mine from audit where video_id = $1 and action = 'sidecar-added' order by at`,
    [film.videoId, editor.uid],
  );
  expect(rows.map(({ detail, mine }) => [detail, mine])).toEqual([
    ['alone.srt', true],
    ['alone.es-419.srt', true],
  ]);
});

test('chapters that come while a film is on its way in are read, although what came with it was read by then', async () => {
  const { pool } = server.context;
  const { videoId } = await sendFilm(madeBytes(20_000, 'under way'), 'under-way.mp4');
  await pool.query(`insert into steps (name, position, version, class, optional)
    values ('facts', 0, 1, 'playable', false), ('captions', 1, 1, 'playable', false)`);
  await pool.query(`insert into ingest_steps (video_id, step, state, ended_at) values ($1, 'facts', 'done', now())`, [videoId]);
  await pool.query(`update videos set state = 'Processing' where id = $1`, [videoId]);
  const jobs = async () => (await pool.query(`select from jobs.job where data ->> 'videoId' = $1`, [videoId])).rowCount ?? 0;
  const before = await jobs();
  expect((await sendAlone(Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nThe quay\n'), 'under-way.chapters.vtt')).state).toBe('added');
  const { rows } = await pool.query('select step, state from ingest_steps where video_id = $1', [videoId]);
  expect([rows, await jobs()]).toEqual([[{ step: 'facts', state: 'waiting' }], before + 1]);
  await pool.query(`update ingest_steps set state = 'running' where video_id = $1`, [videoId]);
  const refused = await sendAlone(cue('Late'), 'under-way.srt');
  expect(refused).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('Try again in a minute') });
  expect(Object.keys(await besides(videoId))).not.toContain('subtitles-0.txt');
  await pool.query('delete from steps');
});

async function send(bytes: Buffer, name: string): Promise<string> {
  const url = String((await beginUploadIn(server, editor, { name, size: bytes.length, ends: endsOf(bytes) })).headers.location);
  await sendIn(server, editor, { url, bytes, offset: 0 });
  return url;
}

async function finish(url: string, bytes: Buffer, sidecars: readonly string[]) {
  const payload = { sha256: sha256Of(bytes), sidecars };
  return (await server.app.inject({ method: 'POST', url: `${url}/finish`, headers: headersOf(editor), payload })).json();
}

async function sendFilm(bytes: Buffer, name: string, beside: Readonly<Record<string, Buffer>> = {}) {
  const sidecars: string[] = [];
  for (const [sidecar, text] of Object.entries(beside)) sidecars.push((await send(text, sidecar)).split('/').at(-1) ?? '');
  return await finish(await send(bytes, name), bytes, sidecars);
}

async function sendAlone(bytes: Buffer, name: string) {
  const url = await send(bytes, name);
  const answer = await finish(url, bytes, []);
  if (answer.code) await askIn(server, editor, 'DELETE', url, tus);
  return answer;
}

/** What is kept beside a film, by its name there. */
async function besides(videoId: string): Promise<Record<string, string>> {
  const { store } = server.context;
  const keys = (await Array.fromAsync(store.list(toVideoKeys(videoId).sidecars))).map(({ key }) => key).toSorted();
  const texts = await Promise.all(keys.map(async (key) => [key.split('/').at(-1), String(await storedBytes(store, key))]));
  return Object.fromEntries(texts);
}

async function trashed(videoId: string): Promise<number[]> {
  return (await server.context.store.trash.list()).filter(({ key }) => key.includes(videoId)).map(({ sizeBytes }) => sizeBytes);
}
