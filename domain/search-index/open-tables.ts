import type { Session, Table } from '@lancedb/lancedb';
import { type IndexState, rowWordsPath } from '../files/index-state.ts';
import { SearchTimeSlice } from '../scheduling/search-time-slice.ts';
import type { IndexQuestion } from './ask/index-question.ts';
import { RecentRows } from './ask/recent-rows.ts';
import type { TableKind } from './index-tables.ts';
// Now, and not when LanceDB is loaded: to change the environment beside threads that read it is not safe everywhere.
import './lancedb-settings.ts';
import { RowWordsReader } from './read-row-words.ts';
import { FilmOffsets, RowOffsets } from './row-offsets.ts';
import { lineEndCode, wordCode, wordCodesOf } from './word-code.ts';

/** A table in one of its versions, with the offsets of its rows. */
export interface OpenTable {
  readonly table: Table;
  readonly offsets: RowOffsets;
}

/** The rows of a kind, as searches ask for them; absent as long as there are none. */
interface OpenRows {
  readonly main: OpenTable | undefined;
  readonly recent: RecentRows | undefined;
}

/** What searches read of one state of the index. */
export interface OpenTables extends Readonly<Record<TableKind, OpenRows>> {
  readonly state: IndexState;
  readonly words: RowWordsReader;
  readonly films: FilmOffsets;
  /** The words of the main heads. */
  readonly headWords: HeldWords;
  /** What was read of the tables, and how much of it is kept at most. */
  readonly cache: Session;
  readonly cacheBytes: number;
}

/**
 * Opens the tables that count. What stands in the version that `before` has of it is taken from there: what was read of the
 * index stays read. So do offsets of rows, which no later version moves, and recent rows, of which only those that came or went
 * since are looked at.
 */
export async function openTables(
  folder: string,
  state: IndexState,
  { before, cacheBytes: wantedBytes }: { before?: OpenTables | undefined; cacheBytes: number },
): Promise<OpenTables> {
  // Loaded when first needed: a server that nobody searches stays small.
  const { connectIndex, mainTableName, openTableAt, openTableCache, recentTableName } = await import('./index-tables.ts');
  const earlier = before && isLater(state, before.state) ? before : undefined;
  const cacheBytes = Math.max(wantedBytes, state.mainRows * bytesPerRow);
  const cache = earlier && earlier.cacheBytes >= cacheBytes ? earlier.cache : openTableCache(cacheBytes);
  const connection = await connectIndex(folder, state.generation, cache);
  const words = earlier?.words ?? new RowWordsReader(rowWordsPath(folder, state));
  const isJoined = earlier?.state.recent !== state.recent;
  const films = earlier && !isJoined ? earlier.films : new FilmOffsets();
  const headWords = earlier && !isJoined ? earlier.headWords : new HeldWords();

  async function openMain(kind: TableKind): Promise<OpenTable | undefined> {
    const [name, known] = [mainTableName(kind), earlier?.[kind].main];
    const version = state.versions[name];
    if (version === undefined) return undefined;
    if (known && earlier?.state.versions[name] === version) return known;
    const table = await warmedUp(await openTableAt(connection, { name, version }));
    return { table, offsets: new RowOffsets(known?.offsets) };
  }

  async function openRecent(kind: TableKind): Promise<RecentRows | undefined> {
    const name = recentTableName(kind, state);
    const version = state.versions[name];
    if (version === undefined) return undefined;
    const known = isJoined ? undefined : earlier?.[kind].recent;
    if (known && earlier?.state.versions[name] === version) return known;
    const rows = known && !known.isFragmented ? known : new RecentRows();
    const table = await openTableAt(connection, { name, version });
    await rows.follow(table, words);
    table.close();
    return rows;
  }

  const open = async (kind: TableKind) => ({ main: await openMain(kind), recent: await openRecent(kind) });
  try {
    const [passages, heads] = await Promise.all([open('passages'), open('heads')]);
    return { state, passages, heads, words, films, headWords, cache, cacheBytes };
  } catch (error) {
    if (words !== earlier?.words) words.close();
    throw error;
  }
}

/**
 * A word index begins with a list of its rows, twelve bytes each, which every question needs. Where that has no room beside some words,
 * each question reads all of it again.
 */
const bytesPerRow = 40;

/** Whether the tables of `state` grew out of those of `before`. */
function isLater(state: IndexState, before: IndexState): boolean {
  return state.generation === before.generation && state.batch >= before.batch;
}

/**
 * Asks a table for the first time, for as long as it takes: that reads what every search needs of its word index. A search has
 * a time limit, and what it had read until then would be thrown away.
 */
async function warmedUp(table: Table): Promise<Table> {
  await table
    .query()
    .fullTextSearch('the', { columns: ['text'] })
    .select(['_score'])
    .limit(1)
    .toArrow();
  return table;
}

/** Closes the main tables and the file of words; whoever still reads by them fails. */
export function closeTables({ passages, heads, words }: OpenTables): void {
  for (const { main } of [passages, heads]) main?.table.close();
  words.close();
}

/** A bit for each word, by a part of its code: 1 MB, in which the words of 100,000 heads take one in thirty. */
const bits = 1 << 23;

/**
 * The words that a table may hold. Half of all questions ask heads for words that no head has, and LanceDB works for an answer in vain, too.
 * Later versions of a table only lose rows until it is joined with the recent one, so that what it may hold stays true as long.
 */
export class HeldWords {
  #held: Uint8Array | undefined;
  #isReading = false;

  /** What of a question a table may answer; all of it until its words are read, which nobody waits for. */
  heldOf(table: Table, question: IndexQuestion): IndexQuestion {
    const held = this.#held;
    if (!held) {
      if (!this.#isReading) void this.#read(table);
      return question;
    }
    const mayHold = (word: string) => ((held[byteOf(wordCode(word))] ?? 0) & bitOf(wordCode(word))) !== 0;
    const { words, others, phrases } = question;
    return {
      ...question,
      words: words.filter(mayHold),
      others: others.filter(mayHold),
      phrases: phrases.filter((phrase) => phrase.every(mayHold)),
    };
  }

  async #read(table: Table): Promise<void> {
    this.#isReading = true;
    try {
      const held = new Uint8Array(bits >>> 3);
      const slice = new SearchTimeSlice();
      for await (const rows of table.query().select(['text'])) {
        const texts = rows.getChild('text');
        for (let n = 0; n < rows.numRows; n++) {
          for (const code of wordCodesOf(String(texts?.get(n))))
            if (code !== lineEndCode) held[byteOf(code)] = (held[byteOf(code)] ?? 0) | bitOf(code);
          if (slice.isOver) await slice.next();
        }
      }
      this.#held = held;
    } catch {
      // Its table was closed meanwhile, or cannot be read, which the question itself hears of: the next one tries again.
    } finally {
      this.#isReading = false;
    }
  }
}

function byteOf(code: number): number {
  return (code & (bits - 1)) >>> 3;
}

function bitOf(code: number): number {
  return 1 << (code & 7);
}
