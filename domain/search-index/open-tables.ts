import { isDeepStrictEqual } from 'node:util';
import { type IndexState, partPath, rowWordsPath } from '../files/index-state.ts';
import { RecentRows } from './ask/recent-rows.ts';
import type { TableKind } from './index-tables.ts';
import type { ChunkCache } from './postings/chunk-cache.ts';
import { Parts } from './postings/parts.ts';
import { RowWordsReader } from './read-row-words.ts';

/** What searches read of one state of the index. */
export interface OpenTables {
  readonly state: IndexState;
  /** Where the words of the main tables stand. */
  readonly parts: Parts;
  /** The rows of the recent tables; absent as long as there are none. */
  readonly recent: Readonly<Record<TableKind, RecentRows | undefined>>;
  /** The words of all rows. */
  readonly words: RowWordsReader;
}

/**
 * Opens what counts. What `before` has of it is taken from there: parts that stay what they are, and recent rows, of which only those that
 * came or went since are looked at. What is read of the parts is kept in `cache`. Throws when it cannot be read.
 */
export async function openTables(
  folder: string,
  state: IndexState,
  { cache, before }: { cache: ChunkCache; before?: OpenTables | undefined },
): Promise<OpenTables> {
  const earlier = before && isLater(state, before.state) ? before : undefined;
  const words = earlier?.words ?? new RowWordsReader(rowWordsPath(folder, state));
  const isJoined = earlier?.state.recent !== state.recent;

  async function openRecent(kind: TableKind): Promise<RecentRows | undefined> {
    // Loaded when first needed: a server that nobody searches stays small.
    const { connectIndex, openTableAt, recentTableName } = await import('./index-tables.ts');
    const name = recentTableName(kind, state);
    const version = state.versions[name];
    if (version === undefined) return undefined;
    const known = isJoined ? undefined : earlier?.recent[kind];
    if (known && earlier?.state.versions[name] === version) return known;
    const rows = known && !known.isFragmented ? known : new RecentRows();
    const connection = await connectIndex(folder, state.generation);
    const table = await openTableAt(connection, { name, version });
    await rows.follow(table, words);
    table.close();
    return rows;
  }

  const open = async () => {
    const pathOf = (number: number) => partPath(folder, state, number);
    const isSame = earlier !== undefined && isDeepStrictEqual(earlier.state.parts, state.parts);
    const parts = isSame ? earlier.parts : new Parts(state.parts, pathOf, { cache, before: earlier?.parts });
    try {
      const [passages, heads] = await Promise.all([openRecent('passages'), openRecent('heads')]);
      parts.leave(heads?.replaced() ?? []);
      return { state, parts, recent: { passages, heads }, words };
    } catch (error) {
      if (parts !== earlier?.parts) parts.close(earlier?.parts);
      throw error;
    }
  };
  try {
    return await open();
  } catch (error) {
    if (words !== earlier?.words) words.close();
    throw error;
  }
}

/** Whether the tables of `state` grew out of those of `before`. */
function isLater(state: IndexState, before: IndexState): boolean {
  return state.generation === before.generation && state.batch >= before.batch;
}

/** Closes the files of words; whoever still reads by them fails. */
export function closeTables({ words, parts }: Pick<OpenTables, 'words' | 'parts'>): void {
  parts.close();
  words.close();
}
