import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { findPending, findVideosAfter } from '../find-videos-to-index.ts';
import { rowsOf } from '../index-row.ts';
import { indexedRows } from '../indexed-rows.ts';
import { addToPrint, isPrintOf, keyOfFoundRow, keysOfRows, type RowsPrint } from './row-prints.ts';
import { countWords, openSuspects, type TableOfIndex } from './suspect-rows.ts';

/** What a comparison of index and database found. All but the first four are faults, 0 in a sound archive. */
export interface IndexCheck {
  /** Public videos of the archive. */
  readonly videos: number;
  /** Rows of passages in the index. */
  readonly passages: number;
  /** Different words in the index. */
  readonly words: number;
  /** Videos that the index has yet to take in or to let go. */
  readonly waiting: number;
  /** Rows that videos lack. */
  readonly missing: number;
  /** Rows that stand there more often than they should. */
  readonly twice: number;
  /** Rows of videos that the archive does not hold, or does not show. */
  readonly foreign: number;
  /** Rows that say something else than the database. */
  readonly wrong: number;
  /** Words that are counted otherwise than they occur. */
  readonly wordCountsWrong: number;
}

const videosPerRead = 100;
const videosPerLine = 10_000;

/**
 * Compares these tables with what `db`, a transaction with a snapshot, says they should hold. A hash per video is kept in
 * memory, and every word; rows only of videos that differ or wait. Throws `UnreadableIndex`.
 */
export async function compareIndex(db: Db, index: readonly TableOfIndex[], progress: (line: string) => void): Promise<IndexCheck> {
  const { prints, passages } = await printRows(index);
  const pending = await findPending(db);
  const suspects = openSuspects(index);
  const words = suspects.words;
  let videos = 0;
  let missing = 0;
  for (let afterId = ''; ; ) {
    const read = await findVideosAfter(db, { afterId, limit: videosPerRead });
    for (const video of read) {
      const print = prints.get(video.id);
      prints.delete(video.id);
      const rows = rowsOf(video);
      const keys = keysOfRows(rows);
      if (pending.has(video.id)) await suspects.add(video.id, print, 'whatever');
      else if (!print) missing += keys.length;
      else if (isPrintOf(print, keys)) countWords(words, [rows.head, ...rows.passages]);
      else await suspects.add(video.id, print, keys);
    }
    videos += read.length;
    if (videos % videosPerLine < read.length) progress(`${videos} videos compared`);
    const last = read.at(-1);
    if (!last) break;
    afterId = last.id;
  }
  let foreign = 0;
  // What is left has no public video.
  for (const [id, print] of prints) {
    if (!pending.has(id)) foreign += print.rows;
    await suspects.add(id, print, 'whatever');
  }
  const faults = await suspects.settle();
  const found = { videos, passages, words: words.size, waiting: pending.size };
  return { ...found, ...faults, missing: missing + faults.missing, foreign, wordCountsWrong: await countWrongWords(db, words) };
}

async function printRows(index: readonly TableOfIndex[]): Promise<{ prints: Map<string, RowsPrint>; passages: number }> {
  const prints = new Map<string, RowsPrint>();
  let passages = 0;
  for (const looked of index) {
    for await (const rows of indexedRows(looked.table)) {
      if (looked.kind === 'passages') passages += rows.length;
      for (const row of rows) prints.set(row.video, addToPrint(prints.get(row.video), keyOfFoundRow(looked, row)));
    }
  }
  return { prints, passages };
}

const termsPerRead = 50_000;

/** How many words of the vocabulary have another number of videos than `counts`, which is used up by this. */
async function countWrongWords(db: Db, counts: Map<string, number>): Promise<number> {
  let wrong = 0;
  for (let after = ''; ; ) {
    const { rows } = await db.query<{ term: string; videos: number }>(sql`
      select term, video_count as videos from vocabulary where term > ${after} order by term limit ${termsPerRead}`);
    for (const { term, videos } of rows) {
      if ((counts.get(term) ?? 0) !== videos) wrong++;
      counts.delete(term);
    }
    const last = rows.at(-1);
    if (!last) return wrong + counts.size;
    after = last.term;
  }
}
