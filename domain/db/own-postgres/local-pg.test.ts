import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { until } from '#testing/until.ts';
import { type LocalPg, startLocalPg } from './local-pg.ts';

const scratch = mkdtempSync(join(tmpdir(), 'rushes-pg-'));
const folder = join(scratch, 'pg');
let server: LocalPg;
/** Elsewhere there are no namespaces, and PostgreSQL's own lock file is what counts. */
const onLinux = test.skipIf(process.platform !== 'linux');

beforeAll(async () => {
  vi.stubEnv('RUSHES_SECRETS_KEY', 'a key that opens all tokens');
  const started = await Promise.all([
    startLocalPg(folder, { tied: true }),
    startLocalPg(folder, { tied: true }),
    startLocalPg(folder, { tied: true }),
  ]);
  server = started[0];
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
});

test('three starts at once end with one server that all of them reach', async () => {
  expect(await ask('select 1 as n')).toEqual([{ n: 1 }]);
});

onLinux('a database is told nothing of the archive’s settings', () => {
  const environment = readFileSync(`/proc/${postmaster()}/environ`, 'latin1');
  expect(environment).toContain('PATH=');
  expect(environment).not.toMatch(/RUSHES_/);
});

test('a database that is killed comes back by itself with everything that was committed', async () => {
  await ask('create table kept (n int)');
  await ask('insert into kept values (7)');
  server.keepRunning();
  const before = postmaster();
  process.kill(before, 'SIGKILL');
  await until(() => restarted(before));
  await until(async () => (await ask('select n from kept').catch(() => [])).length === 1);
});

test('a socket folder that others could write into, or a link, is not trusted', async () => {
  const deep = join(folder, 'x'.repeat(90));
  const short = join(tmpdir(), `rushes-${createHash('sha256').update(deep).digest('hex').slice(0, 12)}`);
  mkdirSync(short);
  chmodSync(short, 0o777);
  await expect(startLocalPg(deep)).rejects.toThrow('created by another user');
  rmSync(short, { recursive: true });
  symlinkSync(folder, short);
  await expect(startLocalPg(deep)).rejects.toThrow('created by another user');
  rmSync(short);
});

onLinux('a folder that somebody holds who does not answer is told, and nothing is made in it; freed, it is used', async () => {
  const held = join(scratch, 'held');
  mkdirSync(held);
  const holder = spawn('flock', [held, '-c', 'echo held; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  await once(holder.stdout, 'data');
  await expect(startLocalPg(held, { tied: true, patienceMs: 1_000 })).rejects.toThrow(
    /^Another process, perhaps in another container, is using the database in .+ and does not answer at .+: stop it/,
  );
  expect(existsSync(join(held, 'pg18'))).toBe(false);
  const waiting = startLocalPg(held, { tied: true });
  process.kill(-(holder.pid ?? 0), 'SIGKILL');
  await (await waiting).stop();
});

onLinux('no second database starts while a process of the first one lives, its postmaster killed or not', async () => {
  const orphaned = join(scratch, 'orphaned');
  const first = await startLocalPg(orphaned, { tied: true });
  const client = new pg.Client({ ...first.superuser, database: 'postgres' });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const backend = rows[0]?.pid ?? 0;
  process.kill(backend, 'SIGSTOP');
  process.kill(postmaster(orphaned), 'SIGKILL');
  // What PostgreSQL itself goes by is gone, as it is for one in another container.
  rmSync(pidFileOf(orphaned));
  await expect(startLocalPg(orphaned, { tied: true, patienceMs: 1_000 })).rejects.toThrow('Another process, perhaps in another container');
  process.kill(backend, 'SIGCONT');
  await (await startLocalPg(orphaned, { tied: true })).stop();
  await client.end().catch(() => {});
});

onLinux('a number in postmaster.pid that is another process by now stops nothing, and is not stopped', async () => {
  const renumbered = join(scratch, 'renumbered');
  const first = await startLocalPg(renumbered, { tied: true });
  const files = [pidFileOf(renumbered), join(renumbered, '.s.PGSQL.5432.lock')];
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  const other = spawn('sleep', ['600'], { stdio: 'ignore' });
  await first.stop();
  for (const [n, file] of files.entries()) writeFileSync(file, (texts[n] ?? '').replace(/^\d+/, String(other.pid)));
  await first.stop();
  expect(other.exitCode ?? other.signalCode).toBeNull();
  const second = await startLocalPg(renumbered, { tied: true, patienceMs: 20_000 });
  await second.stop();
  expect(other.exitCode ?? other.signalCode).toBeNull();
  other.kill();
});

test('a folder with a newer or only an older PostgreSQL is refused, and no empty one is put beside', async () => {
  const other = join(scratch, 'other');
  mkdirSync(join(other, 'pg19'), { recursive: true });
  await expect(startLocalPg(other)).rejects.toThrow('a PostgreSQL 19 database, which this version of Rushes cannot read: start the newer');
  rmSync(join(other, 'pg19'), { recursive: true });
  mkdirSync(join(other, 'pg17'));
  await expect(startLocalPg(other)).rejects.toThrow('a PostgreSQL 17 database, and this version of Rushes needs 18: make a backup');
  expect(existsSync(join(other, 'pg18'))).toBe(false);
});

test('where a database must not be made, the reason is told and none is made', async () => {
  const forbidden = join(scratch, 'forbidden');
  const mayInitialise = () => Promise.reject(new Error('for a reason'));
  await expect(startLocalPg(forbidden, { mayInitialise })).rejects.toThrow('for a reason');
  expect(existsSync(join(forbidden, 'pg18'))).toBe(false);
});

function postmaster(of = folder): number {
  return Number(readFileSync(pidFileOf(of), 'utf8').split('\n')[0]);
}

function pidFileOf(of: string): string {
  return join(of, 'pg18', 'postmaster.pid');
}

/** The file is away, or empty, between two lives of the database. */
function restarted(before: number): boolean {
  try {
    return ![0, before].includes(postmaster());
  } catch {
    return false;
  }
}

async function ask(text: string): Promise<unknown[]> {
  const client = new pg.Client({ ...server.superuser, database: 'postgres' });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
