import { errorCode } from '../db/error-code.ts';
import { isUnanswered } from '../db/is-database-away.ts';
import type { Statement } from '../db/sql.ts';
import { SearchTimeout } from '../scheduling/search-timeout.ts';

/** Nobody waits longer for one statement of a search. */
export const statementMaxMs = 2_000;

/** PostgreSQL has ended the statement, by `statement_timeout`. */
const cancelled = '57014';

/** Asks the database for a search; the driver waits so long at most. Throws `SearchTimeout` when that was not enough. */
export async function askInTime<T>(
  statement: Statement,
  ask: (timed: Statement & { readonly query_timeout: number }) => Promise<T>,
  withinMs: number = statementMaxMs,
): Promise<T> {
  try {
    return await ask({ ...statement, query_timeout: withinMs });
  } catch (error) {
    const isLate = errorCode(error) === cancelled || isUnanswered(error);
    throw isLate ? new SearchTimeout(error) : error;
  }
}
