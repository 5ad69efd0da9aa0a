import type { Pool } from '../db/database.ts';
import { writeBehind } from '../db/write-behind.ts';
import type { IndexCopy } from '../files/index-copy.ts';
import { clearIndexDamage, makeGeneration, readIndexState, rowWordsPath, sweepIndexFolder } from '../files/index-state.ts';
import { builtPercentNoter } from './built-percent.ts';
import { replaceVocabulary } from './count-terms.ts';
import { countPublicVideos, findIndexRemovals, findVideosAfter, recordIndexed } from './find-videos-to-index.ts';
import { findIndexedBatch, findIndexState } from './index-commit.ts';
import { indexFormat, type PlacedRow, rowsOf } from './index-row.ts';
import { addRows, connectIndex, indexTable, mainTableName, openTable } from './index-tables.ts';
import { commitChange, type IndexWriter, versionsOf } from './index-writer.ts';
import { TermCounts } from './term-counts.ts';
import { RowWordsWriter } from './write-row-words.ts';

const videosPerRead = 100;
const rowsPerAdd = 20_000;

export interface RebuildOptions {
  readonly progress?: (done: number, total: number) => void;
}

/** Builds the whole index anew from the database beside the old one, and then puts it in its place. */
export async function rebuildIndex(pool: Pool, copy: IndexCopy, options: RebuildOptions = {}): Promise<IndexWriter> {
  const { folder } = copy;
  // What a builder before did not finish: on a full disk there would be more of it after every attempt. What counts may be on its way here.
  await sweepIndexFolder(folder, await readIndexState(folder), await findIndexState(pool));
  const generation = await makeGeneration(folder);
  const connection = await connectIndex(folder, generation);
  // What leaves the archive from now on is removed by the batches that follow.
  const removed = await findIndexRemovals(pool, { limit: 1_000_000 });
  const batch = (await findIndexedBatch(pool)) + 1;
  const counts = new TermCounts();
  const words = await RowWordsWriter.open(rowWordsPath(folder, { generation }), { bytes: 0, rows: 0 }, (word) => counts.add(word));
  const videos: { id: string; revision: number }[] = [];
  const total = await countPublicVideos(pool);
  const notePercent = builtPercentNoter(pool);
  let waiting: { passages: PlacedRow[]; heads: PlacedRow[] } = { passages: [], heads: [] };
  const writing = writeBehind({ atOnce: 1 });
  // The next videos are read, and made into rows, while the last rows are written.
  const flush = async () => {
    const { passages, heads } = waiting;
    waiting = { passages: [], heads: [] };
    await writing.begin(async () => {
      await addRows(connection, { name: mainTableName('passages'), rows: passages });
      await addRows(connection, { name: mainTableName('heads'), rows: heads });
    });
    options.progress?.(videos.length, Math.max(total, videos.length));
    notePercent(videos.length, total);
  };
  const read = (afterId: string) => findVideosAfter(pool, { afterId, limit: videosPerRead });
  for (let found = await read(''); found.length > 0; ) {
    const next = read(found.at(-1)?.id ?? '');
    next.catch(() => {});
    for (const video of found) {
      counts.nextVideo();
      const { head, passages } = words.add(rowsOf(video));
      waiting.heads.push(head);
      waiting.passages.push(...passages);
      videos.push({ id: video.id, revision: video.revision });
    }
    if (words.isFull) await words.flush();
    if (waiting.passages.length >= rowsPerAdd) await flush();
    found = await next;
  }
  await flush();
  const rowWords = await words.flush();
  await words.close();
  await writing.end();
  await indexTable(connection, mainTableName('passages'));
  await indexTable(connection, mainTableName('heads'));
  const mainRows = (await (await openTable(connection, mainTableName('passages')))?.countRows()) ?? 0;
  const empty = { format: indexFormat, generation, batch, mainRows, recentRows: 0, recent: 0, versions: {}, rowWords, files: null };
  const writer = { pool, copy, connection, state: empty };
  const built = await commitChange(writer, { ...empty, versions: await versionsOf(writer) }, async (db) => {
    await replaceVocabulary(db, { counts: counts.counts(), batch });
    await recordIndexed(db, { videos, removed });
  });
  await clearIndexDamage(folder);
  await sweepIndexFolder(folder, built.state);
  return built;
}
