import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { backUpArchive } from '#domain/backup/back-up-archive.ts';
import type { BackupFolder } from '#domain/backup/backup-folder.ts';
import { beginRestore } from '#domain/backup/begin-restore.ts';
import { keepContent } from '#domain/backup/contents.ts';
import { restoreArchive } from '#domain/backup/restore-archive.ts';
import type { Snapshot } from '#domain/backup/snapshot.ts';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import { understandQueue } from '#domain/jobs/ingest-queue.ts';
import { openJobQueue } from '#domain/jobs/job-queue.ts';
import { deleteFilm } from '#domain/videos/deletions.ts';
import { keepPiece } from '#domain/videos/step-pieces.ts';
import { cancelStepOf, listSteps, runStepAgain } from '#domain/videos/steps.ts';
import { cloneDatabase, type TestDatabase } from '#testing/test-database.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { until } from '#testing/until.ts';
import { untilQuiet } from '#testing/until-quiet.ts';
import type { Step, StepContext, StepOutcome } from './step.ts';
import { steps } from './steps.ts';
import { sweepArchive } from './sweep-archive.ts';
import { workOnVideos } from './work-on-videos.ts';

vi.setConfig({ testTimeout: 120_000 });

const Faces = z.object({ faces: z.string() });
type Faces = z.infer<typeof Faces>;
/** What no file of a backup may hold. */
const numbers = 'bnVtYmVycyBvZiBhIGZhY2U';
/** Which pieces were done, and whether the step gets no further than the second of them. */
const seen: { done: number[]; stands: boolean } = { done: [], stands: false };

const looking: Step<Faces> = {
  name: 'looking',
  version: 1,
  needs: [],
  optional: true,
  class: 'understood',
  share: 100,
  Result: Faces,
  run: lookInPieces,
};

async function lookInPieces({ piece, progress, signal }: StepContext): Promise<StepOutcome<Faces>> {
  const { stands } = seen;
  for (const n of [1, 2, 3]) {
    if (n === 3 && stands) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    await piece(`stretch ${n}`, Faces, () => {
      seen.done.push(n);
      return Promise.resolve({ faces: numbers });
    });
    progress(n / 3);
  }
  return { is: 'done', result: { faces: 'three groups' } };
}

let archive: TestIngest;
let id: string;
const restored: TestDatabase[] = [];
beforeAll(async () => {
  archive = await openTestIngest(undefined, { steps: [...steps.filter(({ class: group }) => group === 'playable'), looking] });
  id = (await archive.ingest(resolve(import.meta.dirname, '../samples/Dunes in the wind.mp4'))).id;
  await untilQuiet(archive.context.pool);
}, 120_000);
afterAll(async () => {
  await archive.close();
  for (const database of restored) await database.drop();
});

test('the scratch of a step that is worked on for days is left alone', async () => {
  const { pool, folder } = archive.context;
  const set = (state: string) => pool.query(`update ingest_steps set state = $2 where video_id = $1 and step = 'looking'`, [id, state]);
  for (const step of ['looking', 'gone']) mkdirSync(join(folder.work, `${id}-${step}`), { recursive: true });
  await set('running');
  await sweepInTwoDays();
  expect(readdirSync(folder.work)).toEqual([`${id}-looking`]);
  await set('done');
});

test('no backup holds what the pieces of a step came to, and an archive that is restored does the step from its first piece to its end', async () => {
  const { pool, folder } = archive.context;
  Object.assign(seen, { done: [], stands: true });
  await runStepAgain(archive.context, { videoId: id, step: 'looking' });
  await until(async () => (await piecesOf(id)) === 2);
  await pool.query(`update ingest_steps set percent = 66 where video_id = $1 and step = 'looking'`, [id]);
  const to = join(archive.scratch, 'backup');
  const { folder: from, name, snapshot } = await backUpArchive({ pool, archive: openArchiveFiles(folder.root), to });
  const kept = readdirSync(to, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(kept.filter((entry) => unpacked(join(entry.parentPath, entry.name)).includes(numbers))).toEqual([]);

  const { database, files, remarks } = await restore({ from, name, snapshot });
  expect([remarks, await stepOf(database)]).toMatchObject([[], { state: 'running', percent: 66 }]);
  Object.assign(seen, { done: [], stands: false });
  const queue = await openJobQueue(database.pool, { onError: () => {} });
  await workOnVideos({ ...archive.context, ...files, pool: database.pool }, queue, { log: () => {}, steps: [looking] });
  await until(async () => (await stepOf(database))?.state === 'done', { withinMs: 60_000 });
  await queue.stop();
  expect(seen.done).toEqual([1, 2, 3]);
  // The one that stood when the backup was made stands still.
  await cancelStepOf(archive.context, { videoId: id, step: 'looking' });
  await untilQuiet(pool);
});

test('a backup that an earlier version made with pieces in it brings none of them back', async () => {
  const { pool, folder } = archive.context;
  const to = join(archive.scratch, 'older-backup');
  const { folder: from, name, snapshot } = await backUpArchive({ pool, archive: openArchiveFiles(folder.root), to });
  const row = `${id}\tlooking\t1 stretch 1\t{"faces": "${numbers}"}\n`;
  const content = await keepContent(from, Readable.from([gzipSync(row)]));
  const columns = ['video_id', 'step', 'piece', 'result'];
  const tables = [...snapshot.database.tables, { schema: 'public', name: 'step_pieces', columns, partitions: [], rows: 1, ...content }];
  const { database, remarks } = await restore({ from, name, snapshot: { ...snapshot, database: { ...snapshot.database, tables } } });
  expect([remarks, (await database.pool.query('select from step_pieces')).rowCount]).toEqual([[], 0]);
});

test('nothing is left of the pieces and the scratch of a film that workers have given up, and it is told at which step', async () => {
  const { pool, folder } = archive.context;
  await keepPiece(pool, { videoId: id, step: 'looking', piece: '1 stretch 1' }, { faces: numbers });
  await pool.query(`update ingest_steps set state = 'running', attempts = 3 where video_id = $1 and step = 'looking'`, [id]);
  mkdirSync(join(folder.work, `${id}-looking`), { recursive: true });
  expect(await piecesOf(id)).toBe(1);
  await archive.context.queue.enqueue(`${understandQueue}-dead`, { videoId: id });
  await until(async () => (await piecesOf(id)) === 0, { withinMs: 30_000 });
  expect((await listSteps(pool, id)).find(({ name }) => name === 'looking')).toMatchObject({
    state: 'failed',
    message: 'The worker ended each time it was at this step.',
  });
  await sweepInTwoDays();
  expect(readdirSync(folder.work)).toEqual([]);
});

test('a step that was begun less often than it may be waits for its other tries when a job is given up', async () => {
  const { pool, queue } = archive.context;
  await pool.query(`update ingest_steps set state = 'running', attempts = 1 where video_id = $1 and step = 'looking'`, [id]);
  await queue.enqueue(`${understandQueue}-dead`, { videoId: id });
  // All that giving up does: pieces that come later are not to be dropped by it.
  await untilDone(`${understandQueue}-dead`);
  const { rows } = await pool.query(`select state, attempts from ingest_steps where video_id = $1 and step = 'looking'`, [id]);
  expect(rows).toEqual([{ state: 'waiting', attempts: 1 }]);
  await pool.query(`update ingest_steps set state = 'done' where video_id = $1 and step = 'looking'`, [id]);
});

test('a piece that a worker kept late is none of the file that came in the place of its own', async () => {
  const { pool } = archive.context;
  Object.assign(seen, { done: [], stands: true });
  await runStepAgain(archive.context, { videoId: id, step: 'looking' });
  await until(async () => (await piecesOf(id)) === 2);
  const { rows } = await pool.query<{ piece: string }>('select piece from step_pieces where video_id = $1', [id]);
  await cancelStepOf(archive.context, { videoId: id, step: 'looking' });
  await untilQuiet(pool);
  for (const { piece } of rows) await keepPiece(pool, { videoId: id, step: 'looking', piece }, { faces: numbers });
  await pool.query('update videos set content_hash = $2 where id = $1', [id, 'f'.repeat(64)]);
  Object.assign(seen, { done: [], stands: false });
  await runStepAgain(archive.context, { videoId: id, step: 'looking' });
  await untilQuiet(pool);
  expect([seen.done, await piecesOf(id)]).toEqual([[1, 2, 3], 0]);
});

test('nothing is left of the pieces of a film that somebody deletes', async () => {
  const { pool } = archive.context;
  await keepPiece(pool, { videoId: id, step: 'looking', piece: '1 stretch 1' }, { faces: numbers });
  expect(await piecesOf(id)).toBe(1);
  await deleteFilm(pool, { videoId: id, name: 'Dunes in the wind', reason: '', actorUid: 'somebody', from: '' });
  // A worker that was at one may hear of it too late.
  await keepPiece(pool, { videoId: id, step: 'people', piece: 'late' }, { faces: numbers });
  expect(await piecesOf(id)).toBe(0);
});

async function sweepInTwoDays(): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  await sweepArchive(archive.context, { log: () => {}, settledAfterMs: Number.POSITIVE_INFINITY, keptDays: 30 });
}

/** Brings a snapshot into a data folder and a database of its own. */
async function restore({ from, name, snapshot }: { from: BackupFolder; name: string; snapshot: Snapshot }) {
  const database = await cloneDatabase('template0');
  restored.push(database);
  const files = openArchiveFiles(join(archive.scratch, `restored-${restored.length}`));
  await beginRestore(files, { folder: from, name, snapshot });
  const { remarks } = await restoreArchive({ pool: database.pool, archive: files, from, snapshot, say: () => {} });
  return { database, files, remarks };
}

/** Waits until no job of that name is left to do. */
async function untilDone(name: string): Promise<void> {
  const left = `select from jobs.job where name = $1 and state in ('created', 'retry', 'active')`;
  await until(async () => (await archive.context.pool.query(left, [name])).rowCount === 0);
}

async function piecesOf(videoId: string): Promise<number> {
  return (await archive.context.pool.query('select from step_pieces where video_id = $1', [videoId])).rowCount ?? 0;
}

async function stepOf({ pool }: TestDatabase) {
  return (await listSteps(pool, id)).find(({ name }) => name === 'looking');
}

/** What is in a file, whether it is gzipped or not. */
function unpacked(path: string): string {
  const bytes = readFileSync(path);
  return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('latin1');
}
