import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { openPool, type Pool } from '#domain/db/database.ts';
import { type Listener, listen } from '#domain/db/listen.ts';
import { toIndexCopy } from '#domain/files/index-copy.ts';
import { isIndexDamageNoted } from '#domain/files/index-state.ts';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import { S3Settings } from '#domain/files/s3/s3-settings.ts';
import { indexIsBehind } from '#domain/search-index/find-videos-to-index.ts';
import { bringIn, catchUpIndex, withWriterLock } from '#domain/search-index/keep-index.ts';
import { cleanIndex, mergeRecent, shouldMerge, shouldRebuild } from '#domain/search-index/merge-recent.ts';
import { rebuildIndex } from '#domain/search-index/rebuild-index.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { countUnindexed } from '#domain/videos/counts.ts';
import { findForgetting } from '#domain/videos/people/index-forgets.ts';
import { giveWay } from '#ingest/tools/give-way.ts';

const lookAgainMs = 1_000;
/** More than these at once come from an import: who searches goes first. */
const fewVideos = 20;

const Orders = z.object({
  address: z.object({
    connectionString: z.string().optional(),
    host: z.string().optional(),
    user: z.string().optional(),
    password: z.string().optional(),
    database: z.string().optional(),
  }),
  dataFolder: z.string(),
  s3: S3Settings.optional(),
  /** After the last video it stays for a while, so that the next one of a series need not wait for a new process. */
  lingerMs: z.number().default(8_000),
});

const input = createInterface({ input: process.stdin });
input.once('line', (line) => {
  run(Orders.parse(JSON.parse(line))).catch((error: unknown) => {
    // The database may be away for a moment; the worker starts another one of us, and prints what this one says.
    process.stderr.write(`${errorMessageOf(error)}\n`, () => process.exit(1));
  });
});
// The worker is gone: what is half done is done again by the next child.
input.once('close', () => process.exit(0));

async function run({ address, dataFolder, s3, lingerMs }: z.infer<typeof Orders>): Promise<void> {
  const pool = openPool(address, { maxConnections: 3 });
  const copy = toIndexCopy(openArchiveFiles(dataFolder, s3));
  const news = await listen(address, 'videos_to_index');
  await withWriterLock(pool, async () => {
    let givesWay = await giveWayToSearches(pool);
    let writer = await catchUpIndex(pool, copy);
    let [neededAt, busyAt] = [Date.now(), Date.now()];
    while (Date.now() - neededAt < lingerMs) {
      // An archive that is never at rest forgets as well.
      if ((await findForgetting(pool))?.isUrgent) writer = await rebuildIndex(pool, copy);
      await news.next(lookAgainMs);
      // The next child builds it anew.
      if (await isIndexDamageNoted(copy.folder)) process.exit(0);
      if (!(await indexIsBehind(pool))) continue;
      const areMany = await giveWayToSearches(pool);
      givesWay ||= areMany;
      writer = await bringIn(writer);
      busyAt = Date.now();
      // Single videos are for a child that gives way to nobody: this one cannot take it back.
      if (areMany || !givesWay) neededAt = busyAt;
    }
    // While single videos come in, none of them is to wait for the tidying up.
    if (Date.now() - busyAt < lingerMs) return;
    giveWay();
    void endWhenBehind(pool, news);
    if (shouldMerge(writer, { idle: true })) writer = await mergeRecent(writer);
    writer = await cleanIndex(writer);
    if (shouldRebuild(writer) || (await findForgetting(pool))) await rebuildIndex(pool, copy);
  });
  process.exit(0);
}

/**
 * Ends this process as soon as anything waits for the index: to tidy up a large one takes minutes. What is half done counts for
 * nothing, and the next child begins with what has come.
 */
async function endWhenBehind(pool: Pool, news: Listener): Promise<void> {
  for (;;) {
    // Without its database this process has lost its lock as well, and ends by that; until then, or without news alone, it looks.
    await news.next(lookAgainMs).catch(() => wait(lookAgainMs));
    if (await indexIsBehind(pool).catch(() => false)) process.exit(0);
  }
}

/** Whether so much waits that this process gives way from now on. */
async function giveWayToSearches(pool: Pool): Promise<boolean> {
  const areMany = (await countUnindexed(pool)) > fewVideos;
  if (areMany) giveWay();
  return areMany;
}
