import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '#testing/until.ts';
import { type LocalPg, startLocalPg } from './local-pg.ts';

const folder = mkdtempSync(join(tmpdir(), 'rushes-pg-'));
const pidFile = join(folder, 'pg18', 'postmaster.pid');
let server: LocalPg;

beforeAll(async () => {
  const started = await Promise.all([
    startLocalPg(folder, { tied: true }),
    startLocalPg(folder, { tied: true }),
    startLocalPg(folder, { tied: true }),
  ]);
  server = started[0];
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('three starts at once end with one server that all of them reach', async () => {
  expect(await ask('select 1 as n')).toEqual([{ n: 1 }]);
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
  await expect(startLocalPg(deep)).rejects.toThrow('made by somebody else');
  rmSync(short, { recursive: true });
  symlinkSync(folder, short);
  await expect(startLocalPg(deep)).rejects.toThrow('made by somebody else');
  rmSync(short);
});

function postmaster(): number {
  return Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
}

/** The file is away between two lives of the database. */
function restarted(before: number): boolean {
  return existsSync(pidFile) && postmaster() !== before;
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
