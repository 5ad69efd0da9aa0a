import type { QueryResultRow } from 'pg';
import { serverLimits } from '#contract/limits.ts';
import type { Pool } from '../db/database.ts';
import { isUnanswered } from '../db/is-database-away.ts';
import type { Statement } from '../db/sql.ts';
import { SearchTimeout } from '../scheduling/search-timeout.ts';
import { errorCodeOf } from '../system/error-code.ts';

/** PostgreSQL has ended the statement, by `statement_timeout`. */
const cancelled = '57014';

/** Asks the database for a search; the driver waits so long at most. Throws `SearchTimeout` when that was not enough. */
export async function askInTime<T>(
  statement: Statement,
  ask: (timed: Statement & { readonly query_timeout: number }) => Promise<T>,
  withinMs: number = serverLimits.searchStatementMaxMs,
): Promise<T> {
  try {
    return await ask({ ...statement, query_timeout: withinMs });
  } catch (error) {
    const isLate = errorCodeOf(error) === cancelled || isUnanswered(error);
    throw isLate ? new SearchTimeout(error) : error;
  }
}

/**
 * The rows of a statement that may have to look at every video. After 2 s the server itself ends it, so that nothing goes on
 * for a visitor who has had their answer; then it throws `SearchTimeout`.
 */
export async function listRows<T extends QueryResultRow>(pool: Pool, statement: Statement): Promise<T[]> {
  const client = await pool.connect();
  try {
    // Compiling such a statement takes longer than what it saves.
    await client.query(`begin read only; set local statement_timeout = ${serverLimits.searchStatementMaxMs}; set local jit = off`);
    const { rows } = await askInTime(
      statement,
      (timed) => client.query<T>(timed),
      serverLimits.searchStatementMaxMs + serverLimits.searchStatementGraceMs,
    );
    await client.query('commit');
    client.release();
    return rows;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
