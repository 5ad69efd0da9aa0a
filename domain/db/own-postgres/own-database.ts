import pg from 'pg';
import { errorCode } from '../error-code.ts';
import { sql } from '../sql.ts';
import type { PgLogin } from './local-pg.ts';
import { applicationRole, superuser } from './pg-passwords.ts';

const takeoverLock = 728_374_004;

/**
 * Makes `database` if it is missing, and the application's role the owner of it and of every object in it that the superuser owns, one
 * after the other: being killed half way leaves the rest to the next call.
 */
export async function ownDatabase(server: PgLogin, database: string): Promise<void> {
  await withClient({ ...server, database: 'postgres' }, (client) => createDatabase(client, database));
  await withClient({ ...server, database }, async (client) => {
    // The lock ends with the connection.
    await client.query(sql`select pg_advisory_lock(${takeoverLock})`);
    for (const statement of await takeoverStatements(client)) await client.query(statement);
  });
}

/** What is left to be done, in order: schemas before what lies in them. */
export async function takeoverStatements(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(sql`
    with superuser as (select oid from pg_roles where rolname = ${superuser}),
    ours as (
      select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
    ),
    -- what an extension brought stays the extension's
    brought as (select classid, objid from pg_depend where deptype = 'e')
    select format('alter schema %I owner to', nspname) as statement, 1 as turn
    from pg_namespace where oid in (select oid from ours) and nspowner in (table superuser)
    union all
    select format('alter %s %I.%I owner to',
      case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' when 'f' then 'foreign table'
        when 'c' then 'type' else 'table' end, nspname, relname), 2
    from pg_class c join ours on ours.oid = relnamespace
    where relowner in (table superuser) and relkind in ('r', 'p', 'v', 'm', 'S', 'f', 'c')
      and ('pg_class'::regclass, c.oid) not in (table brought)
      -- a column's own sequence follows its table
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and relkind = 'S'
        and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i'))
    union all
    select format('alter routine %s owner to', p.oid::regprocedure), 3
    from pg_proc p join ours on ours.oid = pronamespace
    where proowner in (table superuser) and ('pg_proc'::regclass, p.oid) not in (table brought)
    union all
    select format('alter type %I.%I owner to', nspname, typname), 4
    from pg_type t join ours on ours.oid = typnamespace
    where typowner in (table superuser) and typtype in ('e', 'd', 'r') and ('pg_type'::regclass, t.oid) not in (table brought)
    order by turn, statement`);
  return rows.map(({ statement }) => `${statement} ${applicationRole}`);
}

async function createDatabase(client: pg.Client, database: string): Promise<void> {
  const name = client.escapeIdentifier(database);
  const found = await client.query<{ owner: string }>(
    sql`select pg_get_userbyid(datdba) as owner from pg_database where datname = ${database}`,
  );
  if (found.rows[0]?.owner === applicationRole) return;
  try {
    if (!found.rowCount) await client.query(`create database ${name} owner ${applicationRole}`);
    else await client.query(`alter database ${name} owner to ${applicationRole}`);
  } catch (error) {
    // 42P04: it exists; 23505, XX000: another process is doing the same this moment.
    if (!['42P04', '23505', 'XX000'].includes(errorCode(error))) throw error;
  }
}

async function withClient(address: PgLogin & { database: string }, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(address);
  client.on('error', () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
