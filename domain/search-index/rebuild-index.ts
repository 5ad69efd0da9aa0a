import type { Connection, Table } from '@lancedb/lancedb';
import type { Pool } from '../db/database.ts';
import { writeBehind } from '../db/write-behind.ts';
import type { IndexCopy } from '../files/index-copy.ts';
import { clearIndexDamage, makeGeneration, readIndexState, rowWordsPathIn, sweepIndexFolder } from '../files/index-state.ts';
import { endForgetting, findForgetting } from '../videos/people/index-forgets.ts';
import { makeBuiltPercentNoter } from './built-percent.ts';
import { replaceVocabulary } from './count-terms.ts';
import { countPublicVideos, findIndexRemovals, findVideosAfter, recordIndexed } from './find-videos-to-index.ts';
import { isFieldWord } from './head-lines.ts';
import { findIndexedBatch, findIndexState } from './index-commit.ts';
import { indexFormat, rowsOf, type StoredRow } from './index-row.ts';
import { addRows, connectIndex, joinFiles, nameMainTable, openTable, type TableKind } from './index-tables.ts';
import { commitChange, type IndexWriter, versionsOf } from './index-writer.ts';
import type { WordInText } from './word-code.ts';
import { writeNextPart } from './write-parts.ts';
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
  const forgetting = await findForgetting(pool);
  const generation = await makeGeneration(folder);
  const connection = await connectIndex(folder, generation);
  // What leaves the archive from now on is removed by the batches that follow.
  const removed = await findIndexRemovals(pool, { limit: 1_000_000 });
  const batch = (await findIndexedBatch(pool)) + 1;
  const counts = new TermCounts();
  const words = await RowWordsWriter.open(rowWordsPathIn(folder, { generation }), { bytes: 0, rows: 0 }, (word) => counts.add(word));
  const videos: { id: string; revision: number }[] = [];
  const total = await countPublicVideos(pool);
  const notePercent = makeBuiltPercentNoter(pool);
  let waiting: { passages: StoredRow[]; heads: StoredRow[] } = { passages: [], heads: [] };
  const writing = writeBehind({ atOnce: 1 });
  // The next videos are read, and made into rows, while the last rows are written.
  const flush = async () => {
    const { passages, heads } = waiting;
    waiting = { passages: [], heads: [] };
    await writing.begin(async () => {
      await addRows(connection, { name: nameMainTable('passages'), rows: passages });
      await addRows(connection, { name: nameMainTable('heads'), rows: heads });
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
  const shelf = { passages: await joinTable(connection, 'passages'), heads: await joinTable(connection, 'heads') };
  const parts = await writeNextPart({ folder, state: { generation, parts: [] } }, { shelf, number: 0 });
  const mainRows = (await shelf.passages?.countRows()) ?? 0;
  const empty = { format: indexFormat, generation, batch, mainRows, recentRows: 0, recent: 0, parts, versions: {}, rowWords, files: null };
  const writer = { pool, copy, connection, state: empty };
  const built = await commitChange(writer, { ...empty, versions: await versionsOf(writer) }, async (db) => {
    await replaceVocabulary(db, { counts: counts.counts(), batch });
    await recordIndexed(db, { videos, removed });
    if (forgetting) await endForgetting(db, forgetting);
  });
  await clearIndexDamage(folder);
  await sweepIndexFolder(folder, built.state);
  return built;
}

/** A main table that nobody reads yet, with its small files joined; null when it has no rows. */
async function joinTable(connection: Connection, kind: TableKind): Promise<Table | null> {
  await joinFiles(connection, nameMainTable(kind), { isNew: true });
  return await openTable(connection, nameMainTable(kind));
}

const entryLength = 4;
const hashesPerWord = 2;
const heardLength = 1 << 12;

/**
 * Counts, video by video, how many videos hold each word, for archives of hundreds of millions of words: a table with open
 * addressing. A word is known by its length and two hashes of 32 bits, without being cut out of its text again.
 */
class TermCounts {
  readonly #terms: string[] = [];
  readonly #counts: number[] = [];
  /** Of each term its two hashes, its length and the last video that held it, side by side: one access to memory finds all. */
  #entries = new Int32Array(1 << 16);
  /** Numbers of terms, from 1; 0 is free. Its length is a power of two. */
  #slots = new Int32Array(1 << 16);
  /** Hashes that this video was heard to hold, by their last bits: most words of a video come again. */
  readonly #heard = new Int32Array(heardLength * hashesPerWord);
  #video = 0;

  /** What is added from now on belongs to the next video. */
  nextVideo(): void {
    this.#video++;
    this.#heard.fill(0);
  }

  add(word: Readonly<WordInText>): void {
    if (isFieldWord(word.text, word.from)) return;
    const [hash, otherHash] = [word.hash | 0, word.otherHash | 0];
    const heard = (hash & (heardLength - 1)) * hashesPerWord;
    if (this.#heard[heard] === hash && this.#heard[heard + 1] === otherHash) return;
    this.#heard[heard] = hash;
    this.#heard[heard + 1] = otherHash;
    const n = this.#numberOf(word, hash, otherHash);
    const lastVideo = n * entryLength + 3;
    if (this.#entries[lastVideo] === this.#video) return;
    this.#entries[lastVideo] = this.#video;
    this.#counts[n] = (this.#counts[n] ?? 0) + 1;
  }

  /** Every word with the number of videos that hold it. */
  counts(): Map<string, number> {
    return new Map(this.#terms.map((term, n) => [term, this.#counts[n] ?? 0]));
  }

  #numberOf({ text, from, to }: Readonly<WordInText>, hash: number, otherHash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const n = (this.#slots[slot] ?? 0) - 1;
      if (n < 0) return this.#addTerm(text.slice(from, to), { slot, hash, otherHash });
      const at = n * entryLength;
      if (this.#entries[at] === hash && this.#entries[at + 1] === otherHash && this.#entries[at + 2] === to - from) return n;
    }
  }

  #addTerm(word: string, { slot, hash, otherHash }: { slot: number; hash: number; otherHash: number }): number {
    // A copy: a word cut from a text would keep the whole text.
    const n = this.#terms.push(Buffer.from(word).toString()) - 1;
    if ((n + 1) * entryLength > this.#entries.length) {
      const larger = new Int32Array(this.#entries.length * 2);
      larger.set(this.#entries);
      this.#entries = larger;
    }
    this.#entries.set([hash, otherHash, word.length, 0], n * entryLength);
    this.#slots[slot] = n + 1;
    if (n * 2 > this.#slots.length) this.#grow();
    return n;
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 4);
    const mask = this.#slots.length - 1;
    for (let n = 0; n < this.#terms.length; n++) {
      let slot = (this.#entries[n * entryLength] ?? 0) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = n + 1;
    }
  }
}
