import type { QueryResultRow } from 'pg';
import type { Pool } from '../../db/database.ts';
import type { Statement } from '../../db/sql.ts';
import { askInTime, statementMaxMs } from '../search-statement.ts';

/** The network has this much longer than the server. */
const graceMs = 1_000;

/**
 * The rows of a statement that may have to look at every video. After 2 s the server itself ends it, so that nothing goes on
 * for a visitor who has had their answer; then it throws `SearchTimeout`.
 */
export async function listRows<T extends QueryResultRow>(pool: Pool, statement: Statement): Promise<T[]> {
  const client = await pool.connect();
  try {
    // Compiling such a statement takes longer than what it saves.
    await client.query(`begin read only; set local statement_timeout = ${statementMaxMs}; set local jit = off`);
    const { rows } = await askInTime(statement, (timed) => client.query<T>(timed), statementMaxMs + graceMs);
    await client.query('commit');
    client.release();
    return rows;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
