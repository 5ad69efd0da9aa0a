import { advisoryLocks } from '../db/advisory-locks.ts';
import { directOf, type Pool } from '../db/database.ts';
import { untilLost } from '../db/hold-session.ts';
import { sql } from '../db/sql.ts';
import type { IndexCopy } from '../files/index-copy.ts';
import { type IndexState, rowWordsPathIn } from '../files/index-state.ts';
import { isVideoId } from '../files/video-keys.ts';
import { countTerms } from './count-terms.ts';
import { findIndexRemovals, findVideosToIndex, recordIndexed } from './find-videos-to-index.ts';
import { makeGoneRow, rowsOf, termsOf, type VideoRows } from './index-row.ts';
import { addRows, nameRecentTable } from './index-tables.ts';
import { commitChange, type IndexWriter, openIndexWriter, openShelves, tablesOf, versionsOf } from './index-writer.ts';
import { cleanIndex, mergeRecent, shouldMerge } from './merge-recent.ts';
import { type RebuildOptions, rebuildIndex } from './rebuild-index.ts';
import { RowWordsWriter } from './write-row-words.ts';

/** A writer may be busy with itself for a while before it hears an answer. */
const lostWhenSilentMs = 60_000;
/** Every batch leaves small files and versions of the tables behind, which nobody needs a minute later. */
const batchesPerCleaning = 50;

/**
 * Runs `work` while this process alone may change the index; waits for another writer to end before. Throws as soon as the
 * connection that holds the lock is lost: the next writer may begin then, so the process has to end.
 */
export async function withWriterLock(pool: Pool, work: () => Promise<void>): Promise<void> {
  const client = await directOf(pool).connect();
  const over = new AbortController();
  try {
    await client.query(sql`select pg_advisory_lock(${advisoryLocks.writingIndex})`);
    const lost = untilLost(client, over.signal, lostWhenSilentMs).then(() => {
      if (!over.signal.aborted) throw new Error('The connection to the database that held the lock on the index was lost.');
    });
    await Promise.race([work(), lost]);
  } finally {
    over.abort();
    // A closed connection gives the lock back, also when it is broken.
    client.release(true);
  }
}

/** Opens the index, or builds it anew when it cannot be used, and brings in everything that waits. */
export async function catchUpIndex(pool: Pool, copy: IndexCopy, options: RebuildOptions = {}): Promise<IndexWriter> {
  const writer = (await openIndexWriter(pool, copy)) ?? (await rebuildIndex(pool, copy, options));
  return await bringIn(writer);
}

/** Brings in everything that waits, batch by batch. */
export async function bringIn(writer: IndexWriter): Promise<IndexWriter> {
  let current = writer;
  for (;;) {
    const update = await updateIndex(current);
    current = update.writer;
    if (update.videos + update.removed === 0) return current;
    if (shouldMerge(current, { idle: false })) current = await mergeRecent(current);
    if (current.state.batch % batchesPerCleaning === 0) current = await cleanIndex(current);
  }
}

const videosPerBatch = 250;
const removalsPerBatch = 500;

interface IndexUpdate {
  readonly writer: IndexWriter;
  readonly videos: number;
  readonly removed: number;
}

/** Brings one batch of changed, new and removed videos into the recent tables. They are found once this returns. */
async function updateIndex(writer: IndexWriter): Promise<IndexUpdate> {
  const { pool, connection } = writer;
  // Removals first: a video that goes after this line is still noted for the next batch.
  const removed = await findIndexRemovals(pool, { limit: removalsPerBatch });
  const videos = await findVideosToIndex(pool, { limit: videosPerBatch });
  if (videos.length === 0 && removed.length === 0) return { writer, videos: 0, removed: 0 };

  const rows = videos.map((video) => rowsOf(video));
  // To look for rows of a video means to read a whole column: a new one has none.
  const replaced = [...new Set([...videos.filter(({ isIndexed }) => isIndexed), ...removed].map(({ id }) => id))];
  const changes = await countTermChanges(writer, { rows, replaced });
  await dropVideos(writer, replaced);
  const { stored, rowWords } = await writeWords(writer, rows);
  const names = { passages: nameRecentTable('passages', writer.state), heads: nameRecentTable('heads', writer.state) };
  await addRows(connection, { name: names.passages, rows: stored.flatMap((row) => row.passages) });
  const come = new Set(videos.map(({ id }) => id));
  const gone = removed.filter(({ id }) => !come.has(id)).map(({ id }) => makeGoneRow(id));
  await addRows(connection, { name: names.heads, rows: [...stored.map((row) => row.head), ...gone] });
  const batch = writer.state.batch + 1;
  const state: IndexState = { ...writer.state, batch, rowWords, ...(await countRows(writer)), versions: await versionsOf(writer) };
  const changed = await commitChange(writer, state, async (db) => {
    await countTerms(db, { changes, batch });
    await recordIndexed(db, { videos, removed });
  });
  return { writer: changed, videos: videos.length, removed: removed.length };
}

async function writeWords({ copy: { folder }, state }: IndexWriter, rows: readonly VideoRows[]) {
  const words = await RowWordsWriter.open(rowWordsPathIn(folder, state), state.rowWords);
  const stored = rows.map((row) => words.add(row));
  const rowWords = await words.flush();
  await words.close();
  return { stored, rowWords };
}

/** How many videos more or fewer hold each word, by the rows that come and the rows that go. */
async function countTermChanges(
  writer: IndexWriter,
  { rows, replaced }: { rows: readonly VideoRows[]; replaced: readonly string[] },
): Promise<Map<string, number>> {
  const changes = new Map<string, number>();
  const change = (texts: Iterable<string>, by: number) => {
    for (const term of termsOf(texts)) changes.set(term, (changes.get(term) ?? 0) + by);
  };
  for (const row of rows) change([row.head.text, ...row.passages.map(({ text }) => text)], 1);
  for (const texts of (await readIndexedTexts(writer, replaced)).values()) change(texts, -1);
  return changes;
}

async function readIndexedTexts(writer: IndexWriter, videos: readonly string[]): Promise<Map<string, string[]>> {
  const texts = new Map<string, string[]>();
  if (videos.length === 0) return texts;
  for (const table of tablesOf(await openShelves(writer))) {
    const found = await table.query().where(oneOfVideos(videos)).select(['video', 'text']).toArrow();
    const [video, text] = [found.getChild('video'), found.getChild('text')];
    for (let n = 0; n < found.numRows; n++) {
      const id = String(video?.get(n));
      const known = texts.get(id);
      if (known) known.push(String(text?.get(n)));
      else texts.set(id, [String(text?.get(n))]);
    }
  }
  return texts;
}

async function dropVideos(writer: IndexWriter, videos: readonly string[]): Promise<void> {
  if (videos.length === 0) return;
  for (const table of tablesOf(await openShelves(writer))) {
    if ((await table.countRows(oneOfVideos(videos))) > 0) await table.delete(oneOfVideos(videos));
  }
}

async function countRows(writer: IndexWriter): Promise<{ mainRows: number; recentRows: number }> {
  const { main, recent } = await openShelves(writer);
  return { mainRows: (await main.passages?.countRows()) ?? 0, recentRows: (await recent.passages?.countRows()) ?? 0 };
}

/** A condition of the index: a row of one of these videos. */
function oneOfVideos(ids: readonly string[]): string {
  // Whatever is no id of ours never gets into the condition.
  const known = ids.filter(isVideoId);
  return known.length > 0 ? `video in (${known.map((id) => `'${id}'`).join(', ')})` : 'false';
}
