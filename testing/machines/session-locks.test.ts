import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdMachine } from '#domain/archive/hold-machine.ts';
import { backUpArchive } from '#domain/backup/back-up-archive.ts';
import { closePool, directOf, openPool, type Pool } from '#domain/db/database.ts';
import { type OpenDatabase, openDatabase } from '#domain/db/open-database.ts';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import { holdWorkerLease, withVideoClaim } from '#domain/jobs/worker-lease.ts';
import { withWriterLock } from '#domain/search-index/keep-index.ts';
import { whileChecking } from '#domain/status/canary.ts';
import { hasDebianPostgres, startDebianPostgres } from '../debian-postgres.ts';
import { freePort } from '../free-port.ts';
import { runCommand } from '../run-command.ts';
import { startPgBouncer } from './pgbouncer.ts';

/* What a session of the database holds for a machine, over TCP and past a pooler. */
const lockNames = ['film', 'writer of the index', 'worker', 'machine', 'access check', 'backup'] as const;

let root: string;
let postgres: Awaited<ReturnType<typeof startDebianPostgres>>;
let database: OpenDatabase;
beforeAll(async () => {
  if (!hasDebianPostgres) return;
  root = mkdtempSync(join(tmpdir(), 'rushes-locks-'));
  postgres = await startDebianPostgres(await freePort());
  database = await openDatabase({ dataFolder: join(root, 'data'), databaseUrl: postgres.url });
});
afterAll(async () => {
  if (!hasDebianPostgres) return;
  await database.close();
  await postgres.stop();
  rmSync(root, { recursive: true, force: true });
});

test.skipIf(!hasDebianPostgres)(
  'a session that holds something is given up within half a minute after its machine fell silent',
  async () => {
    const { pool } = database;
    const files = openArchiveFiles(join(root, 'data'), undefined);
    const held: Record<(typeof lockNames)[number], (look: () => Promise<void>) => Promise<unknown>> = {
      film: (look) => withVideoClaim(pool, 'film', look),
      'writer of the index': (look) => withWriterLock(pool, look),
      worker: (look) => whileHeld(holdWorkerLease(pool), look),
      machine: (look) => whileHeld(holdMachine(pool, { folder: files.folder, s3: undefined, secrets: undefined }), look),
      'access check': (look) => whileChecking({ pool, store: files.store }, look),
      backup: (look) => {
        const listVideos = () => look().then(() => files.store.listVideos());
        return backUpArchive({ pool, archive: { ...files, store: { ...files.store, listVideos } }, to: join(root, 'backup') });
      },
    };
    for (const name of lockNames) {
      const taken: PoolClient[] = [];
      const note = (client: PoolClient) => void taken.push(client);
      directOf(pool).on('acquire', note);
      const seen: unknown[] = [];
      await held[name](async () => {
        const { rows } = (await taken[0]?.query(silenceSettings)) ?? { rows: [] };
        seen.push(...rows);
      });
      directOf(pool).off('acquire', note);
      expect({ name, seen }).toEqual({ name, seen: [{ idle: '10', interval: '5', count: '3', unanswered: '25000', looks: '5s' }] });
    }
  },
);

const silenceSettings = `
  select current_setting('tcp_keepalives_idle') as idle, current_setting('tcp_keepalives_interval') as interval,
         current_setting('tcp_keepalives_count') as count, current_setting('tcp_user_timeout') as unanswered,
         current_setting('client_connection_check_interval') as looks`;

async function whileHeld(holding: Promise<{ release(): void }>, look: () => Promise<void>): Promise<void> {
  const { release } = await holding;
  await look();
  release();
}

test.skipIf(!hasDebianPostgres)('a command and the access check leave no lock of a session with a pooler', async ({ skip }) => {
  const pooler = await startPgBouncer(postgres.url);
  if (!pooler) return skip('there is no pgbouncer here');
  const pool = openPool({ connectionString: pooler.url }, { direct: { connectionString: postgres.url } });
  try {
    // By turns: what comes next goes to another of them.
    await Promise.all(Array.from({ length: 5 }, () => pool.query('select pg_sleep(0.2)')));
    await whileChecking({ pool, store: openArchiveFiles(join(root, 'data'), undefined).store }, () => Promise.resolve());
    expect(await locksLeft(database.pool)).toBe(0);
    const settings = { RUSHES_DATA: join(root, 'data'), DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: postgres.url };
    expect(await runCommand('commands/retry.ts', ['--all'], settings)).toMatchObject({ exitCode: 0 });
    expect(await locksLeft(database.pool)).toBe(0);
  } finally {
    await closePool(pool);
    await pooler.stop();
  }
});

/** Locks that somebody still has a moment later: a connection that was just closed may have to be noticed. */
async function locksLeft(pool: Pool): Promise<number> {
  const count = async () =>
    (await pool.query<{ n: number }>("select count(*)::int as n from pg_locks where locktype = 'advisory'")).rows[0]?.n;
  for (let looks = 0; looks < 40 && (await count()) !== 0; looks++) await wait(50);
  return (await count()) ?? -1;
}
