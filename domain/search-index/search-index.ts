import type { Table } from '@lancedb/lancedb';
import { type IndexState, noteIndexDamage, readIndexState } from '../files/index-state.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { stringsOf } from './arrow-strings.ts';
import type { IndexQuestion } from './index-question.ts';
import { indexFormat } from './index-row.ts';
import type { TableKind } from './index-tables.ts';

/** A row that the index found: a passage or head row of a video with its words, and how well it fits by the index's own measure. */
export interface FoundRow {
  readonly video: string;
  readonly kind: string;
  readonly text: string;
  readonly score: number;
}

/** The reading side of the index. It answers empty while there is no index yet. */
export interface SearchIndex {
  /** Folder of the index. */
  readonly folder: string;
  /** Best rows first. Rows of the main and the recent tables are mixed by score. */
  find(kind: TableKind, question: IndexQuestion): Promise<FoundRow[]>;
  /** Number of the last batch that is found; 0 while there is no index. */
  batch(): Promise<number>;
  /** The words of the archive, kept by whoever searches. */
  vocabulary: Vocabulary | undefined;
  close(): void;
}

interface OpenTables {
  readonly state: IndexState;
  readonly passages: readonly Table[];
  readonly heads: readonly Table[];
}

const sameStateMs = 20;

/** Opens the index under `folder` for reading. Nothing is loaded before the first question. */
export function openSearchIndex(folder: string): Promise<SearchIndex> {
  let open: { readonly state: IndexState; readonly tables: Promise<OpenTables> } | undefined;

  let read: { state: Promise<IndexState | null>; atMs: number } | undefined;

  /** One search asks several times: within moments the state is the same. */
  function currentState(): Promise<IndexState | null> {
    if (!read || performance.now() - read.atMs > sameStateMs) read = { state: readIndexState(folder), atMs: performance.now() };
    return read.state;
  }

  function tablesOf(state: IndexState): Promise<OpenTables> {
    // The tables of before stay open for the searches that use them; they are freed with the last of these.
    if (!open || !isSame(open.state, state)) open = { state, tables: openAfter(open?.tables, state) };
    return open.tables;
  }

  async function openAfter(before: Promise<OpenTables> | undefined, state: IndexState): Promise<OpenTables> {
    return await openTables(folder, state, await before?.catch(() => undefined));
  }

  async function find(kind: TableKind, question: IndexQuestion): Promise<FoundRow[]> {
    const state = await currentState();
    if (!state || state.format !== indexFormat) {
      await closeTables(open?.tables);
      open = undefined;
      return [];
    }
    if (question.words.length + question.others.length + question.phrases.length === 0) return [];
    try {
      return await askTables((await tablesOf(state))[kind], question);
    } catch (error) {
      // An index that is slow for a moment is whole.
      if (/timeout/i.test(String(error))) throw error;
      const now = await readIndexState(folder);
      open = undefined;
      // The index was replaced under this search: the new one answers.
      if (now && !isSame(now, state)) return await askTables((await openTables(folder, now))[kind], question);
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
    close: () => void closeTables(open?.tables),
  });
}

function isSame(a: IndexState, b: IndexState): boolean {
  return a.generation === b.generation && a.batch === b.batch;
}

/** Tables that stand in the version that `before` has of them are taken from there: what they have read of the index stays read. */
async function openTables(folder: string, state: IndexState, before?: OpenTables): Promise<OpenTables> {
  // Loaded when first needed: a server that nobody searches stays small.
  const { connectIndex, mainTableName, openTableAt, recentTableName } = await import('./index-tables.ts');
  const connection = await connectIndex(folder, state.generation);
  const both = async (kind: TableKind) => {
    const names = [mainTableName(kind), recentTableName(kind, state)];
    const noted = Object.entries(state.versions).filter(([name]) => names.includes(name));
    return await Promise.all(
      noted.map(async ([name, version]) => {
        const isOpen = before?.state.generation === state.generation && before.state.versions[name] === version;
        const table = isOpen ? before[kind].find((open) => open.name === name) : undefined;
        return table ?? (await warmedUp(await openTableAt(connection, { name, version })));
      }),
    );
  };
  return { state, passages: await both('passages'), heads: await both('heads') };
}

/**
 * Asks a table for the first time, for as long as it takes: that reads what every search needs of its word index. A search has
 * a time limit, and what it had read until then would be thrown away.
 */
async function warmedUp(table: Table): Promise<Table> {
  const { fullTextQuery } = await import('./full-text-query.ts');
  const query = fullTextQuery({ words: ['the'], others: [], phrases: [], limit: 1 });
  await table.query().fullTextSearch(query).select(['_score']).limit(1).toArrow();
  return table;
}

async function closeTables(open: Promise<OpenTables> | undefined): Promise<void> {
  const tables = await open?.catch(() => undefined);
  for (const table of [...(tables?.passages ?? []), ...(tables?.heads ?? [])]) table.close();
}

async function askTables(tables: readonly Table[], question: IndexQuestion): Promise<FoundRow[]> {
  const { fullTextQuery } = await import('./full-text-query.ts');
  const answers = await Promise.all(tables.map((table) => askTable(table, { question, query: fullTextQuery(question) })));
  return answers.length === 1 ? (answers[0] ?? []) : answers.flat().sort((a, b) => b.score - a.score);
}

async function askTable(
  table: Table,
  { question, query }: { question: IndexQuestion; query: ReturnType<typeof import('./full-text-query.ts').fullTextQuery> },
): Promise<FoundRow[]> {
  const asked = table.query().fullTextSearch(query).select(['video', 'kind', 'text', '_score']).limit(question.limit);
  const found = await (question.where ? asked.where(question.where) : asked).toArrow({ timeoutMs: 2_000 });
  const [video, kind, text] = ['video', 'kind', 'text'].map((name) => stringsOf(found.getChild(name)));
  const scores = found.getChild('_score')?.toArray();
  const rows = Array.from({ length: found.numRows }, (_, n) => ({
    video: video?.[n] ?? '',
    kind: kind?.[n] ?? '',
    text: text?.[n] ?? '',
    score: Number(scores?.[n]),
  }));
  // Equal scores in an order of their own, so that the same question has the same answer.
  return rows.sort((a, b) => b.score - a.score || (a.video < b.video ? -1 : a.video > b.video ? 1 : 0));
}
