import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type JobQueue, openJobQueue } from '#domain/jobs/job-queue.ts';
import { addFilm } from '#testing/add-film.ts';
import { addPerson } from '#testing/add-person.ts';
import { endsOf, madeBytes } from '#testing/made-bytes.ts';
import { emptyDisk, openMemoryStore } from '#testing/memory-store.ts';
import { storeOpeners } from '#testing/store-openers.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { archiveFolderIn } from '../files/archive-folder.ts';
import { openLocalStore } from '../files/local-store.ts';
import { sha256Of } from '../files/sha256.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { loadSecrets } from '../tokens/secrets.ts';
import { finishUpload } from './finish-upload.ts';
import { openUploadBytes } from './upload-bytes.ts';
import { UploadHashes } from './upload-hashes.ts';
import { appendToUpload, beginUpload, cancelUpload, makeUploadId, sweepUploads } from './uploads.ts';

const mb = 1_048_576;
let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'rushes-upload-bytes-'));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

describe.each(storeOpeners)('bytes of an upload, where the store is %s', (_, opener) => {
  test('come as they were sent, go on where a connection broke, and are gone when they are removed', async () => {
    const open = await opener(scratch);
    if (!open) throw new Error('no store');
    const bytes = openUploadBytes({ folder: archiveFolderIn(join(scratch, 'data')), store: open() });
    const [id, other] = [makeUploadId(), makeUploadId()];
    const film = madeBytes(20 * mb + 5, 'parts');
    for (const one of [id, other]) await bytes.begin(one);
    expect(await bytes.received(id)).toBe(0);
    const cut = Readable.from(
      (function* () {
        yield film.subarray(0, 9 * mb);
        yield film.subarray(9 * mb, 9 * mb + 77);
        throw new Error('connection lost');
      })(),
    );
    await expect(bytes.append(id, { offset: 0, from: cut })).rejects.toThrow('connection lost');
    expect(await bytes.received(id)).toBe(9 * mb + 77);
    expect(await bytes.append(id, { offset: 9 * mb + 77, from: Readable.from([film.subarray(9 * mb + 77)]) })).toBe(film.length);
    const whole = { id, sizeBytes: film.length };
    expect(await bytes.withFiles([whole], ([path = '']) => Promise.resolve(sha256Of(readFileSync(path))))).toBe(sha256Of(film));
    expect(new Set((await Array.fromAsync(bytes.list())).map((one) => one.id))).toContain(id);
    await bytes.remove(id);
    expect((await Array.fromAsync(bytes.list())).map((one) => one.id)).not.toContain(id);
    expect((await bytes.received(id)) ?? 0).toBe(0);
    expect(await bytes.received(other)).toBe(0);
  });
});

test('an upload is read while it comes, also behind a connection that broke, and as a whole only where some of it came elsewhere', async () => {
  const hashes = new UploadHashes();
  const place = { folder: archiveFolderIn(join(scratch, 'data')), store: openLocalStore(join(scratch, 'data')) };
  const [here, elsewhere] = [openUploadBytes({ ...place, uploadHashes: hashes }), openUploadBytes(place)];
  const film = madeBytes(3 * mb, 'hashed');
  const id = makeUploadId();
  const send = (bytes: typeof here, from: number, to: number) =>
    bytes.append(id, { offset: from, from: Readable.from([film.subarray(from, to)]) });
  const cut = Readable.from(
    (function* () {
      yield film.subarray(0, mb + 7);
      throw new Error('connection lost');
    })(),
  );
  await here.begin(id);
  await expect(here.append(id, { offset: 0, from: cut })).rejects.toThrow('connection lost');
  await send(here, mb + 7, 2 * mb);
  const whole = { id, sizeBytes: film.length };
  expect(await hashes.ofWhole(whole)).toBeUndefined();
  await send(here, 2 * mb, film.length);
  expect(await hashes.ofWhole(whole)).toBe(sha256Of(film));
  expect(await hashes.ofWhole(whole)).toBe(sha256Of(film));

  await here.remove(id);
  await here.begin(id);
  await send(here, 0, mb);
  await send(elsewhere, mb, 2 * mb);
  await send(here, 2 * mb, film.length);
  expect(await hashes.ofWhole(whole)).toBeUndefined();
});

test('the memory of what comes is given back once it is written, where nobody else needs it and nothing else lies in it', async () => {
  const place = { folder: archiveFolderIn(join(scratch, 'data')), store: openLocalStore(join(scratch, 'data')) };
  const bytes = openUploadBytes({ ...place, uploadHashes: new UploadHashes() });
  const id = makeUploadId();
  await bytes.begin(id);
  const film = madeBytes(2 * mb, 'memory');
  const [one, another] = [new Uint8Array(film.subarray(0, mb)), new Uint8Array(film.subarray(mb, mb + 7))];
  const beside = film.subarray(mb + 7);
  await bytes.append(id, { offset: 0, from: Readable.from([one]), isOurs: true });
  await bytes.append(id, { offset: mb, from: Readable.from([another]) });
  await bytes.append(id, { offset: mb + 7, from: Readable.from([beside]), isOurs: true });
  expect([one, another, beside].map((chunk) => chunk.byteLength)).toEqual([0, 7, mb - 7]);
  expect(readFileSync(join(place.folder.uploads, id)).equals(film)).toBe(true);
});

describe('an upload at two machines of one store', () => {
  let database: TestDatabase;
  let queue: JobQueue;
  let userId: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    queue = await openJobQueue(database.pool, { onError: () => {} });
    const secrets = loadSecrets(mkdtempSync(join(tmpdir(), 'rushes-upload-secrets-')));
    ({ uid: userId } = await addPerson({ pool: database.pool, secrets }, { editor: true }));
  });
  afterAll(async () => {
    await queue.stop();
    await database.drop();
  });

  const bounds = { fileMaxBytes: 100 * mb, unfinishedMaxBytes: 100 * mb, reserveBytes: 0, quota: {} };
  const twoMachines = () => {
    const disk = emptyDisk();
    const machine = (name: string) => ({
      pool: database.pool,
      queue,
      store: openMemoryStore(disk),
      folder: archiveFolderIn(join(scratch, name)),
    });
    return { a: machine('a'), b: machine('b'), disk };
  };
  const begin = async (at: ReturnType<typeof twoMachines>['a'], name: string, bytes: Buffer) => {
    const id = makeUploadId();
    await beginUpload(at, { id, userId, name, sizeBytes: bytes.length, ends: endsOf(bytes) }, bounds);
    return id;
  };
  const append = (at: ReturnType<typeof twoMachines>['a'], id: string, offset: number, bytes: Buffer) =>
    appendToUpload(at, { id, offset, from: Readable.from([bytes]) });

  test('goes on at the other one, also where both wrote behind the same place, and becomes one film', async () => {
    const { a, b, disk } = twoMachines();
    const film = madeBytes(300_000, 'two machines');
    const lines = Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nHarbour.\n');
    const [id, sidecar] = [await begin(a, 'harbour.mp4', film), await begin(a, 'harbour.en.srt', lines)];
    await append(a, sidecar, 0, lines);
    await append(a, id, 0, film.subarray(0, 100_000));
    // What A still had of a connection that nobody reads any more, and what the page sent to B meanwhile.
    await append(b, id, 100_000, film.subarray(100_000, 250_000));
    await append(a, id, 100_000, film.subarray(100_000, 180_000));
    await append(a, id, 180_000, film.subarray(180_000, 260_000));
    expect(await openUploadBytes(a).received(id)).toBe(260_000);
    await append(b, id, 260_000, film.subarray(260_000));

    const finishing = { id, userId, sha256: sha256Of(film), sidecars: [sidecar], from: '127.0.0.1' };
    const added = await finishUpload(b, finishing);
    const { videoId = '', wasKnown } = added ?? {};
    expect(wasKnown).toBe(false);
    expect(await finishUpload(a, finishing)).toEqual(added);
    expect(sha256Of(await storedBytes(a.store, toVideoKeys(videoId).original))).toBe(sha256Of(film));
    expect((await Array.fromAsync(a.store.list(toVideoKeys(videoId).sidecars))).map(({ key }) => key.split('/').at(-1))).toEqual([
      'facts.json',
      'subtitles-0.en.txt',
    ]);
    expect([...disk.files.keys()].filter((key) => key.startsWith('parts/'))).toEqual([]);
  });

  test('that both finish at once is one film, with its file', async () => {
    const { a, b } = twoMachines();
    const film = madeBytes(50_000, 'both at once');
    const id = await begin(a, 'both.mp4', film);
    await append(b, id, 0, film);
    const finishing = { id, userId, sha256: sha256Of(film), sidecars: [], from: '127.0.0.1' };
    const ends = await Promise.all([finishUpload(a, finishing), finishUpload(b, finishing)]);
    const added = await finishUpload(b, finishing);
    expect(added?.wasKnown).toBe(false);
    // One of them may hear that the other is at it.
    expect(new Set(ends.filter((end) => end !== undefined))).toEqual(new Set([added]));
    const videoId = added?.videoId ?? '';
    expect(sha256Of(await storedBytes(b.store, toVideoKeys(videoId).original))).toBe(sha256Of(film));
    const { rows } = await database.pool.query('select from videos where content_hash = $1', [sha256Of(film)]);
    expect(rows.length).toBe(1);
  });

  test('for which one machine has no room keeps all that came, and is finished at the other, in the place of a film’s file', async () => {
    const { a, b } = twoMachines();
    const film = madeBytes(50_000, 'no room');
    const videoId = await addFilm({ pool: database.pool, store: a.store });
    const id = makeUploadId();
    await beginUpload(a, { id, userId, name: 'room.mp4', sizeBytes: film.length, ends: endsOf(film), replaces: videoId }, bounds);
    await append(a, id, 0, film);
    const finishing = { id, userId, sha256: sha256Of(film), sidecars: [], from: '127.0.0.1' };
    await expect(finishUpload({ ...a, reserveBytes: Number.MAX_SAFE_INTEGER }, finishing)).rejects.toThrow('disk needs');
    expect(await openUploadBytes(a).received(id)).toBe(film.length);
    expect(await finishUpload(b, finishing)).toEqual({ videoId, wasKnown: false, remarks: [] });
    expect(sha256Of(await storedBytes(b.store, toVideoKeys(videoId).original))).toBe(sha256Of(film));
    expect(
      ['a', 'b']
        .flatMap((name) => readdirSync(join(scratch, name), { recursive: true, withFileTypes: true }))
        .filter((one) => one.isFile()),
    ).toEqual([]);
  });

  test('that is cancelled at one machine while the other still takes of it leaves nothing', async () => {
    const { a, b, disk } = twoMachines();
    const film = madeBytes(50_000, 'cancelled meanwhile');
    const id = await begin(a, 'meanwhile.mp4', film);
    const coming = Readable.from(
      (async function* () {
        yield film.subarray(0, 20_000);
        await cancelUpload(b, id);
        yield film.subarray(20_000);
      })(),
    );
    await expect(appendToUpload(a, { id, offset: 0, from: coming })).rejects.toThrow('was cancelled');
    expect([...disk.files.keys()]).toEqual([]);
  });

  test('that differs from what was read, is cancelled, or is left alone for days leaves nothing', async () => {
    const { a, b, disk } = twoMachines();
    const film = madeBytes(50_000, 'nothing left');
    const [wrong, cancelled, left, young] = await Promise.all(['1.mp4', '2.mp4', '3.mp4', '4.mp4'].map((name) => begin(a, name, film)));
    for (const id of [wrong, cancelled, left, young]) await append(a, id ?? '', 0, film);
    const finishing = { id: wrong ?? '', userId, sha256: sha256Of('otherwise'), sidecars: [], from: '127.0.0.1' };
    await expect(finishUpload(b, finishing)).rejects.toThrow('was damaged on its way');
    await cancelUpload(b, cancelled ?? '');
    await database.pool.query(`update uploads set touched_at = now() - interval '8 days' where id = $1`, [left]);
    expect(await sweepUploads(b)).toBe(1);
    expect([...disk.files.keys()].map((key) => key.split('/')[1])).toEqual([young]);
  });
});
