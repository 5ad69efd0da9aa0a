import { statSync } from 'node:fs';
import { request as ask } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256Of } from '#domain/files/sha256.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { addPerson, type Person } from '#testing/add-person.ts';
import { endsOf, madeBytes } from '#testing/made-bytes.ts';
import { putReport } from '#testing/put-report.ts';
import { type SeededRandom, seededRandom } from '#testing/seeded-random.ts';
import { storedBytes } from '#testing/stored-bytes.ts';
import { startTestServer, type TestServer } from '#testing/test-server.ts';
import { until } from '#testing/until.ts';
import { askIn, beginUploadIn, headersOf, pieceOfUpload, sendIn, tus } from '#testing/upload-client.ts';
import { wantsWholeCorpus } from '#testing/whole-corpus.ts';

const films = wantsWholeCorpus ? 10 : 2;
const cutsPerFilm = 10;
let server: TestServer;
let beside: Awaited<ReturnType<TestServer['startBeside']>>;
let editor: Person;
beforeAll(async () => {
  server = await startTestServer({ RUSHES_UPLOAD_MAX_MB: '20', RUSHES_UPLOAD_QUOTA_MB: '64', RUSHES_DISK_RESERVE_MB: '0' });
  beside = await server.startBeside();
  editor = await addPerson(server.context, { editor: true });
});
afterAll(async () => {
  await beside.stop();
  await server.stop();
});

test('an upload that is cut off at any places, server restarts among them, is the same to the byte', {
  timeout: 300_000,
}, async ({ task }) => {
  const chance = seededRandom(20_261_123);
  const figures = { cuts: 0, differing: 0 };
  for (let film = 0; film < films; film += 1) {
    const bytes = madeBytes(3_000_000, `cut ${film}`);
    const upload = await sendInPieces(bytes, chance);
    figures.cuts += cutsPerFilm;
    if (!(await arrivesWhole(upload, bytes))) figures.differing += 1;
  }
  putReport(task, { check: 'cuts', ...figures });
  expect(figures).toEqual({ cuts: films * cutsPerFilm, differing: 0 });
});

/** Begins an upload and cuts it off again and again, between two servers of which one is started anew. */
async function sendInPieces(bytes: Buffer, chance: SeededRandom): Promise<string> {
  const begun = await beginUploadIn(server, editor, { name: 'Harbour at dawn.mp4', size: bytes.length, ends: endsOf(bytes) });
  const upload = String(begun.headers.location);
  let came = 0;
  for (let cut = 0; cut < cutsPerFilm; cut += 1) {
    const origin = await (cut % 2 === 0 ? beside : server).listen();
    // What is cut off before its last byte leaves something for the next cut.
    const cutAfter = 1 + chance.below(bytes.length / cutsPerFilm);
    await sendAndCut(origin, upload, { bytes, offset: came, cutAfter, atOnce: cut % 3 === 1 });
    if (cut % 4 === 2) {
      await beside.stop();
      beside = await server.startBeside();
    }
    const offset = await offsetOf(upload);
    expect(offset).toBeGreaterThanOrEqual(came);
    came = offset;
  }
  expect(came).toBeGreaterThan(0);
  return upload;
}

/** Sends the rest and ends the upload: whether the archive holds the same bytes, once, and says the same to whoever asks again. */
async function arrivesWhole(upload: string, bytes: Buffer): Promise<boolean> {
  // What was still being written when somebody asked is told to whoever goes on from there: they ask once more, as clients do.
  await until(async () => {
    const offset = await offsetOf(upload);
    return (await sendIn(server, editor, { url: upload, bytes: bytes.subarray(offset), offset })).statusCode === 204;
  });
  const finish = () =>
    server.app.inject({
      method: 'POST',
      url: `${upload}/finish`,
      headers: headersOf(editor),
      payload: { sha256: sha256Of(bytes), sidecars: [] },
    });
  const { state, videoId } = (await finish()).json();
  const stored = await storedBytes(server.context.store, toVideoKeys(videoId).original);
  // Whoever did not hear the answer asks again, first of all how much has come.
  const offset = await offsetOf(upload);
  const sentOnceMore = await sendIn(server, editor, { url: upload, bytes: Buffer.alloc(0), offset: bytes.length });
  expect([state, offset, sentOnceMore.statusCode]).toEqual(['added', bytes.length, 409]);
  expect((await finish()).json()).toEqual({ state: 'added', videoId, remarks: [] });
  const { rows } = await server.context.pool.query(`select from jobs.job where data ->> 'videoId' = $1`, [videoId]);
  expect(rows).toHaveLength(1);
  return stored.equals(bytes);
}

async function offsetOf(upload: string): Promise<number> {
  return Number((await askIn(server, editor, 'HEAD', upload, tus)).headers['upload-offset']);
}

/** Says that all the rest follows, and goes away in the middle of it: at once, or when the first of it has been written down. */
async function sendAndCut(
  origin: string,
  upload: string,
  { bytes, offset, cutAfter, atOnce }: { bytes: Buffer; offset: number; cutAfter: number; atOnce: boolean },
): Promise<void> {
  const rest = bytes.subarray(offset);
  const headers = {
    ...pieceOfUpload,
    cookie: editor.cookie,
    origin,
    'upload-offset': String(offset),
    'content-length': String(rest.length),
  };
  const sending = ask(`${origin}${upload}`, { method: 'PATCH', headers }).on('error', () => {});
  const closed = new Promise((resolve) => sending.on('close', resolve));
  await new Promise((resolve) => sending.write(rest.subarray(0, cutAfter), resolve));
  const lies = join(server.context.folder.uploads, upload.split('/').at(-1) ?? '');
  if (!atOnce) await until(() => statSync(lies).size > offset);
  sending.destroy();
  await closed;
}
