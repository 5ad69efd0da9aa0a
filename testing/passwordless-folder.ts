import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseAddress, openPool, type Pool } from '#domain/db/database.ts';
import { migrate } from '#domain/db/migrate.ts';
import { findPostgresBinaries } from '#domain/db/postgres-processes.ts';
import { openJobQueue } from '#domain/jobs/job-queue.ts';
import { until } from './until.ts';

/**
 * Makes a data folder as archives were made before their PostgreSQL had passwords: everybody is let in, and the superuser `app` owns
 * everything. It has a video, a job, and an object of every kind that can be owned.
 */
export async function makePasswordlessFolder(dataFolder: string): Promise<void> {
  const folder = join(dataFolder, 'pg');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const flags = ['-U', 'app', '--auth=trust', '-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const [initdb = '', ...initdbArgs] = asOrdinaryUser('initdb', ['-D', join(folder, 'pg18'), ...flags]);
  const made = spawnSync(initdb, initdbArgs, { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr);
  await whileServed(folder, async () => {
    const address = { host: folder, user: 'app' };
    await withPool({ ...address, database: 'postgres' }, (pool) => pool.query('create database rushes').then(() => {}));
    await withPool({ ...address, database: 'rushes' }, fill);
  });
}

async function fill(pool: Pool): Promise<void> {
  await migrate(pool);
  const queue = await openJobQueue(pool, { onError: () => {} });
  await queue.enqueue('older', { made: 'before' });
  await queue.stop();
  await pool.query(`insert into videos (id, name, origin, content_hash) values ('00000000aa', 'Old film', 'catalogue', repeat('a', 64))`);
  await pool.query(`create schema "its Own"; create table "its Own"."A Table" (n serial, m int generated always as identity);
    create view seen as select 1 as one; create materialized view kept as select 1 as one; create sequence counted;
    create type mood as enum ('well'); create domain small as int check (value < 10); create type pair as (a int, b int);
    create type span as range (subtype = float8); create procedure did(n int) language sql as 'select 1';
    create aggregate added(int) (sfunc = int4pl, stype = int);
    create table parted (n int) partition by range (n); create table part partition of parted for values from (1) to (9)`);
}

async function whileServed(folder: string, work: () => Promise<void>): Promise<void> {
  const args = ['-D', join(folder, 'pg18'), '-k', folder, '-c', 'listen_addresses='];
  const [command = '', ...rest] = asOrdinaryUser('postgres', args);
  const server = spawn(command, rest, { stdio: 'ignore' });
  const gone = once(server, 'exit');
  try {
    await until(() =>
      withPool({ host: folder, user: 'app', database: 'postgres' }, (pool) => pool.query('select 1').then(() => {})).then(
        () => true,
        () => false,
      ),
    );
    await work();
  } finally {
    server.kill('SIGINT');
    await gone;
  }
}

async function withPool(address: DatabaseAddress, work: (pool: Pool) => Promise<void>): Promise<void> {
  const pool = openPool(address);
  await work(pool).finally(() => pool.end());
}

/** PostgreSQL refuses to run as root. */
function asOrdinaryUser(program: string, args: string[]): string[] {
  const namespace = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=65534', '--map-group=65534'] : [];
  return [...namespace, join(findPostgresBinaries(), program), ...args];
}
