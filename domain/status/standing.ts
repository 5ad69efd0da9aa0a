/*
 * How the archive stands: queues, index, database and store here, which processes live in processes.
 * canary is the film that an access check plants, notices are the mails that are due.
 */

import type { PoolClient } from 'pg';
import type { DatabaseStanding, IndexStanding, WorkQueue } from '#contract/status.ts';
import { type Db, openPool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { FileStore } from '../files/store.ts';
import { StoreAway } from '../files/store-away.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { countJobs } from '../jobs/ingest-queue.ts';
import { inTime } from '../scheduling/in-time.ts';
import { errorCodeOf } from '../system/error-code.ts';
import { errorMessageOf } from '../system/error-message.ts';

interface QueueRow {
  readonly name: WorkQueue['name'];
  readonly waiting: number;
  readonly working: number;
  readonly oldestAt: Date | null;
}

/** What waits: films to be made playable, to be understood, and to be found as they are now. */
export async function readQueues(db: Db): Promise<WorkQueue[]> {
  const names: WorkQueue['name'][] = ['playable', 'understood', 'index'];
  const found = [...(await countJobs(db)), ...(await countIndexQueue(db))];
  return names.map((name) => {
    const row = found.find((one) => one.name === name) ?? { name, waiting: 0, working: 0, oldestAt: null };
    return { ...row, oldestAt: row.oldestAt?.toISOString() ?? null };
  });
}

async function countIndexQueue(db: Db): Promise<QueueRow[]> {
  const { rows } = await db.query<QueueRow>(sql`
    select 'index' as name, count(*)::int as waiting, 0 as working, min(modified_at) as "oldestAt"
      from videos where state = 'Processed' and indexed_revision <> revision`);
  return rows;
}

/** How the database itself stands, as far as the archive's role may see it. */
export async function readDatabase(db: Db): Promise<DatabaseStanding> {
  const { rows } = await db.query<Omit<DatabaseStanding, 'standbys'>>(sql`
    select current_setting('server_version') as version, case when pg_is_in_recovery() then 'standby' else 'primary' end as role,
           pg_database_size(current_database()) as "sizeBytes",
           (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
           current_setting('max_connections')::int as "connectionsMax",
           case when pg_is_in_recovery() and pg_last_wal_receive_lsn() is distinct from pg_last_wal_replay_lsn()
                then extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 end as "lagSeconds"`);
  const { rows: standbys } = await db.query<DatabaseStanding['standbys'][number]>(sql`
    select coalesce(nullif(application_name, ''), host(client_addr), 'a standby') as name, coalesce(state, 'not told to this role') as state,
           extract(epoch from replay_lag)::float8 as "lagSeconds"
      from pg_stat_replication order by 1`);
  const [standing] = rows;
  if (!standing) throw new Error('The database told nothing of itself.');
  return { ...standing, standbys };
}

/** Which version of the index counts, and how far it is where one is made. */
export async function readIndexStanding(db: Db): Promise<IndexStanding> {
  const { rows } = await db.query<Omit<IndexStanding, 'is'> & { hasState: boolean }>(sql`
    select batch, state is not null as "hasState", built_percent as "builtPercent",
           (select count(*)::int from videos where state = 'Processed' and indexed_revision >= 0) as films
      from search_index`);
  const { hasState, ...standing } = rows[0] ?? { batch: 0, hasState: false, builtPercent: null, films: 0 };
  return { ...standing, is: hasState && standing.builtPercent === null ? 'ready' : 'building' };
}

/** Questions under way: a store that does not answer is not asked once more by everybody who looks. */
const asked = new WeakMap<FileStore, Promise<string | null>>();

/** Why the store of media cannot be used; null where it can. One small question; never throws, and waits no longer than told. */
export async function lookAtStore(store: FileStore, withinMs: number): Promise<string | null> {
  const answer = asked.get(store) ?? askStore(store).finally(() => asked.delete(store));
  asked.set(store, answer);
  return await inTime(answer, withinMs, `it did not answer within ${withinMs / 1_000} s`).catch(errorMessageOf);
}

async function askStore(store: FileStore): Promise<string | null> {
  try {
    // A list, also of nothing, tells a bucket that is gone from a film that is not there.
    await store.list(toVideoKeys('0000000000').all)[Symbol.asyncIterator]().next();
    return null;
  } catch (error) {
    return error instanceof StoreAway ? error.reason : errorMessageOf(error);
  }
}

/** What a database of one's own comes to, before anything is opened or changed in it. */
type DatabaseLook =
  | { readonly is: 'away' | 'refusing' | 'without database'; readonly reason: string }
  | { readonly is: 'too old'; readonly version: string }
  | { readonly is: 'standby' }
  | { readonly is: 'without rights'; readonly role: string; readonly lacks: string }
  | { readonly is: 'usable'; readonly version: string };

const oldestVersion = 150_000;

/** Looks whether the archive could work on this database. Never throws. */
export async function lookAtDatabase(databaseUrl: string): Promise<DatabaseLook> {
  const pool = openPool({ connectionString: databaseUrl }, { maxConnections: 1 });
  try {
    const { rows: versions } = await pool.query<{ number: number; version: string }>(sql`
      select current_setting('server_version_num')::int as number, current_setting('server_version') as version`);
    const { number = 0, version = 'unknown' } = versions[0] ?? {};
    if (Number(number) < oldestVersion) return { is: 'too old', version };
    const { rows } = await pool.query<{ role: string; isStandby: boolean; makesTables: boolean; ownsTables: boolean }>(sql`
      select current_user as role, pg_is_in_recovery() as "isStandby",
             has_schema_privilege('public', 'CREATE') and has_database_privilege(current_database(), 'CREATE') as "makesTables",
             not exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
                          where n.nspname = 'public' and c.relname in ('videos', 'users', 'migrations')
                            and not pg_has_role(c.relowner, 'USAGE')) as "ownsTables"`);
    const [standing] = rows;
    if (!standing || standing.isStandby) return { is: 'standby' };
    if (!standing.makesTables) return { is: 'without rights', role: standing.role, lacks: 'may not make tables and schemas' };
    if (!standing.ownsTables) return { is: 'without rights', role: standing.role, lacks: 'does not own the archive’s tables' };
    return { is: 'usable', version };
  } catch (error) {
    const code = errorCodeOf(error);
    const is = code === '3D000' ? 'without database' : code.startsWith('28') ? 'refusing' : 'away';
    return { is, reason: errorMessageOf(error) || code };
  } finally {
    await pool.end();
  }
}

/**
 * Whether an address leads to a pooler that gives out sessions by transaction: two connections that are open at once are the same
 * session of the database there, or one of them is now this and now that. False also where it does not answer; never throws.
 */
export async function sharesSessions(databaseUrl: string): Promise<boolean> {
  const pool = openPool({ connectionString: databaseUrl }, { maxConnections: 2 });
  const clients: PoolClient[] = [];
  const sessionOf = async (client: PoolClient) => (await client.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)).rows[0]?.pid;
  try {
    const [first, second] = [await pool.connect(), await pool.connect()];
    clients.push(first, second);
    const [ofFirst, ofSecond] = [await sessionOf(first), await sessionOf(second)];
    return ofFirst === ofSecond || (await sessionOf(first)) !== ofFirst || (await sessionOf(second)) !== ofSecond;
  } catch {
    return false;
  } finally {
    for (const client of clients) client.release(true);
    await pool.end();
  }
}
