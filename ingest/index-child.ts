import { createInterface } from 'node:readline';
import { z } from 'zod';
import { openPool } from '#domain/db/database.ts';
import { errorMessage } from '#domain/db/error-message.ts';
import { listen } from '#domain/db/listen.ts';
import { isIndexDamageNoted } from '#domain/files/index-state.ts';
import { indexIsBehind } from '#domain/search/find-videos-to-index.ts';
import { bringIn, catchUpIndex, withWriterLock } from '#domain/search/keep-index.ts';
import { cleanIndex, mergeRecent, shouldMerge } from '#domain/search/merge-recent.ts';

/** After the last video it stays for a while, so that the next one of a series need not wait for a new process. */
const lingerMs = 8_000;
const lookAgainMs = 1_000;

const Orders = z.object({
  address: z.object({
    connectionString: z.string().optional(),
    host: z.string().optional(),
    user: z.string().optional(),
    database: z.string().optional(),
  }),
  indexFolder: z.string(),
});

const input = createInterface({ input: process.stdin });
input.once('line', (line) => {
  run(Orders.parse(JSON.parse(line))).catch((error: unknown) => {
    // The database may be away for a moment; the worker starts another one of us, and prints what this one says.
    process.stderr.write(`${errorMessage(error)}\n`, () => process.exit(1));
  });
});
// The worker is gone: what is half done is done again by the next child.
input.once('close', () => process.exit(0));

async function run({ address, indexFolder }: z.infer<typeof Orders>): Promise<void> {
  const pool = openPool(address, { maxConnections: 3 });
  const news = await listen(address, 'videos_to_index');
  await withWriterLock(pool, async () => {
    let writer = await catchUpIndex(pool, indexFolder);
    for (let idleSince = Date.now(); Date.now() - idleSince < lingerMs; ) {
      await news.next(lookAgainMs);
      // The next child builds it anew.
      if (await isIndexDamageNoted(indexFolder)) process.exit(0);
      if (!(await indexIsBehind(pool))) continue;
      writer = await bringIn(writer);
      idleSince = Date.now();
    }
    if (shouldMerge(writer, { idle: true })) writer = await mergeRecent(writer);
    await cleanIndex(writer);
  });
  process.exit(0);
}
