/*
 * The database: the pool and its transactions here, statements in sql, changes of its shape in migrations.
 * own-postgres runs one for archives that name none; is-database-away and retries are for when it does not answer.
 */
import pg from 'pg';
import { serverLimits } from '#contract/limits.ts';
import { isUnanswered } from './is-database-away.ts';

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

const addresses = new WeakMap<pg.Pool, DatabaseAddress>();
const directs = new WeakMap<pg.Pool, pg.Pool>();
const behindPoolers = new WeakSet<pg.Pool>();

/** The address of the database itself, for a process of its own that works on the same one, and for whoever listens to it. */
export function addressOf(pool: pg.Pool): DatabaseAddress {
  const address = addresses.get(directOf(pool));
  if (!address) throw new Error('The pool was not opened by openPool.');
  return address;
}

/**
 * The pool for what belongs to a session, such as locks that a connection holds, and for what may take its time: the same, unless that
 * one leads through a pooler, where the next statement may be run by another session, or gives up on statements that get no answer.
 */
export function directOf(pool: pg.Pool): pg.Pool {
  return directs.get(pool) ?? pool;
}

/**
 * What PostgreSQL does for a machine that is gone and says nothing: after 25 s its sessions end, and give back what they had locked; a
 * statement that nobody waits for any more ends within 5 s. Over a socket of the same machine nothing needs it, and most of it means nothing.
 * Said as a statement, for poolers refuse it as an option of the connection.
 */
const endsWhenGone =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3; set tcp_user_timeout = 25000; set client_connection_check_interval = 5000';

interface PoolOptions {
  readonly maxConnections?: number | undefined;
  /** The way past a pooler, where `address` leads to one. */
  readonly direct?: DatabaseAddress | undefined;
  /** How long a statement may take, in milliseconds; one that takes longer throws, and its connection is closed. Without it, as long as it will. */
  readonly answerWithinMs?: number | undefined;
}

/** A database that does not know one of these settings goes on without them. */
async function beginSession(client: pg.ClientBase): Promise<void> {
  const statement = { text: endsWhenGone, query_timeout: serverLimits.databaseConnectsWithinMs };
  await client.query(statement).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError)) throw new Error('Connection terminated due to connection timeout', { cause: error });
  });
}

/** Opens a pool; `maxConnections` defaults to 10. Waiting for a connection longer than 2 s throws. */
export function openPool(address: DatabaseAddress, options: PoolOptions = {}): pg.Pool {
  const settings = {
    ...address,
    max: options.maxConnections ?? 10,
    query_timeout: options.answerWithinMs,
    connectionTimeoutMillis: serverLimits.databaseConnectsWithinMs,
    allowExitOnIdle: true,
    // A machine that is gone says nothing: only asking tells.
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    // Of a pooler's sessions nobody knows whose they are next.
    ...(options.direct ? {} : { onConnect: beginSession }),
  };
  const pool = new pg.Pool(settings);
  // A connection that breaks (database restarted) is replaced on the next use, and whoever holds it hears of it by its next
  // query; unheard, the event would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  addresses.set(pool, address);
  if (options.direct) behindPoolers.add(pool);
  if (options.direct || options.answerWithinMs) directs.set(pool, openPool(options.direct ?? address));
  return pool;
}

/** Closes a pool, and the one beside it for sessions. */
export async function closePool(pool: pg.Pool): Promise<void> {
  await Promise.all([...new Set([pool, directOf(pool)])].map((one) => one.end()));
}

/** Runs `work` in one transaction: committed when it returns, rolled back when it throws. It is part of the one that `db` is in already, where it is a connection. */
export async function inTransaction<T>(db: Db, work: (db: pg.PoolClient) => Promise<T>): Promise<T> {
  if ('release' in db) return await work(db);
  const client = await db.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // Nothing else is answered before what is still under way; without its connection the transaction ends as well.
    if (isUnanswered(error)) client.release(true);
    else
      await client.query('rollback').then(
        () => client.release(),
        (broken: Error) => client.release(broken),
      );
    throw error;
  }
}

/** Whether the database answers at this moment; waits no longer for that than for a connection. */
export function answersQueries(pool: Pool): Promise<boolean> {
  const statement = { text: 'select 1', query_timeout: serverLimits.databaseConnectsWithinMs };
  return pool.query(statement).then(
    () => true,
    () => false,
  );
}

/**
 * Runs a statement and gives every row to `take` as it comes, so that something is made of one while the database sends the
 * next. A pooler knows no named statements: none goes there. Throws as a query does, and what `take` throws; rows that came before are no answer then. `query_timeout` in milliseconds.
 */
export async function eachRow<Row extends pg.QueryResultRow>(
  pool: Pool,
  { query_timeout, name, ...statement }: pg.QueryConfig & { readonly query_timeout: number },
  take: (row: Row) => void,
): Promise<void> {
  const client = await pool.connect();
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const callback = (error: Error | null | undefined) => (error ? reject(error) : resolve());
  const asArrays = { ...statement, rowMode: 'array', ...(name && !behindPoolers.has(pool) ? { name } : {}) };
  const query = Object.assign(new pg.Query<unknown[]>(asArrays), { query_timeout, callback });
  let names: readonly string[] | undefined;
  query.on('row', (values, result) => {
    names ??= result?.fields.map((column) => reuseText(column.name)) ?? [];
    try {
      take(rowOf<Row>(names, values));
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

/** The row that these values make: the driver itself looks for every name anew in every row, as it reads them anew from each answer. */
function rowOf<Row extends pg.QueryResultRow>(names: readonly string[], values: readonly unknown[]): Row {
  const row: pg.QueryResultRow = {};
  for (let n = 0; n < names.length; n++) row[names[n] ?? ''] = values[n];
  return row as Row;
}

const texts = new Map<string, string>();

/** One and the same text for a column's name, which comes anew with every answer. */
function reuseText(name: string): string {
  const known = texts.get(name);
  if (known !== undefined) return known;
  texts.set(name, name);
  return name;
}
