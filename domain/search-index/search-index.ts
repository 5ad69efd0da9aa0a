import { indexStateReader, noteIndexDamage, readIndexState } from '../files/index-state.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { askTables } from './ask/ask-tables.ts';
import type { FoundRow } from './ask/found-row.ts';
import type { IndexQuestion } from './ask/index-question.ts';
import { isSameState, TablesInUse } from './ask/tables-in-use.ts';
import { indexFormat } from './index-row.ts';
import type { TableKind } from './index-tables.ts';
import { WordsClosed } from './read-row-words.ts';

/** The reading side of the index. It answers empty while there is no index yet. */
export interface SearchIndex {
  /** Folder of the index. */
  readonly folder: string;
  /** The rows that answer any of the questions, best first. Rows of the main and the recent tables are mixed by score. */
  find(kind: TableKind, ...questions: readonly IndexQuestion[]): Promise<FoundRow[]>;
  /** Number of the last batch that searches find; 0 while there is no index. */
  batch(): Promise<number>;
  /** The words of the archive, kept by whoever searches. */
  vocabulary: Vocabulary | undefined;
  close(): void;
}

/** Opens the index under `folder` for reading. Nothing is loaded before the first question. */
export function openSearchIndex(folder: string): Promise<SearchIndex> {
  const tables = new TablesInUse(folder);
  let isClosed = false;
  const currentState = indexStateReader(folder);

  async function find(kind: TableKind, ...questions: readonly IndexQuestion[]): Promise<FoundRow[]> {
    const state = await currentState();
    if (state && state.format !== indexFormat) await tables.forget();
    if (state?.format !== indexFormat) return [];
    if (questions.every(({ words, others, phrases }) => words.length + others.length + phrases.length === 0)) return [];
    try {
      return await askTables(await tables.of(state), kind, questions);
    } catch (error) {
      // An index that is slow for a moment is whole.
      if (/timeout/i.test(String(error))) throw error;
      const now = await readIndexState(folder);
      const isReplaced = error instanceof WordsClosed || (now && !isSameState(now, state));
      // The index was replaced under this search: the new one answers.
      if (isReplaced) return now && !isClosed ? await askTables(await tables.of(now), kind, questions) : [];
      await tables.forget();
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
      void tables.forget();
    },
  });
}
