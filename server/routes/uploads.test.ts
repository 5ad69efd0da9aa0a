import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { request as ask } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { sha256Of } from '#domain/files/sha256.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { finishUpload } from '#domain/footage/finish-upload.ts';
import { openUploadBytes } from '#domain/footage/upload-bytes.ts';
import { sweepUploads } from '#domain/footage/uploads.ts';
import { openJobQueue } from '#domain/jobs/job-queue.ts';
import { setRoles } from '#domain/users/roles.ts';
import { correctFact } from '#domain/videos/corrections/correct-fact.ts';
import { failVideo } from '#domain/videos/fail-video.ts';
import { findVideosWithoutFootage } from '#domain/videos/footage.ts';
import { findVisibility, setVisibility } from '#domain/videos/visibility.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { endsOf, madeBytes } from '#testing/made-bytes.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { until } from '#testing/until.ts';
import { askIn, beginUploadIn, headersOf, pieceOfUpload, sendIn, tus } from '#testing/upload-client.ts';

const env = { RUSHES_UPLOAD_MAX_MB: '20', RUSHES_UPLOAD_QUOTA_MB: '64', RUSHES_DISK_RESERVE_MB: '0' };
let server: TestServer;
let editor: Person;
beforeAll(async () => {
  server = await startTestServer(env);
  editor = await addPerson(server.context, { editor: true });
});
afterAll(() => server.stop());

test('a call that is cut off between the file’s place and its record is made again, and loses nothing', async () => {
  const { context } = server;
  const bytes = madeBytes(60_000, 'cut while finishing');
  const upload = await begin(bytes, 'finishing.mp4');
  await send(upload, bytes, 0);
  const id = idOf(upload);
  const finishing = { id, userId: editor.uid, sha256: sha256Of(bytes), sidecars: [], from: '127.0.0.1' };
  const queue = await openJobQueue(context.pool, { onError: () => {} });
  const cutOff = { ...queue, enqueue: () => Promise.reject(new Error('killed')) };
  await expect(finishUpload({ ...context, queue: cutOff }, finishing)).rejects.toThrow('killed');
  await queue.stop();
  expect(filesUnderWay()).not.toContain(id);
  // Whoever sends on hears that all of it is there, and whoever comes back sees it.
  expect(await offsetOf(upload)).toBe(bytes.length);
  const { unfinished } = (await askIn(server, editor, 'GET', '/api/uploads')).json();
  expect(unfinished.find((one: { id: string }) => one.id === id)?.receivedBytes).toBe(bytes.length);
  const { rows } = await context.pool.query('select video_id as "videoId" from uploads where id = $1', [id]);
  expect(await findVideosWithoutFootage(context.pool, [rows[0].videoId])).toEqual([]);
  const { state, videoId } = (await finish(upload, sha256Of(bytes))).json();
  expect(state).toBe('added');
  expect(sha256Of(await storedBytes(context.store, toVideoKeys(videoId).original))).toBe(sha256Of(bytes));
  expect(await jobsOf(videoId)).toBe(1);
});

test('of two who send at the same place one goes on, and what the other still says is not taken', async () => {
  const bytes = madeBytes(200_000, 'race');
  const upload = await begin(bytes, 'race.mp4');
  const origin = await server.listen();
  const headers = { ...pieceOfUpload, cookie: editor.cookie, origin, 'upload-offset': '0', 'content-length': String(bytes.length) };
  const first = ask(`${origin}${upload}`, { method: 'PATCH', headers });
  const ended = new Promise<void>((resolve) => first.on('error', () => resolve()).on('close', () => resolve()));
  // It has been let in when its first byte is written.
  first.write(bytes.subarray(0, 1));
  await until(async () => (await openUploadBytes(server.context).received(idOf(upload))) === 1);
  const second = await send(upload, bytes.subarray(1), 1);
  first.end(madeBytes(199_999, 'something else'));
  await ended;
  expect(second.statusCode).toBe(204);
  expect((await send(upload, bytes, 0)).statusCode).toBe(409);
  expect((await finish(upload, sha256Of(bytes))).json().state).toBe('added');
});

test('footage that the archive holds is told by size and ends before it is sent, and by its content when it is finished', async () => {
  const bytes = madeBytes(2_500_000, 'twice');
  const first = await sendWhole(bytes, 'first.mov');
  const look = `/api/same-footage?${new URLSearchParams({ sizeBytes: String(bytes.length), ends: endsOf(bytes) })}`;
  expect((await askIn(server, editor, 'GET', look)).json().video).toEqual({ id: first, name: 'First', isDeleted: false });
  const other = madeBytes(2_500_000, 'other');
  const lookOther = `/api/same-footage?${new URLSearchParams({ sizeBytes: String(other.length), ends: endsOf(other) })}`;
  expect((await askIn(server, editor, 'GET', lookOther)).json().video).toBeNull();
  const again = await begin(bytes, 'second.mov');
  await send(again, bytes, 0);
  expect((await finish(again, sha256Of(bytes))).json()).toEqual({ state: 'known', videoId: first, remarks: [] });
  const { rows } = await server.context.pool.query(`select actor_uid as who, detail from audit where video_id = $1`, [first]);
  expect(rows).toEqual([{ who: editor.uid, detail: 'first.mov' }]);
});

test.each(['at once', 'after it was cut off'])(
  'a film that was refused and comes again, %s, keeps its id, what was corrected, and who may see it',
  async (when) => {
    const { context } = server;
    const { pool, store } = context;
    const bytes = madeBytes(40_000, `refused ${when}`);
    const film = await sendWhole(bytes, 'refused.mp4');
    await pool.query(`insert into ingest_steps (video_id, step, state) values ($1, 'stills', 'done')`, [film]);
    await failVideo(pool, { videoId: film, code: 'unreadable_media', message: 'It could not be read.' });
    await store.remove(toVideoKeys(film).all, 'refused');
    const by = { videoId: film, actorUid: editor.uid, from: '127.0.0.1' };
    await correctFact(pool, { ...by, fact: 'place', replaces: '', says: 'Kiel' });
    await setVisibility(pool, { ...by, shownTo: 'editors', reason: 'Not ours', until: null, seenAt: null });
    const upload = await begin(bytes, 'refused again.mp4');
    await send(upload, bytes, 0);
    const finishing = { id: idOf(upload), userId: editor.uid, sha256: sha256Of(bytes), sidecars: [], from: '127.0.0.1' };
    const queue = await openJobQueue(pool, { onError: () => {} });
    const cutOff = { ...queue, enqueue: () => Promise.reject(new Error('killed')) };
    if (when !== 'at once') await expect(finishUpload({ ...context, queue: cutOff }, finishing)).rejects.toThrow('killed');
    await queue.stop();
    for (const _ of ['first', 'again'])
      expect((await finish(upload, sha256Of(bytes))).json()).toEqual({ state: 'added', videoId: film, remarks: [] });
    const { rows } = await pool.query(
      `select state, failure_code as failure, (select count(*)::int from corrections where video_id = videos.id) as corrections,
              (select count(*)::int from ingest_steps where video_id = videos.id) as steps
         from videos where content_hash = $1`,
      [sha256Of(bytes)],
    );
    expect(rows).toEqual([{ state: 'Uploaded', failure: null, corrections: 1, steps: 0 }]);
    expect((await findVisibility(pool, film)).shownTo).toBe('editors');
    expect(sha256Of(await storedBytes(store, toVideoKeys(film).original))).toBe(sha256Of(bytes));
    expect((await store.listVideos()).filter((id) => id === film)).toHaveLength(1);
    expect(await jobsOf(film)).toBe(2);
    expect(filesUnderWay()).not.toContain(idOf(upload));
  },
);

test('what came otherwise than it was read becomes no film, and has to be sent anew', async () => {
  const bytes = madeBytes(50_000, 'damaged');
  const upload = await begin(bytes, 'damaged.mp4');
  await send(upload, madeBytes(50_000, 'something else'), 0);
  const refused = await finish(upload, sha256Of(bytes));
  expect([refused.statusCode, refused.json().detail]).toEqual([409, expect.stringContaining('Send it again')]);
  expect((await askIn(server, editor, 'HEAD', upload, tus)).statusCode).toBe(404);
  const half = await begin(bytes, 'half.mp4');
  await send(half, bytes.subarray(0, 20_000), 0);
  expect((await finish(half, sha256Of(bytes))).json().detail).toContain('20000 of 50000 bytes');
});

test('sidecars are kept with the film that they are named after, and no other file is', async () => {
  const bytes = madeBytes(40_000, 'with sidecars');
  const subtitles = Buffer.from('1\n00:00:00,000 --> 00:00:02,000\nThe harbour\n');
  const film = await begin(bytes, 'tram.mp4');
  const [words, facts, stranger] = [
    await begin(subtitles, 'tram.en.srt'),
    await begin(Buffer.from('{}'), 'tram.json'),
    await begin(subtitles, 'ship.srt'),
  ];
  await send(film, bytes, 0);
  await send(words, subtitles, 0);
  await send(facts, Buffer.from('{}'), 0);
  await send(stranger, subtitles, 0);
  expect((await finish(film, sha256Of(bytes), [words, stranger])).json().detail).toContain('does not match the file name tram.mp4');
  const { videoId } = (await finish(film, sha256Of(bytes), [words, facts])).json();
  const keys = await Array.fromAsync(server.context.store.list(toVideoKeys(videoId).sidecars));
  expect(keys.map(({ key }) => key.split('/').at(-1)).sort()).toEqual(['facts.json', 'subtitles-0.en.txt', 'unread-0.txt']);
  expect((await askIn(server, editor, 'HEAD', words, tus)).statusCode).toBe(404);
  // A page that did not hear the answer has sent them again.
  const again = await begin(subtitles, 'tram.en.srt');
  await send(again, subtitles, 0);
  expect((await finish(film, sha256Of(bytes), [again, stranger])).json()).toEqual({ state: 'added', videoId, remarks: [] });
  expect((await askIn(server, editor, 'HEAD', again, tus)).statusCode).toBe(404);
  expect(await offsetOf(stranger)).toBe(subtitles.length);
});

test('nobody sends more than a few pieces at once, and others go on', async () => {
  const busy = await addPerson(server.context, { editor: true });
  const origin = await server.listen();
  const begun = await Promise.all(
    Array.from({ length: limits.uploadsAtOncePerUser + 1 }, (_, n) => beginUploadIn(server, busy, { name: `many-${n}.mp4`, size: 2 })),
  );
  const [last = '', ...others] = begun.map(({ headers }) => String(headers.location));
  const open = others.map((upload) => {
    const headers = { ...pieceOfUpload, cookie: busy.cookie, origin, 'upload-offset': '0', 'content-length': '2' };
    return ask(`${origin}${upload}`, { method: 'PATCH', headers }).on('error', () => {});
  });
  for (const one of open) one.write('a');
  for (const upload of others) await until(async () => (await openUploadBytes(server.context).received(idOf(upload))) === 1);
  expect((await send(last, Buffer.from('ab'), 0, busy)).statusCode).toBe(429);
  await sendWhole(madeBytes(100, 'meanwhile'), 'meanwhile.mp4');
  await Promise.all(open.map((one) => new Promise((answered) => one.on('response', answered).end('b'))));
  expect((await send(last, Buffer.from('ab'), 0, busy)).statusCode).toBe(204);
});

test('who has many unfinished uploads begins no more, and others do', async () => {
  const { pool } = server.context;
  const [one, other] = [await addPerson(server.context, { editor: true }), await addPerson(server.context, { editor: true })];
  const left = `insert into uploads (id, user_id, video_id, file_name, size_bytes, ends)
    select md5($1 || n), $1, lpad(to_hex(n), 10, 'a'), 'left.mp4', 1, $2 from generate_series(1, $3::int) n`;
  await pool.query(left, [one.uid, '0'.repeat(64), limits.unfinishedUploadsPerUser]);
  const asked = async (person: Person) => await beginUploadIn(server, person, { name: 'more.mp4', size: 1 });
  const refused = await asked(one);
  expect([refused.statusCode, refused.json().detail]).toEqual([409, expect.stringContaining('You have 200 unfinished uploads')]);
  expect((await asked(other)).statusCode).toBe(201);
  await pool.query('delete from uploads where user_id = any ($1)', [[one.uid, other.uid]]);
});

test.each([
  ['a record without a file', `update videos set origin = 'catalogue' where id = $1`, 400, 'no file to replace'],
  ['a deleted film', `update videos set state = 'Quarantined' where id = $1`, 404, 'no longer exists'],
])('no file takes the place of that of %s', async (_, change, status, detail) => {
  const id = await addFilm(server.context);
  await server.context.pool.query(change, [id]);
  const answer = await beginUploadIn(server, editor, { name: 'better.mp4', size: 1_000, replaces: id });
  expect([answer.statusCode, answer.json().detail]).toEqual([status, expect.stringContaining(detail)]);
  const { rowCount } = await server.context.pool.query('select from uploads where replaces = $1', [id]);
  expect(rowCount).toBe(0);
});

test('an upload is there for whoever began it, and as long as they may edit', async () => {
  const bytes = madeBytes(1_000, 'mine');
  const owner = await addPerson(server.context, { editor: true });
  const upload = String((await beginUploadIn(server, owner, { name: 'mine.mp4', size: 1_000 })).headers.location);
  for (const method of ['HEAD', 'DELETE'] as const) expect((await askIn(server, editor, method, upload, tus)).statusCode).toBe(404);
  expect((await send(upload, bytes, 0)).statusCode).toBe(404);
  expect((await finish(upload, sha256Of(bytes))).statusCode).toBe(404);
  expect((await askIn(server, owner, 'HEAD', upload, tus)).headers['upload-offset']).toBe('0');
  await setRoles(server.context.pool, owner.uid, { viewer: true });
  expect((await send(upload, bytes, 0, owner)).statusCode).toBe(403);
});

test('an upload of which nothing comes any more is swept after some days, and no other', async () => {
  const [old, young] = [await begin(madeBytes(10, 'old'), 'old.mp4'), await begin(madeBytes(10, 'young'), 'young.mp4')];
  await server.context.pool.query(`update uploads set touched_at = now() - interval '8 days' where id = $1`, [idOf(old)]);
  const stray = '0'.repeat(32);
  writeFileSync(join(server.context.folder.uploads, stray), 'of nobody');
  await sweepUploads(server.context);
  expect(filesUnderWay()).not.toContain(idOf(old));
  expect(filesUnderWay()).toEqual(expect.arrayContaining([stray, idOf(young)]));
  await sweepUploads(server.context, Date.now() + 2 * 86_400_000);
  expect(filesUnderWay()).not.toContain(stray);
  expect(filesUnderWay()).toContain(idOf(young));
});

test('a full disk answers 507, keeps what has come, and goes on when there is room', async ({ skip }) => {
  const { folder } = server.context;
  rmSync(folder.uploads, { recursive: true, force: true });
  mkdirSync(folder.uploads);
  if (process.getuid?.() !== 0 || spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder.uploads]).status !== 0)
    skip('only root may mount a small disk to fill');
  try {
    await server.context.pool.query('delete from uploads');
    const bytes = madeBytes(2_000_000, 'full');
    const upload = await begin(bytes, 'full.mp4');
    expect((await beginUploadIn(server, editor, { name: 'next.mp4', size: 3_000_000 })).json().code).toBe('storage_full');
    expect((await send(upload, bytes.subarray(0, 1_000_000), 0)).statusCode).toBe(204);
    const ballast = join(folder.uploads, 'ballast');
    writeFileSync(ballast, Buffer.alloc(statfsSync(folder.uploads).bavail * statfsSync(folder.uploads).bsize - 100_000));
    const refused = await send(upload, bytes.subarray(1_000_000), 1_000_000);
    expect([refused.statusCode, refused.json().code]).toEqual([507, 'storage_full']);
    const came = await offsetOf(upload);
    expect(came).toBeGreaterThanOrEqual(1_000_000);
    rmSync(ballast);
    expect((await send(upload, bytes.subarray(came), came)).statusCode).toBe(204);
    expect((await finish(upload, sha256Of(bytes))).json().state).toBe('added');
  } finally {
    spawnSync('umount', [folder.uploads]);
  }
});

function idOf(upload: string): string {
  return upload.split('/').at(-1) ?? '';
}

function filesUnderWay(): string[] {
  return readdirSync(server.context.folder.uploads).sort();
}

async function begin(bytes: Buffer, name: string): Promise<string> {
  const answer = await beginUploadIn(server, editor, { name, size: bytes.length, ends: endsOf(bytes) });
  expect(answer.statusCode).toBe(201);
  return String(answer.headers.location);
}

function send(url: string, bytes: Buffer, offset: number, person = editor) {
  return sendIn(server, person, { url, bytes, offset });
}

async function offsetOf(upload: string): Promise<number> {
  return Number((await askIn(server, editor, 'HEAD', upload, tus)).headers['upload-offset']);
}

function finish(upload: string, sha256: string, sidecars: readonly string[] = []) {
  const payload = { sha256, sidecars: sidecars.map(idOf) };
  return server.app.inject({ method: 'POST', url: `${upload}/finish`, headers: headersOf(editor), payload });
}

async function sendWhole(bytes: Buffer, name: string): Promise<string> {
  const upload = await begin(bytes, name);
  await send(upload, bytes, 0);
  return (await finish(upload, sha256Of(bytes))).json().videoId;
}

async function jobsOf(id: string): Promise<number> {
  const { rows } = await server.context.pool.query(`select from jobs.job where data ->> 'videoId' = $1`, [id]);
  return rows.length;
}
