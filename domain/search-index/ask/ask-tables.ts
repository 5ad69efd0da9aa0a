import type { FullTextQuery } from '@lancedb/lancedb';
import { SearchTimeSlice } from '../../scheduling/search-time-slice.ts';
import { SearchTimeout } from '../../scheduling/search-timeout.ts';
import { errorMessage } from '../../system/error-message.ts';
import { CodeRoom } from '../code-room.ts';
import type { TableKind } from '../index-tables.ts';
import type { OpenTable, OpenTables } from '../open-tables.ts';
import type { RowWordsReader } from '../read-row-words.ts';
import { rowIdHalves } from '../row-offsets.ts';
import type { FoundRow } from './found-row.ts';
import type { IndexQuestion } from './index-question.ts';
import { conditionSql } from './row-condition.ts';

/**
 * The best rows of a kind, those of the main table and the recent ones mixed by score: its `limit` of each by the words and by
 * each phrase of every question, so there may be more in all. Equal scores in an order of their own, so that the same question
 * has the same answer.
 */
export async function askTables(tables: OpenTables, kind: TableKind, questions: readonly IndexQuestion[]): Promise<FoundRow[]> {
  const { fullTextQueries } = await loadQueries();
  const { main, recent } = tables[kind];
  const held = (question: IndexQuestion, { table }: OpenTable) => (kind === 'heads' ? tables.headWords.heldOf(table, question) : question);
  const asked = main
    ? questions.flatMap((question) => fullTextQueries(held(question, main)).map((query) => askTable(main, { question, query })))
    : [];
  const found = bestOfEach((await Promise.all(asked)).flat());
  const rows = [
    ...(await readWords(tables.words, found, questions[0])),
    ...bestOfEach(questions.flatMap((question) => recent?.find(question) ?? [])),
  ];
  return rows.sort((a, b) => b.score - a.score || (a.video < b.video ? -1 : a.video > b.video ? 1 : a.offset - b.offset));
}

let queries: Promise<typeof import('./index-question.ts')> | undefined;

/** What makes questions for LanceDB, loaded with the first of them: Node takes a tenth of a millisecond to find a module that is there. */
function loadQueries() {
  queries ??= import('./index-question.ts');
  return queries;
}

const askedMaxMs = 2_000;

/** LanceDB has no code for it. */
function throwInOurWords(error: unknown): never {
  throw /timeout/i.test(errorMessage(error)) ? new SearchTimeout(error) : error;
}

type StoredScore = Pick<FoundRow, 'offset' | 'score'>;

function bestOfEach<Row extends StoredScore>(found: readonly Row[]): Row[] {
  const best = new Map<number, Row>();
  for (const row of found) if (row.score > (best.get(row.offset)?.score ?? -1)) best.set(row.offset, row);
  return [...best.values()];
}

/** Row ids cost nothing, columns do: what a row says is read elsewhere. */
async function askTable(
  { table, offsets }: OpenTable,
  { question, query }: { question: IndexQuestion; query: FullTextQuery },
): Promise<StoredScore[]> {
  const asked = table.query().fullTextSearch(query).select(['_rowid', '_score']).limit(question.limit);
  const condition = question.only && conditionSql(question.only);
  const found = await (condition ? asked.where(condition) : asked).toArrow({ timeoutMs: askedMaxMs }).catch(throwInOurWords);
  const scores = found.getChild('_score')?.toArray();
  const rows = (found.getChild('_rowid')?.data ?? []).flatMap(({ values }) => rowIdsOf(rowIdHalves(values)));
  if (rows.some(({ fragment, row }) => offsets.find(fragment, row) === undefined)) await offsets.read(table);
  return rows.map(({ fragment, row }, n) => {
    const offset = offsets.find(fragment, row);
    if (offset === undefined) throw new Error(`A row of ${table.name} has no offset.`);
    return { offset, score: Number(scores?.[n]) };
  });
}

function rowIdsOf(halves: Uint32Array): { fragment: number; row: number }[] {
  return Array.from({ length: halves.length / 2 }, (_, n) => ({ row: halves[2 * n] ?? 0, fragment: halves[2 * n + 1] ?? 0 }));
}

/** About as many words as nearly all passages have. */
const codesOfRow = 160;

async function readWords(
  words: RowWordsReader,
  found: readonly StoredScore[],
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
