import { SearchTimeSlice } from '../../scheduling/search-time-slice.ts';
import { CodeRoom } from '../code-room.ts';
import type { IndexQuestion } from '../index-question.ts';
import type { TableKind } from '../index-tables.ts';
import type { OpenTables } from '../open-tables.ts';
import type { ScoredRow } from '../postings/best-rows.ts';
import type { Parts } from '../postings/parts.ts';
import type { RowWordsReader } from '../read-row-words.ts';
import type { FoundRow } from './found-row.ts';
import type { RecentRows } from './recent-rows.ts';

/**
 * The best rows of a kind, those of the parts and the recent ones mixed by score: its `limit` of each by the words and by
 * each phrase of every question, so there may be more in all. Equal scores in an order of their own, so that the same question
 * has the same answer.
 */
export async function askTables(tables: OpenTables, kind: TableKind, questions: readonly IndexQuestion[]): Promise<FoundRow[]> {
  const found = await findInParts(tables.parts, kind, questions);
  const recent = findInRecent(tables.recent[kind], questions);
  const rows = [...(await readWords(tables.words, found, questions[0])), ...recent];
  return rows.sort((a, b) => b.score - a.score || (a.video < b.video ? -1 : a.video > b.video ? 1 : a.offset - b.offset));
}

async function findInParts(parts: Parts, kind: TableKind, questions: readonly IndexQuestion[]): Promise<ScoredRow[]> {
  const found: ScoredRow[] = [];
  for (const question of questions) found.push(...(await parts.find(kind, question)));
  return bestOfEach(found);
}

function findInRecent(rows: RecentRows | undefined, questions: readonly IndexQuestion[]): FoundRow[] {
  return bestOfEach(questions.flatMap((question) => rows?.find(question) ?? []));
}

function bestOfEach<Row extends ScoredRow>(found: readonly Row[]): Row[] {
  const best = new Map<number, Row>();
  for (const row of found) if (row.score > (best.get(row.offset)?.score ?? -1)) best.set(row.offset, row);
  return [...best.values()];
}

/** About as many words as nearly all passages have. */
const codesOfRow = 160;

async function readWords(
  words: RowWordsReader,
  found: readonly ScoredRow[],
  { room = new CodeRoom(codesOfRow * found.length), work }: Pick<IndexQuestion, 'room' | 'work'> = {},
): Promise<FoundRow[]> {
  const rows: FoundRow[] = [];
  // Words that are not in memory come from the disk, row by row.
  const slice = new SearchTimeSlice(work);
  for (const { offset, score } of found) {
    rows.push({ ...words.read(offset, room), offset, score });
    if (slice.isOver) await slice.next();
  }
  return rows;
}
