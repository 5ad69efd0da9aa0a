import { type IndexState, makeIndexStateReader, noteIndexDamage, readIndexState } from '../files/index-state.ts';
import { SearchTimeSlice, type SearchWork } from '../scheduling/search-time-slice.ts';
import { SearchTimeout } from '../scheduling/search-timeout.ts';
import { errorMessageOf } from '../system/error-message.ts';
import { askTables } from './ask/ask-tables.ts';
import type { FoundRow } from './ask/found-row.ts';
import { CodeRoom, CodeRooms } from './code-room.ts';
import type { FilmRecord } from './films/film-record.ts';
import { IndexNotReady } from './index-not-ready.ts';
import type { IndexQuestion } from './index-question.ts';
import { indexFormat } from './index-row.ts';
import type { TableKind } from './index-tables.ts';
import { closeTables, type OpenTables, openTables } from './open-tables.ts';
import { ChunkCache } from './postings/chunk-cache.ts';
import { WordsClosed } from './read-row-words.ts';

/*
 * This room holds the index that films are found by. search-index.ts is what searches read, keep-index.ts what the one writer does,
 * index-follower.ts brings it to other machines; ask/ puts questions to it, postings/ tells where each
 * word stands, films/ holds the codes of whole films.
 */

interface ReadingFilms {
  /** Where the records stand; each reading has its own where nothing is said. */
  readonly room?: CodeRoom;
  /** The search that reads them. */
  readonly work?: SearchWork | undefined;
}

/** The reading side of the index. */
export interface SearchIndex {
  /** Folder of the index. */
  readonly folder: string;
  /**
   * The rows that answer any of the questions, best first; those of the main and the recent tables are mixed by score. Throws
   * `IndexNotReady` while there is no index to read, and `SearchTimeout`.
   */
  find(kind: TableKind, ...questions: readonly IndexQuestion[]): Promise<FoundRow[]>;
  /**
   * What the index holds of these films to match them, in their order, each as of the revision that it says; undefined for one that it
   * does not hold, and for all of them while there is no index to read.
   */
  films(ids: readonly string[], reading?: ReadingFilms): Promise<(FilmRecord | undefined)[]>;
  /** Where a search puts what it reads. */
  readonly rooms: CodeRooms;
  /** Number of the last batch that searches find; 0 while there is no index. */
  batch(): Promise<number>;
  close(): void;
}

/** Opens the index under `folder` for reading. Nothing is loaded before the first question; of the lists that are read then, about `cacheBytes` are kept. */
export function openSearchIndex(folder: string, { cacheBytes }: { cacheBytes: number }): SearchIndex {
  const tables = new TablesInUse(folder, new ChunkCache(cacheBytes));
  let isClosed = false;
  const currentState = makeIndexStateReader(folder);

  let warnedOf: IndexState | undefined;

  /** Asks the tables of the state that counts. */
  async function ask<T>(question: (tables: OpenTables) => Promise<T>): Promise<T> {
    for (let state = await currentState(), again = true; ; again = false) {
      if (state?.format !== indexFormat) {
        await tables.forget();
        throw new IndexNotReady('building');
      }
      try {
        return await question(await tables.of(state));
      } catch (error) {
        // An index that is slow for a moment is whole.
        if (error instanceof SearchTimeout || isClosed) throw error;
        const now = await readIndexState(folder);
        const isReplaced = error instanceof WordsClosed || (now && !isSameState(now, state));
        if (!again || !isReplaced) throw await damaged(state, error);
        // It was replaced under this search: the new one answers.
        state = now;
      }
    }
  }

  async function find(kind: TableKind, ...questions: readonly IndexQuestion[]): Promise<FoundRow[]> {
    if (questions.every(({ words, others, phrases }) => words.length + others.length + phrases.length === 0)) return [];
    return await ask((open) => askTables(open, kind, questions));
  }

  async function films(ids: readonly string[], reading?: ReadingFilms): Promise<(FilmRecord | undefined)[]> {
    try {
      return await ask((open) => readFilms(open, ids, reading));
    } catch (error) {
      // The films are there all the same, only slower to match.
      if (error instanceof IndexNotReady) return ids.map(() => undefined);
      throw error;
    }
  }

  /** Notes the damage, for whoever builds the index anew. Every search tries again: what could not be read may be there by then. */
  async function damaged(state: IndexState, error: unknown): Promise<IndexNotReady> {
    await tables.forget();
    await noteIndexDamage(folder);
    if (warnedOf !== state) process.emitWarning(`The search index cannot be read and will be rebuilt: ${errorMessageOf(error)}`);
    warnedOf = state;
    return new IndexNotReady('damaged', error);
  }

  return {
    folder,
    find,
    films,
    rooms: new CodeRooms(),
    batch: async () => (await currentState())?.batch ?? 0,
    close: () => {
      isClosed = true;
      void tables.forget();
    },
  };
}

/** The records of these films, in their order; undefined for those that neither the recent heads nor the main ones have. */
async function readFilms(
  { recent: { heads }, parts, words }: OpenTables,
  ids: readonly string[],
  { room = CodeRoom.ofFilms(ids.length), work }: ReadingFilms = {},
): Promise<(FilmRecord | undefined)[]> {
  const records: (FilmRecord | undefined)[] = [];
  // What is not in memory comes from the disk, film by film.
  const slice = new SearchTimeSlice(work);
  for (const id of ids) {
    const offset = heads?.offsetOf(id) ?? parts.headOf(id);
    records.push(offset === undefined ? undefined : words.readFilm(offset, room));
    if (slice.isOver) await slice.next();
  }
  return records;
}

/**
 * The tables that searches of one process ask. Those of a later state are opened out of the ones before, one after the other;
 * these stay open for the searches that use them, and are freed with the last of them.
 */
class TablesInUse {
  readonly #folder: string;
  readonly #cache: ChunkCache;
  #latest: { readonly state: IndexState; readonly tables: Promise<OpenTables> } | undefined;

  constructor(folder: string, cache: ChunkCache) {
    this.#folder = folder;
    this.#cache = cache;
  }

  /** The tables of `state`. Throws when they cannot be opened. */
  of(state: IndexState): Promise<OpenTables> {
    if (!this.#latest || !isSameState(this.#latest.state, state))
      this.#latest = { state, tables: this.#openAfter(this.#latest?.tables, state) };
    return this.#latest.tables;
  }

  /** Closes all of them; the next search opens what there is then. */
  async forget(): Promise<void> {
    const tables = await this.#latest?.tables.catch(() => undefined);
    this.#latest = undefined;
    if (tables) closeTables(tables);
  }

  async #openAfter(earlier: Promise<OpenTables> | undefined, state: IndexState): Promise<OpenTables> {
    const before = await earlier?.catch(() => undefined);
    try {
      const tables = await openTables(this.#folder, state, { cache: this.#cache, before });
      if (before && before.words !== tables.words) before.words.close();
      if (before && before.parts !== tables.parts) before.parts.close(tables.parts);
      return tables;
    } catch (error) {
      if (before) closeTables(before);
      throw error;
    }
  }
}

function isSameState(a: IndexState, b: IndexState): boolean {
  return a.generation === b.generation && a.batch === b.batch;
}
