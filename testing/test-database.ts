import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type DatabaseAddress, openPool, type Pool } from '#domain/db/database.ts';
import { migrate } from '#domain/db/migrate.ts';
import { type LocalPg, type PgLogin, startLocalPg } from '#domain/db/own-postgres/local-pg.ts';

export interface TestDatabase {
  readonly name: string;
  readonly pool: Pool;
  readonly address: DatabaseAddress;
  /** The same address as text, for a child process. */
  readonly url: string;
  drop(): Promise<void>;
}

const templateLock = 728_374_002;

/** A fresh, migrated database of its own: cloned from a template in the tests' PostgreSQL, so that any number of tests run at once. */
export function createTestDatabase(): Promise<TestDatabase> {
  return cloneDatabase();
}

/** The same from another database of the tests' PostgreSQL (nobody may be connected to it), default the empty template. */
export async function cloneDatabase(source?: string): Promise<TestDatabase> {
  const { application, superuser } = await testServer();
  const name = `t_${randomBytes(8).toString('hex')}`;
  await withMaintenance(superuser, async (client) => {
    await client.query('select pg_advisory_lock($1)', [templateLock]);
    const template = source ?? (await ensureTemplate(client, application));
    await client.query(`create database ${name} template ${template} owner ${application.user}`);
    await client.query('select pg_advisory_unlock($1)', [templateLock]);
  });
  const address = { ...application, database: name };
  const pool = openPool(address);
  return {
    name,
    pool,
    address,
    url: `postgres://${application.user}:${application.password}@localhost/${name}?host=${encodeURIComponent(application.host)}`,
    drop: async () => {
      await pool.end();
      await withMaintenance(superuser, (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}

/** The PostgreSQL of the tests: databases are made as its superuser, and used as the role that an archive works as. */
async function testServer(): Promise<LocalPg> {
  const folder = process.env.RUSHES_TEST_PG ?? join(tmpdir(), `rushes-test-pg-${process.getuid?.() ?? 0}`);
  return await startLocalPg(folder);
}

/** One template per set of migrations, named by their content, so that a changed file is never met by an old template. */
async function ensureTemplate(client: pg.Client, application: PgLogin): Promise<string> {
  const { createHash } = await import('node:crypto');
  const { readdirSync, readFileSync } = await import('node:fs');
  const folder = join(import.meta.dirname, '..', 'domain', 'db', 'migrations');
  const hash = createHash('sha256');
  for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(join(folder, file)));
  const template = `template_${hash.digest('hex').slice(0, 16)}`;
  const found = await client.query('select 1 from pg_database where datname = $1', [template]);
  if (found.rowCount) return template;
  const unfinished = `${template}_new`;
  await client.query(`drop database if exists ${unfinished}`);
  await client.query(`create database ${unfinished} owner ${application.user}`);
  const pool = openPool({ ...application, database: unfinished });
  await migrate(pool);
  await pool.end();
  await client.query(`alter database ${unfinished} rename to ${template}`);
  return template;
}

async function withMaintenance<T>(superuser: PgLogin, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...superuser, database: 'postgres' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
