import pg from 'pg';

/** A pool or one connection of it inside a transaction: whatever can run a statement. */
export type Db = pg.Pool | pg.PoolClient;
export type Pool = pg.Pool;

// Counts and sizes fit a double with room to spare; text would make every caller convert.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface DatabaseAddress {
  /** A `postgres://` address, or a socket folder with user, password and database. */
  readonly connectionString?: string;
  readonly host?: string;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
}

/** Opens a pool; `maxConnections` defaults to 10. Waiting for a connection longer than 2 s throws. */
export function openPool(address: DatabaseAddress, options: { maxConnections?: number } = {}): pg.Pool {
  const pool = new pg.Pool({
    ...address,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: 2_000,
    allowExitOnIdle: true,
  });
  // A connection that breaks (database restarted) is replaced on the next use, and whoever holds it hears of it by its next
  // query; unheard, the event would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
export async function inTransaction<T>(pool: pg.Pool, work: (db: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    );
    throw error;
  }
}
