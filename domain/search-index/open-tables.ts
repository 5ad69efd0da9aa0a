import type { Table } from '@lancedb/lancedb';
import { type IndexState, rowWordsPath } from '../files/index-state.ts';
import type { TableKind } from './index-tables.ts';
import { RowWordsReader } from './read-row-words.ts';
import { RowPlaces } from './row-places.ts';

/** A table in one of its versions, with the places of its rows. */
export interface OpenTable {
  readonly table: Table;
  readonly places: RowPlaces;
}

/** What searches read of one state of the index. */
export interface OpenTables {
  readonly state: IndexState;
  readonly passages: readonly OpenTable[];
  readonly heads: readonly OpenTable[];
  readonly words: RowWordsReader;
}

/**
 * Opens the tables that count. Those that stand in the version that `before` has of them are taken from there: what they have
 * read of the index stays read. So do places of rows, which no later version moves.
 */
export async function openTables(folder: string, state: IndexState, before?: OpenTables): Promise<OpenTables> {
  // Loaded when first needed: a server that nobody searches stays small.
  const { connectIndex, mainTableName, openTableAt, recentTableName } = await import('./index-tables.ts');
  const connection = await connectIndex(folder, state.generation);
  const earlier = before && isLater(state, before.state) ? before : undefined;
  const both = async (kind: TableKind) => {
    const names = [mainTableName(kind), recentTableName(kind, state)];
    const noted = Object.entries(state.versions).filter(([name]) => names.includes(name));
    return await Promise.all(
      noted.map(async ([name, version]) => {
        const known = earlier?.[kind].find(({ table }) => table.name === name);
        if (known && earlier?.state.versions[name] === version) return known;
        const table = await warmedUp(await openTableAt(connection, { name, version }));
        return { table, places: new RowPlaces(known?.places) };
      }),
    );
  };
  const [passages, heads] = await Promise.all([both('passages'), both('heads')]);
  return { state, passages, heads, words: earlier?.words ?? new RowWordsReader(rowWordsPath(folder, state)) };
}

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

export function closeTables({ passages, heads, words }: OpenTables): void {
  for (const { table } of [...passages, ...heads]) table.close();
  words.close();
}
