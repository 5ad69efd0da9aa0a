import { isDeepStrictEqual } from 'node:util';
import { type IndexState, partPathIn, rowWordsPathIn } from '../files/index-state.ts';
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
  const words = earlier?.words ?? new RowWordsReader(rowWordsPathIn(folder, state));
  let parts: Parts | undefined;
  try {
    parts = partsOf(folder, state, { cache, earlier });
    const recent = await openRecent(folder, state, { words, earlier });
    parts.leave(recent.heads?.replaced() ?? []);
    return { state, parts, recent, words };
  } catch (error) {
    if (parts !== earlier?.parts) parts?.close(earlier?.parts);
    if (words !== earlier?.words) words.close();
    throw error;
  }
}

function partsOf(folder: string, state: IndexState, { cache, earlier }: { cache: ChunkCache; earlier: OpenTables | undefined }): Parts {
  if (earlier && isDeepStrictEqual(earlier.state.parts, state.parts)) return earlier.parts;
  return new Parts(state.parts, (number) => partPathIn(folder, state, number), { cache, before: earlier?.parts });
}

async function openRecent(
  folder: string,
  state: IndexState,
  { words, earlier }: { words: RowWordsReader; earlier: OpenTables | undefined },
): Promise<OpenTables['recent']> {
  // Loaded when first needed: the server of a small archive that nobody searches stays small.
  const { connectIndex, openTableAt, nameRecentTable } = await import('./index-tables.ts');
  const connection = await connectIndex(folder, state.generation);
  const isJoined = earlier?.state.recent !== state.recent;

  async function open(kind: TableKind): Promise<RecentRows | undefined> {
    const name = nameRecentTable(kind, state);
    const version = state.versions[name];
    if (version === undefined) return undefined;
    const known = isJoined ? undefined : earlier?.recent[kind];
    if (known && earlier?.state.versions[name] === version) return known;
    const rows = known && !known.isFragmented ? known : new RecentRows();
    const table = await openTableAt(connection, { name, version });
    await rows.follow(table, words);
    table.close();
    return rows;
  }

  const [passages, heads] = await Promise.all([open('passages'), open('heads')]);
  return { passages, heads };
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
