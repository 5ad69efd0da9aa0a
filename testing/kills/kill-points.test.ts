import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, test } from 'vitest';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { openLocalStore } from '#domain/files/local-store.ts';
import { readStored } from '#domain/files/read-stored.ts';
import { sha256Of } from '#domain/files/sha256.ts';
import { sweepLeftovers } from '#domain/files/sweep.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { finishCutOff, finishUpload } from '#domain/footage/finish-upload.ts';
import { appendToUpload, beginUpload, makeUploadId, sweepUploads } from '#domain/footage/uploads.ts';
import { openJobQueue } from '#domain/jobs/job-queue.ts';
import { listLines } from '#domain/videos/corrections/correct-lines.ts';
import { makeVideoId } from '#domain/videos/create-video.ts';
import { addFilm, originalOf } from '../add-film.ts';
import { endsOf, madeBytes } from '../made-bytes.ts';
import { until } from '../until.ts';
import type { Verdict } from './kill-figures.ts';
import { expectWholeOrNothing, openPointArchive, type PointArchive, runUntilDeath, type Scene } from './point-rounds.ts';

const twoDaysMs = 2 * 86_400_000;
const bounds = { fileMaxBytes: 1e9, unfinishedMaxBytes: 1e9, reserveBytes: 0, quota: {} };
const subtitles = Buffer.from('1\n00:00:00,000 --> 00:00:02,000\nThe harbour\n');

let archive: PointArchive;
beforeAll(async () => {
  archive = await openPointArchive();
});
afterAll(() => archive.close());

test.for([
  ['an upload that becomes a film', uploadScene, ['commit', 'rename']],
  ['an upload of a film that was refused', refusedScene, ['commit', 'rename']],
  ['an upload that takes the place of a film’s file', replacingScene, ['commit', 'rename']],
  ['a correction of lines', correctionScene, ['commit']],
] as const)(
  'kill -9 between any two durable actions of %s leaves all of it or nothing, and the next start and call end it',
  { timeout: 1_800_000 },
  async ([name, begin, amongThem], { task }) => {
    await expectWholeOrNothing(archive, { name, begin, amongThem, task });
  },
);

async function send(name: string, bytes: Buffer, replaces?: string): Promise<string> {
  const { database, dataFolder, actorUid } = archive;
  const uploading = { pool: database.pool, folder: archiveFolderIn(dataFolder), store: openLocalStore(dataFolder) };
  const id = makeUploadId();
  await beginUpload(uploading, { id, userId: actorUid, name, sizeBytes: bytes.length, ends: endsOf(bytes), replaces }, bounds);
  await appendToUpload(uploading, { id, offset: 0, from: Readable.from([bytes]) });
  return id;
}

let made = 0;

async function uploadScene(): Promise<Scene> {
  return await sendingScene({});
}

async function refusedScene(): Promise<Scene> {
  return await sendingScene({ wasRefused: true });
}

async function replacingScene(): Promise<Scene> {
  return await sendingScene({ replaces: await addFilm({ pool: archive.database.pool, store: openLocalStore(archive.dataFolder) }) });
}

async function sendingScene({ replaces, wasRefused = false }: { replaces?: string; wasRefused?: boolean }): Promise<Scene> {
  const { dataFolder, actorUid } = archive;
  const { pool } = archive.database;
  const [store, folder] = [openLocalStore(dataFolder), archiveFolderIn(dataFolder)];
  const bytes = madeBytes(30_000, `points ${made++}`);
  const sha256 = sha256Of(bytes);
  if (wasRefused)
    await pool.query(
      `insert into videos (id, state, name, origin, content_hash, file_name, size_bytes, failure_code, failure_message)
       values ($1, 'Failed', 'Refused', 'file', $2, 'film.mp4', 30000, 'unreadable_media', 'It could not be read.')`,
      [makeVideoId(), sha256],
    );
  const upload = { id: await send(`film ${made}.mp4`, bytes, replaces), sha256, sidecars: [await send(`film ${made}.en.srt`, subtitles)] };
  const before = replaces === undefined ? undefined : Buffer.from(originalOf(replaces));
  const rowOf = async () =>
    (await pool.query<{ id: string }>('select id from videos where content_hash = $1', [sha256])).rows.map(({ id }) => id);
  return {
    orders: { upload },
    judgeAtOnce: async () => {
      const [known] = await rowOf();
      const id = replaces ?? known;
      const lies = id === undefined ? null : await readStored(store, toVideoKeys(id).original);
      if (id === undefined || lies?.equals(bytes)) return {};
      const { rows } = await pool.query("select from videos where id = $1 and state = 'Failed'", [id]);
      if (wasRefused && lies === null && rows.length === 1) return {};
      return lies && before?.equals(lies) && known === undefined ? {} : { lost: [`${id} has no original of its own`] };
    },
    judgeInTheEnd: async () => {
      const queue = await openJobQueue(pool, { onError: () => {} });
      await finishCutOff({ pool, folder, store }, (work) => work(queue));
      // What the killed process had claimed is its own until the database hears of its end.
      await until(() => finishUpload({ pool, folder, store, queue }, { ...upload, userId: actorUid, from: '127.0.0.1' }));
      await queue.stop();
      const ids = await rowOf();
      const [id = ''] = ids;
      const verdict = await judgeFilm(id, { bytes, before });
      await sweepLeftovers(folder, { inUse: new Set(), now: Date.now() + twoDaysMs });
      await sweepUploads({ pool, folder, store }, Date.now() + twoDaysMs);
      const left = [folder.uploads, folder.drafts].flatMap((path) => readdirSync(path));
      return { ...verdict, twice: [...(verdict.twice ?? []), ...ids.slice(1)], orphans: left };
    },
  };
}

/** The film as its files, its rows, its job and its entry in the audit tell of it. */
async function judgeFilm(id: string, { bytes, before }: { bytes: Buffer; before: Buffer | undefined }): Promise<Verdict> {
  const { database, dataFolder } = archive;
  const store = openLocalStore(dataFolder);
  const keys = toVideoKeys(id);
  const sidecars = (await Array.fromAsync(store.list(keys.sidecars))).map(({ key }) => key.split('/').at(-1)).sort();
  const trashed = (await store.trash.list()).filter(({ key }) => key === keys.original);
  const kept = trashed[0] ? readdirSync(join(dataFolder, 'trash', trashed[0].name)) : [];
  const { rows } = await database.pool.query<{ jobs: number; audited: number; unfinished: number }>(
    `select (select count(*)::int from jobs.job where data ->> 'videoId' = $1) as jobs,
            (select count(*)::int from audit where video_id = $1 and action in ('film-added', 'film-replaced')) as audited,
            (select count(*)::int from uploads where finished_at is null or finishing is not null) as unfinished`,
    [id],
  );
  const [row = { jobs: 0, audited: 0, unfinished: 0 }] = rows;
  return {
    lost: [
      ...((await readStored(store, keys.original))?.equals(bytes) ? [] : ['the original']),
      ...(sidecars.join() === 'facts.json,subtitles-0.en.txt' ? [] : [`of its sidecars: ${sidecars.join()}`]),
      ...(row.jobs > 0 ? [] : ['its job']),
      ...(before && trashed[0]?.sizeBytes !== before.length && !kept.includes('content') ? ['the file before'] : []),
    ],
    twice: [
      ...(trashed.length > (before ? 1 : 0) ? ['the file before'] : []),
      ...(row.jobs > 1 ? ['its job'] : []),
      ...(row.audited === 1 ? [] : [`${row.audited} entries in the audit`]),
    ],
    halfVisible: row.unfinished === 0 ? [] : [`${row.unfinished} uploads are half-way`],
  };
}

async function correctionScene(): Promise<Scene> {
  const { pool } = archive.database;
  const videoId = await addFilm({ pool, store: openLocalStore(archive.dataFolder) }, { lines: ['heard wrongly', 'heard well'] });
  const [line] = await listLines(pool, videoId);
  if (!line) throw new Error('a film without lines');
  const was = { startMs: line.startMs, endMs: line.endMs, text: line.text, speaker: line.speaker };
  const { rows } = await pool.query<{ revision: number }>('select revision from videos where id = $1', [videoId]);
  const look = async (): Promise<Verdict> => {
    const lines = await listLines(pool, videoId);
    const found = await pool.query<{ corrections: number; audited: number; revision: number; packed: boolean }>(
      `select (select count(*)::int from corrections where video_id = $1) as corrections, revision,
              (select count(*)::int from audit where video_id = $1 and action = 'lines-corrected') as audited
         from videos where id = $1`,
      [videoId],
    );
    const is = found.rows[0];
    const told = [is?.corrections, is?.audited, (is?.revision ?? 0) - (rows[0]?.revision ?? 0), lines[0]?.text === 'corrected' ? 1 : 0];
    return new Set(told).size === 1 ? {} : { halfVisible: [`${told.join()} of correction, audit, revision and line`] };
  };
  return {
    orders: { lines: { id: videoId, changes: [{ replaces: [was], lines: [{ ...was, text: 'corrected' }] }] } },
    judgeAtOnce: look,
    judgeInTheEnd: async () => {
      const [now] = await listLines(pool, videoId);
      if (now?.text !== 'corrected')
        await runUntilDeath(archive, { lines: { id: videoId, changes: [{ replaces: [was], lines: [{ ...was, text: 'corrected' }] }] } }, 0);
      const [last] = await listLines(pool, videoId);
      return { ...(await look()), lost: last?.text === 'corrected' ? [] : ['the correction'] };
    },
  };
}
