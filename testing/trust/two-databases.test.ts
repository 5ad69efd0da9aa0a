import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { startLocalPg } from '#domain/db/own-postgres/local-pg.ts';
import { putReport } from '../put-report.ts';
import { until } from '../until.ts';
import { wantsWholeCorpus } from '../whole-corpus.ts';

const check = 'two-databases';
const rounds = wantsWholeCorpus ? 20 : 2;
const longestStartMs = 45_000;
const part = join(import.meta.dirname, 'two-databases-part.ts');
/** What two containers have apart; who is root already needs no user namespace for it. */
const apart = [...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']), '--pid', '--ipc', '--fork', '--kill-child'];
const scratch = mkdtempSync(join(tmpdir(), 'rushes-two-'));
const folder = join(scratch, 'pg');

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('two containers that start on one data folder at the same moment end with one database, which keeps what both wrote', {
  timeout: rounds * 60_000,
}, async ({ task, skip }) => {
  const tried = spawnSync('unshare', [...apart, '--mount-proc', 'true']);
  if (tried.status !== 0) {
    const why = 'namespaces are not allowed here (unshare --pid --ipc)';
    putReport(task, { check, skipped: why });
    skip(why);
  }
  await countKept([]);
  let both = 0;
  let round = 0;
  // After such a round there may be no sound folder to go on with.
  while (round < rounds && both === 0) {
    round += 1;
    both += (await startBoth(round)) ? 1 : 0;
  }
  putReport(task, { check, rounds: round, both });
  expect(both).toBe(0);
});

/** Whether two servers were met, or something could not be written or is gone; both parts are killed, and all that they started. */
async function startBoth(round: number): Promise<boolean> {
  const names = [`${round} first`, `${round} second`];
  const beginsAt = String(Date.now() + 400);
  const containers = names.map((name) =>
    spawn('unshare', [...apart, '--mount-proc', process.execPath, part, folder, name, beginsAt], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  try {
    const written = await Promise.all(containers.map(untilWritten));
    const met = postmasters().length;
    await endAll(containers);
    return met > 1 || written.includes(false) || (await countKept(names).catch(() => 0)) < names.length;
  } finally {
    await endAll(containers);
  }
}

/** False for a part that ended before it had written, or hangs. */
async function untilWritten(container: ChildProcess): Promise<boolean> {
  const written = once(container.stdout ?? container, 'data').then(() => true);
  const ended = once(container, 'exit').then(() => false);
  const patience = new AbortController();
  const hangs = wait(longestStartMs, false, { signal: patience.signal, ref: false }).catch(() => false);
  return await Promise.race([written, ended, hangs]).finally(() => patience.abort());
}

async function endAll(containers: readonly ChildProcess[]): Promise<void> {
  // With the first process of its namespace everything in it is killed.
  for (const container of containers) container.kill('SIGKILL');
  await until(() => containers.every(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null));
  await until(() => postmasters().length === 0, { otherwise: () => `These postmasters are left: ${postmasters().join(', ')}` });
}

/** Servers of the folder, whatever namespace they live in: those whose parent is none of them. */
function postmasters(): string[] {
  const servers = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && servesFolder(pid));
  return servers.filter((pid) => !servers.includes(/^PPid:\s*(\d+)/m.exec(statusOf(pid))?.[1] ?? ''));
}

function servesFolder(pid: string): boolean {
  const dataFolder = join(folder, 'pg18');
  try {
    // Killed and not yet gone, it has no working directory any more.
    return (
      existsSync(dataFolder) && statSync(`/proc/${pid}/cwd`).ino === statSync(dataFolder).ino && /^Name:\s*postgres$/m.test(statusOf(pid))
    );
  } catch {
    return false;
  }
}

function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

async function countKept(names: readonly string[]): Promise<number> {
  const server = await startLocalPg(folder, { tied: true });
  const client = new pg.Client({ ...server.superuser, database: 'postgres' });
  await client.connect();
  try {
    await client.query('create table if not exists names (name text)');
    const { rows } = await client.query('select from names where name = any ($1)', [names]);
    return rows.length;
  } finally {
    await client.end();
    await server.stop();
  }
}
