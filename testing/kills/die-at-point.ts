import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { z } from 'zod';
import { CorrectLinesInput } from '#contract/corrections.ts';
import { openPool } from '#domain/db/database.ts';
import { archiveFolder } from '#domain/files/archive-folder.ts';
import { openLocalStore } from '#domain/files/local-store.ts';
import { finishUpload } from '#domain/footage/finish-upload.ts';
import { openJobQueue } from '#domain/jobs/job-queue.ts';
import { correctLines } from '#domain/videos/corrections/correct-lines.ts';

/*
 * Finishes an upload or corrects a line, and is gone, as by kill -9, right before the `dieAt`-th of all actions that outlive it: files that are
 * moved, written or deleted, statements that write, and commits. With 0 it lives, and prints what these actions are.
 */
const Orders = z.object({
  databaseUrl: z.string(),
  dataFolder: z.string(),
  dieAt: z.number(),
  actorUid: z.string(),
  upload: z.object({ id: z.string(), sha256: z.string(), sidecars: z.array(z.string()) }).optional(),
  lines: CorrectLinesInput.optional(),
});
const { databaseUrl, dataFolder, dieAt, actorUid, upload, lines } = Orders.parse(JSON.parse(await text(process.stdin)));
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
isCounting = true;
if (upload) {
  const archive = { pool, queue, folder: archiveFolder(dataFolder), store: openLocalStore(dataFolder) };
  await finishUpload(archive, { ...upload, userId: actorUid, from: '127.0.0.1' });
}
if (lines) await correctLines(pool, { videoId: lines.id, changes: lines.changes, actorUid, from: '127.0.0.1' });
// Done, and nobody was told.
point('the answer');
isCounting = false;
process.stdout.write(JSON.stringify(points));
await queue.stop();
await pool.end();
