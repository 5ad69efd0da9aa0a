import { limits } from '#contract/limits.ts';
import { type ListedLast, toAfterText } from '#contract/paging-input.ts';
import { type Statement, sql } from './sql.ts';

/** Whether a row with this time and id stands behind that one, in a list of the latest first, and of one time the larger ids; every row stands behind none. */
export function isBehind(after: ListedLast | undefined, row: { readonly at: Statement; readonly id: Statement }): Statement {
  if (!after) return sql`true`;
  return sql`(${row.at}, ${row.id}) < ('epoch'::timestamptz + ${after.atMicroseconds}::float8 * interval '1 microsecond', ${after.id})`;
}

/** As `ListedLast` has it: to the last digit that the database keeps. */
export function microsecondsOf(time: Statement): Statement {
  return sql`(extract(epoch from ${time}) * 1000000)::float8`;
}

/** A piece of a list of films, of rows that were asked for with one more than it holds. */
export function pieceOf<Row extends ListedLast & { readonly total: number }, Film>(
  rows: readonly Row[],
  present: (row: Row) => Film,
): { films: Film[]; total: number; next: string | null } {
  const shown = rows.slice(0, limits.pageSizeMax);
  const last = shown.at(-1);
  return { films: shown.map(present), total: rows[0]?.total ?? 0, next: last && rows.length > shown.length ? toAfterText(last) : null };
}
