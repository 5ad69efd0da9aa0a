import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { limits } from '#contract/limits.ts';
import { sha256Of } from '#domain/files/sha256.ts';
import type { FileStore } from '#domain/files/store.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { addFootage, takeFileInOne } from '#domain/footage/add-footage.ts';
import { finishCutOff, finishUpload } from '#domain/footage/finish-upload.ts';
import { noteWatchedFile } from '#domain/footage/watched-files.ts';
import { openJobQueue } from '#domain/jobs/job-queue.ts';
import { recordFilmActivity } from '#domain/users/audit.ts';
import { makeVideoId } from '#domain/videos/create-video.ts';
import { addFilm, originalOf } from '#testing/add-film.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { madeBytes } from '#testing/made-bytes.ts';
import { putReport } from '#testing/put-report.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { askIn, beginUploadIn, headersOf, sendIn, tus } from '#testing/upload-client.ts';

let server: TestServer;
let editor: Person;
beforeAll(async () => {
  server = await startTestServer({ RUSHES_UPLOAD_MAX_MB: '20', RUSHES_UPLOAD_QUOTA_MB: '64', RUSHES_DISK_RESERVE_MB: '0' });
  editor = await addPerson(server.context, { editor: true });
  await mkdir(server.context.folder.uploads, { recursive: true });
});
afterAll(() => server.stop());

test.each([
  ['an empty file', { name: 'empty.mp4', size: 0 }, 400, 'empty'],
  ['a film that is too large', { name: 'long.mp4', size: 20_000_000 + 1 }, 413, '20 MB'],
  ['a sidecar that is too large', { name: 'long.srt', size: limits.sidecarMaxBytes + 1 }, 413, '20 MB'],
  ['a file of another kind', { name: 'page.html', size: 10 }, 415, 'extension'],
])('%s is refused in a sentence before a byte of it is sent', async (_, file, status, detail) => {
  const before = filesUnderWay();
  const answer = await beginUploadIn(server, editor, file);
  expect([answer.statusCode, answer.json().detail]).toEqual([status, expect.stringContaining(detail)]);
  expect(filesUnderWay()).toEqual(before);
});

test('nobody has more half-way than their share, and others have theirs', async () => {
  const hoarder = await addPerson(server.context, { editor: true });
  const large = { name: 'large.mp4', size: 20_000_000 };
  for (const _ of [1, 2, 3]) expect((await beginUploadIn(server, hoarder, large)).statusCode).toBe(201);
  const { limits: told } = (await askIn(server, hoarder, 'GET', '/api/uploads')).json();
  expect(told).toMatchObject({ fileMaxBytes: 20_000_000, quotaLeftBytes: 4_000_000 });
  expect((await beginUploadIn(server, hoarder, large)).statusCode).toBe(413);
  expect((await beginUploadIn(server, editor, large)).statusCode).toBe(201);
});

test.runIf(process.platform === 'linux')('where media have a disk of their own that is full, nothing is taken in', async () => {
  const bounded = await startTestServer({ RUSHES_DISK_RESERVE_MB: '1' });
  const { folder } = bounded.context;
  const own = await addPerson(bounded.context, { editor: true });
  const begin = () => beginUploadIn(bounded, own, { name: 'film.mp4', size: 10 });
  const freeBytes = async () => (await askIn(bounded, own, 'GET', '/api/uploads')).json().limits.freeBytes;
  const begun = await begin();
  expect([begun.statusCode, (await freeBytes()) > 0, (await bounded.app.inject('/readyz')).body]).toEqual([201, true, 'ready\n']);
  rmSync(folder.media, { recursive: true, force: true });
  // A disk without a byte.
  symlinkSync('/proc', folder.media);
  const sent = await sendIn(bounded, own, { url: String(begun.headers.location), bytes: Buffer.alloc(10), offset: 0 });
  expect([sent.statusCode, (await begin()).statusCode, await freeBytes()]).toEqual([507, 507, 0]);
  expect((await bounded.app.inject('/readyz')).body).toBe('not ready: the disk is full\n');
  await bounded.stop();
});

test('what originals may come to bounds the archive and each editor before a byte is sent, and what is left is told', async () => {
  const quotas = { RUSHES_STORE_MAX_GB: '2', RUSHES_EDITOR_MAX_GB: '1', RUSHES_DISK_RESERVE_MB: '0' };
  const bounded = await startTestServer(quotas);
  const { pool } = bounded.context;
  const [own, other] = [await addPerson(bounded.context, { editor: true }), await addPerson(bounded.context, { editor: true })];
  const film = await addFilm(bounded.context);
  const weigh = (bytes: number) => pool.query('update videos set size_bytes = $1 where id = $2', [bytes, film]);
  const begin = async (person: Person, size: number, replaces?: string) => {
    const answer = await beginUploadIn(bounded, person, { name: 'film.mp4', size, ...(replaces ? { replaces } : {}) });
    return answer.statusCode === 201 ? 201 : `${answer.statusCode} ${answer.json().detail}`;
  };
  const left = async (person: Person) => (await askIn(bounded, person, 'GET', '/api/uploads')).json().limits.originalsLeftBytes;
  await weigh(1_600_000_000);
  expect(await left(own)).toEqual({ archive: 400_000_000, own: 1_000_000_000 });
  expect(await begin(own, 400_000_001)).toMatch(/^507 .*2 GB, .* 400 MB of it is left.*RUSHES_STORE_MAX_GB\.$/);
  // What it takes the place of goes.
  expect(await begin(other, 1_900_000_000, film)).toBe(201);
  await pool.query('truncate uploads');
  await recordFilmActivity(pool, { action: 'film-added', actorUid: own.uid, videoId: film, before: '', detail: 'film.mp4', from: '::1' });
  await weigh(700_000_000);
  expect(await begin(own, 200_000_000)).toBe(201);
  expect(await left(own)).toEqual({ archive: 1_100_000_000, own: 100_000_000 });
  expect(await begin(own, 200_000_000)).toMatch(/^409 .*1 GB, and 100 MB of it is left.*RUSHES_EDITOR_MAX_GB\.$/);
  expect(await begin(other, 200_000_000)).toBe(201);
  expect((await beginUploadIn(bounded, own, { name: 'film.srt', size: 1_000 })).statusCode).toBe(201);
  // One that is smaller is welcome however full it is.
  await weigh(2_000_000_000);
  expect(await begin(other, 1_900_000_000, film)).toBe(201);
  await pool.query('delete from uploads where replaces is not null');
  // A script sends the film with its first request.
  const requireStill = () => Promise.resolve();
  const by = {
    userId: own.uid,
    requireStill,
    from: '::1',
    refusesKnown: false,
    says: { title: '', description: '', externalId: '', language: '' },
  };
  const sent = { ...by, fileName: 'film.mp4', bytes: Readable.from([Buffer.from('a film')]) };
  const queue = await openJobQueue(pool, { onError: () => {} });
  const bounds = { fileMaxBytes: 1_000, reserveBytes: 0, quota: bounded.context.config.quota };
  await expect(takeFileInOne({ ...bounded.context, queue }, sent, bounds)).rejects.toMatchObject({ code: 'storage_full' });
  await queue.stop();
  // Of what was refused the trash has the file.
  await pool.query("update videos set state = 'Failed', failure_code = 'unreadable_media' where id = $1", [film]);
  expect(await left(own)).toMatchObject({ archive: 1_600_000_000 - 1_000 });
  await bounded.stop();
});

test('an upload that is cancelled while it is being finished becomes no film, least of all one without its file', async () => {
  const { context } = server;
  const bytes = madeBytes(30_000, 'cancelled while finishing');
  const begin = async (name: string) => String((await beginUploadIn(server, editor, { name, size: bytes.length })).headers.location);
  const [beforeMove, beforeRecord] = [await begin('before-move.mp4'), await begin('before-record.mp4')];
  await sendIn(server, editor, { url: beforeRecord, bytes, offset: 0 });
  const queue = await openJobQueue(context.pool, { onError: () => {} });
  const facts = { name: 'Cut', externalId: null, description: null, owner: null, recordedAt: null, place: null, rights: null };
  const video = { ...facts, id: makeVideoId(), contentHash: sha256Of(bytes), fileName: 'before-move.mp4', sizeBytes: bytes.length };
  const named = { ...video, language: 'en', people: [], labels: [], brands: [] };
  expect((await askIn(server, editor, 'DELETE', beforeMove, tus)).statusCode).toBe(204);
  const path = join(context.folder.uploads, idOf(beforeMove));
  await expect(addFootage({ ...context, queue }, { video: named, path, keepSidecars: async () => {} })).rejects.toThrow('is gone');
  const cancelling: typeof queue.enqueue = async (...job) => {
    await askIn(server, editor, 'DELETE', beforeRecord, tus);
    return await queue.enqueue(...job);
  };
  const finishing = { id: idOf(beforeRecord), userId: editor.uid, sha256: sha256Of(bytes), sidecars: [], from: '127.0.0.1' };
  await expect(finishUpload({ ...context, queue: { ...queue, enqueue: cancelling } }, finishing)).rejects.toThrow('has been cancelled');
  await queue.stop();
  const { rowCount } = await context.pool.query('select from videos where content_hash = $1', [sha256Of(bytes)]);
  expect(rowCount).toBe(0);
});

test('of two files that are sent at once in the place of one, both that were replaced lie in the trash', async () => {
  const { store } = server.context;
  const film = await addFilm(server.context);
  const [first, second] = [await sendInPlaceOf(film, 'first in place'), await sendInPlaceOf(film, 'second in place')];
  for (const { finish } of [first, second]) await finish();
  expect(await textOf(toVideoKeys(film).original)).toEqual(String(second.bytes));
  const kept = (await store.trash.list()).filter(({ key }) => key === toVideoKeys(film).original);
  expect(kept.map(({ sizeBytes }) => sizeBytes).sort()).toEqual([originalOf(film).length, first.bytes.length].sort());
});

test.each(['at once', 'by the next start', 'by the next start of another version'])(
  'a film has its file back, %s, where the one that came in its place is another film’s by then',
  async (when) => {
    const { context } = server;
    const { pool, store } = context;
    const film = await addFilm(context);
    const { original } = toVideoKeys(film);
    const sent = await sendInPlaceOf(film, `of another ${when}`);
    const put: typeof store.put = async (key, from) => {
      await store.put(key, from);
      if (key !== original) return;
      await pool.query('update videos set content_hash = $1 where id = $2', [
        sha256Of(sent.bytes),
        await addFilm(context, { name: 'Other' }),
      ]);
      if (when !== 'at once') throw new Error('killed');
    };
    await expect(sent.finish({ ...store, put })).rejects.toThrow(when === 'at once' ? '“Other” already uses this file' : 'killed');
    if (when.endsWith('version')) sayAsBefore(sent.url);
    const queue = await openJobQueue(pool, { onError: () => {} });
    await finishCutOff(context, (work) => work(queue));
    await queue.stop();
    expect(await textOf(original)).toBe(originalOf(film));
    const { rows } = await pool.query('select content_hash as hash from videos where id = $1', [film]);
    expect(rows).toEqual([{ hash: sha256Of(originalOf(film)) }]);
    const kept = (await store.trash.list()).filter(({ key }) => key === original);
    expect(kept.map(({ sizeBytes }) => sizeBytes)).toEqual([sent.bytes.length]);
    expect((await askIn(server, editor, 'HEAD', sent.url, tus)).statusCode).toBe(404);
  },
);

test('an upload whose file another film has can be cancelled', async () => {
  const [film, other] = [await addFilm(server.context), await addFilm(server.context)];
  const sent = await sendInPlaceOf(film, 'cancelled');
  await server.context.pool.query('update videos set content_hash = $1 where id = $2', [sha256Of(sent.bytes), other]);
  await expect(sent.finish()).rejects.toThrow('already uses this file');
  expect((await askIn(server, editor, 'DELETE', sent.url, tus)).statusCode).toBe(204);
});

/** The note of what an upload took the place of, in the words of an earlier version. */
function sayAsBefore(url: string): void {
  const trash = join(server.context.folder.root, 'trash');
  for (const path of readdirSync(trash).map((name) => join(trash, name, 'taken.json'))) {
    const note = readFileSync(path, 'utf8');
    if (note.includes(idOf(url))) writeFileSync(path, note.replace('Replaced by “next.mp4”', '“next.mp4” came in its place'));
  }
}

async function sendInPlaceOf(film: string, seed: string) {
  const bytes = madeBytes(30_000, seed).subarray(seed.length);
  const begun = await beginUploadIn(server, editor, { name: 'next.mp4', size: bytes.length, replaces: film });
  const url = String(begun.headers.location);
  await sendIn(server, editor, { url, bytes, offset: 0 });
  const finish = async (store: FileStore = server.context.store) => {
    const queue = await openJobQueue(server.context.pool, { onError: () => {} });
    const finishing = { id: idOf(url), userId: editor.uid, sha256: sha256Of(bytes), sidecars: [], from: '127.0.0.1' };
    return await finishUpload({ ...server.context, store, queue }, finishing).finally(() => queue.stop());
  };
  return { url, bytes, finish };
}

async function textOf(key: string): Promise<string> {
  return String(await storedBytes(server.context.store, key));
}

test('editors see what the watched folder could not give, under its name and with the reason, and what it gave is no such file', async () => {
  const file = { path: '/srv/drop/day one/\u202egnp.mp4', sizeBytes: 0, modifiedMs: 1, beside: '' };
  const refused = { is: 'refused', message: 'The file is empty.' } as const;
  await noteWatchedFile(server.context.pool, { ...file, outcome: refused });
  const list = async () => (await askIn(server, editor, 'GET', '/api/uploads')).json().leftOut;
  expect(await list()).toMatchObject([{ fileName: 'gnp.mp4', sizeBytes: 0, state: 'refused', message: 'The file is empty.' }]);
  await noteWatchedFile(server.context.pool, { ...file, outcome: { is: 'taken', videoId: '0123456789' } });
  expect(await list()).toEqual([]);
});

const corpus = readCorpus('file-names', z.object({ id: z.string(), value: z.string(), expect: z.string() }));
let asExpected = 0;

/** Of those that the list would keep, these name no footage. */
const notFootage = '016 017 018 019 021 025 038 053 054 058 060 061 062 075 076 078'.split(' ').map((n) => `file-${n}`);

test.each(corpus)('the name $id ends nowhere but in the record of a film, or is refused', async ({ id, value, expect: verdict }) => {
  const before = filesUnderWay();
  const bytes = Buffer.from(`what ${id} holds`);
  const answer = await beginUploadIn(server, editor, { name: value, size: bytes.length });
  const isFootage = verdict !== 'reject-extension' && !notFootage.includes(id);
  expect(answer.statusCode).toBe(isFootage ? 201 : 415);
  if (isFootage) {
    const url = String(answer.headers.location);
    expect(filesUnderWay().filter((name) => !before.includes(name))).toEqual([idOf(url)]);
    await sendIn(server, editor, { url, bytes, offset: 0 });
    const headers = { ...headersOf(editor), 'content-type': 'application/json' };
    const payload = { sha256: sha256Of(bytes), sidecars: [] };
    const finished = await server.app.inject({ method: 'POST', url: `${url}/finish`, headers, payload });
    expect([finished.statusCode, finished.json().state]).toEqual([200, 'added']);
  }
  expect(filesUnderWay()).toEqual(before);
  asExpected += 1;
});

test('all names were met as they should be', ({ task }) => {
  const wrongVerdicts = corpus.length - asExpected;
  putReport(task, { check: 'file-names', files: corpus.length, wrongVerdicts });
  expect(wrongVerdicts).toBe(0);
});

function idOf(upload: string): string {
  return upload.split('/').at(-1) ?? '';
}

function filesUnderWay(): string[] {
  return readdirSync(server.context.folder.uploads).sort();
}
