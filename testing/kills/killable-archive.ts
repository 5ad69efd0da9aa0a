import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPool, type Pool } from '#domain/db/database.ts';
import { openDatabase } from '#domain/db/open-database.ts';
import { type ServedArchive, serveArchive } from '../served-archive.ts';
import { until } from '../until.ts';
import { killOf, type Victim } from './victims.ts';

/** A real archive, with server, worker and a PostgreSQL of its own, any of which may be killed. */
export interface KillableArchive {
  readonly dataFolder: string;
  /** Survives the database, which may be away when it is asked. */
  readonly pool: Pool;
  /** The server as it runs now. */
  served(): ServedArchive;
  /** Kills it as a crash would. The server is started again, which nobody but an operator does; the rest comes back by itself. */
  kill(victim: Victim): Promise<void>;
  /** Waits until database and server answer. */
  untilAnswering(): Promise<void>;
  close(): Promise<void>;
}

/** Starts one in a folder of its own. */
export async function openKillableArchive(): Promise<KillableArchive> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rushes-kills-'));
  let served = await serveArchive(dataFolder);
  const { pool: first, address } = await openDatabase({ dataFolder });
  await first.end();
  const pool = openPool(address);
  return {
    dataFolder,
    pool,
    served: () => served,
    kill: async (victim) => {
      await killOf(victim, dataFolder);
      if (victim !== 'server') return;
      await served.stop();
      served = await serveArchive(dataFolder);
    },
    untilAnswering: async () => {
      const answers = () => pool.query('select 1').then(Boolean, () => false);
      await until(async () => (await answers()) && (await fetch(`${served.origin}/readyz`).catch(() => undefined))?.ok, {
        withinMs: 120_000,
      });
    },
    close: async () => {
      await pool.end();
      await served.stop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}
