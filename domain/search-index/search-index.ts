import { type IndexState, indexStateReader, noteIndexDamage, readIndexState } from '../files/index-state.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { askTables } from './ask-tables.ts';
import type { FoundRow } from './found-row.ts';
import type { IndexQuestion } from './index-question.ts';
import { indexFormat } from './index-row.ts';
import type { TableKind } from './index-tables.ts';
import { closeTables, type OpenTables, openTables } from './open-tables.ts';
import { WordsClosed } from './read-row-words.ts';

/** The reading side of the index. It answers empty while there is no index yet. */
export interface SearchIndex {
  /** Folder of the index. */
  readonly folder: string;
  /** The rows that answer any of the questions, best first. Rows of the main and the recent tables are mixed by score. */
  find(kind: TableKind, ...questions: readonly IndexQuestion[]): Promise<FoundRow[]>;
  /** Number of the last batch that is found; 0 while there is no index. */
  batch(): Promise<number>;
  /** The words of the archive, kept by whoever searches. */
  vocabulary: Vocabulary | undefined;
  close(): void;
}

/** Opens the index under `folder` for reading. Nothing is loaded before the first question. */
export function openSearchIndex(folder: string): Promise<SearchIndex> {
  let open: { readonly state: IndexState; readonly tables: Promise<OpenTables> } | undefined;
  let isClosed = false;
  const currentState = indexStateReader(folder);

  function tablesOf(state: IndexState): Promise<OpenTables> {
    // The tables of before stay open for the searches that use them; they are freed with the last of these.
    if (!open || !isSame(open.state, state)) open = { state, tables: openAfter(open?.tables, state) };
    return open.tables;
  }

  async function openAfter(earlier: Promise<OpenTables> | undefined, state: IndexState): Promise<OpenTables> {
    const before = await earlier?.catch(() => undefined);
    try {
      const tables = await openTables(folder, state, before);
      if (before && before.words !== tables.words) before.words.close();
      return tables;
    } catch (error) {
      before?.words.close();
      throw error;
    }
  }

  async function forget(): Promise<void> {
    const tables = await open?.tables.catch(() => undefined);
    open = undefined;
    if (tables) closeTables(tables);
  }

  async function find(kind: TableKind, ...questions: readonly IndexQuestion[]): Promise<FoundRow[]> {
    const state = await currentState();
    if (state && state.format !== indexFormat) await forget();
    if (state?.format !== indexFormat) return [];
    if (questions.every(({ words, others, phrases }) => words.length + others.length + phrases.length === 0)) return [];
    try {
      return await askTables(await tablesOf(state), kind, questions);
    } catch (error) {
      // An index that is slow for a moment is whole.
      if (/timeout/i.test(String(error))) throw error;
      const now = await readIndexState(folder);
      const isReplaced = error instanceof WordsClosed || (now && !isSame(now, state));
      // The index was replaced under this search: the new one answers.
      if (isReplaced) return now && !isClosed ? await askTables(await tablesOf(now), kind, questions) : [];
      await forget();
      await noteIndexDamage(folder);
      process.emitWarning(`The search index cannot be read and will be rebuilt: ${String(error)}`);
      return [];
    }
  }

  return Promise.resolve({
    folder,
    find,
    batch: async () => (await currentState())?.batch ?? 0,
    vocabulary: undefined,
    close: () => {
      isClosed = true;
      void forget();
    },
  });
}

function isSame(a: IndexState, b: IndexState): boolean {
  return a.generation === b.generation && a.batch === b.batch;
}
