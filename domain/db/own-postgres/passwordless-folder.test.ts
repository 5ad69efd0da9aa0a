import { copyFileSync, cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePasswordlessFolder } from '#testing/passwordless-folder.ts';
import { openJobQueue } from '../../jobs/job-queue.ts';
import { listen } from '../listen.ts';
import { findTakeoverStatements, type OpenDatabase, openDatabase } from '../open-database.ts';
import { startLocalPg } from './local-pg.ts';
import { keepPasswords, sealCluster } from './pg-passwords.ts';
import { makePgPlace } from './pg-place.ts';

const scratch = mkdtempSync(join(tmpdir(), 'rushes-older-'));
const made = join(scratch, 'made');

beforeAll(() => makePasswordlessFolder(made));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

type Stop = (dataFolder: string) => Promise<void> | void;

/** How far the take-over had come when it was killed. */
const stops: [reached: string, stop: Stop][] = [
  ['nothing', () => {}],
  ['the passwords', (dataFolder) => void keepPasswords(join(dataFolder, 'pg'))],
  ['half a file of passwords', (dataFolder) => writeFileSync(join(dataFolder, 'pg', 'passwords.json'), '{"superuser":')],
  ['the roles', sealWithoutDoor],
  ['the door', seal],
  ['half of the objects', ownHalf],
];

test.each(stops)(
  'a folder that had no passwords is taken over in place, also after being killed when it had come to %s',
  {
    timeout: 120_000,
  },
  async (reached, stop) => {
    const dataFolder = join(scratch, reached.replaceAll(' ', '-'));
    cpSync(made, dataFolder, { recursive: true });
    await stop(dataFolder);
    const database = await openDatabase({ dataFolder, tied: true });
    try {
      await expectTakenOver(database);
      await expectClosedDoor(database);
      await expectWork(database);
      expect(statSync(join(dataFolder, 'pg', 'passwords.json')).mode & 0o777).toBe(0o600);
    } finally {
      await database.close();
    }
  },
);

test('a folder that has lost its passwords gets new ones, and keeps everything', async () => {
  const dataFolder = join(scratch, 'lost');
  cpSync(made, dataFolder, { recursive: true });
  await (await openDatabase({ dataFolder, tied: true })).close();
  rmSync(join(dataFolder, 'pg', 'passwords.json'));
  const database = await openDatabase({ dataFolder, tied: true });
  await expectClosedDoor(database);
  expect((await database.pool.query('select name from videos')).rows).toEqual([{ name: 'Old film' }]);
  await database.close();
});

function seal(dataFolder: string): void {
  const place = makePgPlace(join(dataFolder, 'pg'), { tied: false });
  sealCluster(place.dataFolder, place);
}

function sealWithoutDoor(dataFolder: string): void {
  const door = join('pg', 'pg18', 'pg_hba.conf');
  seal(dataFolder);
  copyFileSync(join(made, door), join(dataFolder, door));
}

async function ownHalf(dataFolder: string): Promise<void> {
  const server = await startLocalPg(join(dataFolder, 'pg'), { tied: true });
  const client = new pg.Client({ ...server.superuser, database: 'rushes' });
  await client.connect();
  const statements = await findTakeoverStatements(client);
  expect(statements.length).toBeGreaterThan(30);
  for (const statement of statements.slice(0, statements.length / 2)) await client.query(statement);
  await client.end();
  await server.stop();
}

async function expectTakenOver({ pool }: OpenDatabase): Promise<void> {
  const { rows } = await pool.query(`select current_user as role, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
    (select pg_get_userbyid(datdba) from pg_database where datname = current_database()) as owner from pg_roles where rolname = current_user`);
  const none = { rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolreplication: false, rolbypassrls: false };
  expect(rows).toEqual([{ role: 'rushes', ...none, owner: 'rushes' }]);
  // The public schema belongs to the owner of the database by a role of PostgreSQL's own.
  const { rows: foreign } = await pool.query(`
    with ours as (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
    select what, name from (
      select 'schema' as what, nspname::text as name, nspowner as owner from pg_namespace where oid in (table ours) and nspname <> 'public'
      union all select 'relation', oid::regclass::text, relowner from pg_class where relnamespace in (table ours)
      union all select 'routine', oid::regprocedure::text, proowner from pg_proc where pronamespace in (table ours)
      union all select 'type', oid::regtype::text, typowner from pg_type where typnamespace in (table ours)) as owned
    where owner <> 'rushes'::regrole`);
  expect(foreign).toEqual([]);
}

async function expectClosedDoor({ address }: OpenDatabase): Promise<void> {
  for (const user of ['app', 'rushes', 'postgres']) {
    for (const password of ['', 'guess']) await expect(connect({ ...address, user, password })).rejects.toThrow(/password/);
  }
  await expect(connect(address, `copy (select 1) to program 'true'`)).rejects.toThrow('permission denied');
  await expect(connect(address, `select pg_read_file('PG_VERSION')`)).rejects.toThrow('permission denied');
  await expect(connect(address, 'create database more')).rejects.toThrow('permission denied');
}

/** What an archive does with its database: changes of its tables, jobs, messages. */
async function expectWork({ pool, address }: OpenDatabase): Promise<void> {
  await pool.query('alter table videos add column more int; create table later (n int); drop table later; alter table parted add m int');
  const queue = await openJobQueue(pool, { onError: () => {} });
  await queue.enqueue('older', { made: 'after' });
  await queue.stop();
  expect((await pool.query(`select data ->> 'made' as made from jobs.job where name = 'older' order by 1`)).rows).toEqual([
    { made: 'after' },
    { made: 'before' },
  ]);
  const listener = await listen(address, 'videos_to_index');
  const heard = listener.next(30_000);
  await pool.query(`select pg_notify('videos_to_index', '')`);
  await heard;
  listener.close();
  expect((await pool.query('select name from videos')).rows).toEqual([{ name: 'Old film' }]);
}

async function connect(address: pg.ClientConfig, statement = 'select 1'): Promise<void> {
  const client = new pg.Client(address);
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end().catch(() => {});
  }
}
