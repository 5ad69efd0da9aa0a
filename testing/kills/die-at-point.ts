import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { z } from 'zod';
import { CorrectLinesInput } from '#contract/corrections.ts';
import { openPool } from '#domain/db/database.ts';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { openLocalStore } from '#domain/files/local-store.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { finishUpload } from '#domain/footage/finish-upload.ts';
import { openJobQueue } from '#domain/jobs/job-queue.ts';
import { openMeaningProcess } from '#domain/meaning/meaning-process.ts';
import { correctLines } from '#domain/videos/corrections/correct-lines.ts';
import { eraseFilm } from '#domain/videos/erase-film.ts';
import { findFootage } from '#domain/videos/footage.ts';
import { findMediaTools } from '#ingest/open-ingest.ts';
import { runSteps } from '#ingest/run-steps.ts';
import { steps } from '#ingest/steps.ts';
import type { MediaInput } from '#ingest/tools/media-tools.ts';
import { type ChildCall, runChild } from '#ingest/tools/run-child.ts';
import { type HeldCall, runHeld } from '#ingest/tools/run-held.ts';
import { findSandbox } from '#ingest/tools/sandbox.ts';

/*
 * Finishes an upload, takes a film through its steps, corrects a line or erases a film, and is gone, as by kill -9, right before the `dieAt`-th of all actions that outlive it: files that are
 * moved, written or deleted, statements that write, and commits. With 0 it lives, and prints what these actions are.
 */
const Orders = z.object({
  databaseUrl: z.string(),
  dataFolder: z.string(),
  dieAt: z.number(),
  actorUid: z.string(),
  upload: z.object({ id: z.string(), sha256: z.string(), sidecars: z.array(z.string()) }).optional(),
  lines: CorrectLinesInput.optional(),
  /** A film whose steps that make it playable wait. */
  job: z.string().optional(),
  erase: z.object({ videoId: z.string(), name: z.string() }).optional(),
});
const { databaseUrl, dataFolder, dieAt, actorUid, upload, lines, job, erase } = Orders.parse(JSON.parse(await text(process.stdin)));
const points: string[] = [];
let isCounting = false;

/** Here the process may end. */
function point(name: string): void {
  if (isCounting && points.push(name) === dieAt) process.kill(process.pid, 'SIGKILL');
}

for (const name of ['rename', 'link', 'copyFile', 'cp', 'writeFile', 'mkdir', 'rm', 'rmdir'] as const) {
  const original = fs.promises[name];
  const watched = new Proxy(original, {
    apply: (called, self, args: unknown[]) => {
      point(name);
      return Reflect.apply(called, self, args);
    },
  });
  Object.assign(fs.promises, { [name]: watched });
}
// Whoever imported them by name gets the watched ones.
syncBuiltinESMExports();

pg.Client.prototype.query = new Proxy(pg.Client.prototype.query, {
  apply: (called, self, args: unknown[]) => {
    const [first] = args;
    const statement = z.union([z.string(), z.object({ text: z.string() }).transform((query) => query.text)]).safeParse(first).data ?? '';
    const [, verb] = /^\s*(insert into \S+|update \S+|delete from \S+|with|commit)\b/i.exec(statement) ?? [];
    // The queue looks after itself by the clock: that comes at another place of another run, or not at all.
    const isOfQueue = /\bjobs\./i.test(statement) && !/\binsert into jobs\.job_common\b/i.test(statement);
    if (verb && !isOfQueue) point(verb.toLowerCase());
    return Reflect.apply(called, self, args);
  },
});

const pool = openPool({ connectionString: databaseUrl });
const queue = await openJobQueue(pool, { onError: () => {} });
const archive = { pool, queue, folder: archiveFolderIn(dataFolder), store: openLocalStore(dataFolder) };
const encoder = openMeaningProcess();
const takeThrough = job === undefined ? undefined : await openWorker(job);
isCounting = true;
if (upload) {
  await finishUpload(archive, { ...upload, userId: actorUid, from: '127.0.0.1' });
}
await takeThrough?.();
if (erase) await eraseFilm(archive, { ...erase, actorUid, from: '127.0.0.1' });
if (lines) await correctLines(pool, { videoId: lines.id, changes: lines.changes, actorUid, from: '127.0.0.1' });
// Done, and nobody was told.
point('the answer');
isCounting = false;
process.stdout.write(JSON.stringify(points));
encoder.close();
await queue.stop();
await pool.end();

/** What a worker does with this film by its job. */
async function openWorker(videoId: string): Promise<() => Promise<unknown>> {
  const sandbox = await findSandbox(dataFolder);
  const context = {
    ...archive,
    encoder,
    tools: await findMediaTools({ ffmpegPath: process.env.FFMPEG_PATH, searchPath: process.env.PATH ?? '' }, sandbox),
    runEngine: <T>(input: MediaInput, call: ChildCall<T>) => runChild(sandbox, input, call),
    runProgram: (input: MediaInput, call: HeldCall) => runHeld(sandbox, input, call),
    speech: { allowsRough: false, searchPath: '', modelHub: 'http://127.0.0.1:9' },
    reserveBytes: 0,
  };
  const found = await findFootage(pool, videoId);
  if (!found) throw new Error('there is no such film');
  const keys = toVideoKeys(videoId);
  return () =>
    runSteps(
      context,
      { video: { ...found, keys, isPublished: found.state === 'Processed' }, original: () => Promise.reject(new Error('nobody reads it')) },
      {
        steps,
        class: 'playable',
        signal: new AbortController().signal,
        log: (line) => process.stderr.write(`${line}\n`),
        isTooLong: () => false,
        mayGoOn: () => Promise.resolve(true),
      },
    );
}
