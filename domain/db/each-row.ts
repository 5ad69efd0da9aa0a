import pg from 'pg';
import type { Pool } from './database.ts';

/**
 * Runs a statement and gives every row to `take` as it comes, so that something is made of one while the database sends the
 * next. Throws as a query does, and what `take` throws; rows that came before are no answer then. `query_timeout` in milliseconds.
 */
export async function eachRow<Row extends pg.QueryResultRow>(
  pool: Pool,
  { query_timeout, ...statement }: pg.QueryConfig & { readonly query_timeout: number },
  take: (row: Row) => void,
): Promise<void> {
  const client = await pool.connect();
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const callback = (error: Error | null | undefined) => (error ? reject(error) : resolve());
  const query = Object.assign(new pg.Query<Row>(statement), { query_timeout, callback });
  query.on('row', (row) => {
    try {
      take(row);
    } catch (error) {
      // Thrown on, it would end the process: nobody stands between this and the socket.
      reject(error);
    }
  });
  try {
    client.query(query);
    await ended;
    client.release();
  } catch (error) {
    // What is still under way on this connection is no answer to anybody.
    client.release(true);
    throw error;
  }
}
