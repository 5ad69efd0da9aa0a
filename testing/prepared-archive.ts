import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { largerRenditionsStep } from '#domain/videos/record-step.ts';
import { type RunningArchive, startArchive } from './running-archive.ts';
import { skipUnderstanding } from './skip-understanding.ts';
import { cloneDatabase, type TestDatabase } from './test-database.ts';
import { until } from './until.ts';

const samples = resolve(import.meta.dirname, '..', 'samples');

/** What every journey starts from: an archive whose first start has ingested the sample films. */
export interface PreparedArchive {
  readonly database: string;
  readonly dataFolder: string;
}

/** Starts a fresh archive once, waits until every sample film is found by search and understood, stops it, and leaves it as a template. */
export async function prepareArchive(): Promise<PreparedArchive> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rushes-prepared-'));
  const database = await cloneDatabase();
  const archive = await startArchive({ dataFolder, databaseUrl: database.url, env: { RUSHES_SAMPLES: '1' } });
  try {
    await untilIndexed(database, archive);
  } finally {
    await archive.stop();
    await database.pool.end();
  }
  return { database: database.name, dataFolder };
}

/** An archive of one's own, cloned from the prepared one, running. `settings` are what an operator would set beside. */
export async function startPreparedArchive(
  prepared: PreparedArchive,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningArchive & { readonly database: TestDatabase; readonly dataFolder: string }> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rushes-journey-'));
  cpSync(prepared.dataFolder, dataFolder, { recursive: true });
  const database = await cloneDatabase(prepared.database);
  // All the people of all the journeys come from one network.
  const env = { RUSHES_SAMPLES: '0', RUSHES_LINKS_PER_NETWORK: '9999', ...settings };
  const archive = await startArchive({ dataFolder, databaseUrl: database.url, env });
  return {
    ...archive,
    database,
    dataFolder,
    stop: async () => {
      await archive.stop();
      await database.drop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

async function untilIndexed(database: TestDatabase, archive: RunningArchive): Promise<void> {
  const films = readdirSync(samples).filter((name) => /\.(mp4|mov|webm|mkv)$/.test(name)).length;
  const areIndexed = async () => {
    // No journey needs what recognisers find in drawn films, and they would take minutes.
    await skipUnderstanding(database.pool, [largerRenditionsStep, 'frames', 'shots']);
    // What is left undone, every clone would do.
    const { rows } = await database.pool.query<{ state: string; indexed: boolean; waits: boolean }>(`
      select state, indexed_revision = revision as indexed,
             exists (select from ingest_steps s where s.video_id = v.id and s.state in ('waiting', 'running')) as waits
        from videos v`);
    if (rows.some((row) => row.state === 'Failed')) throw new Error(`A sample film was refused:\n${archive.output()}`);
    return rows.filter((row) => row.state === 'Processed' && row.indexed && !row.waits).length === films;
  };
  const otherwise = () => `The sample films were not ingested within five minutes:\n${archive.output()}`;
  await until(areIndexed, { withinMs: 300_000, everyMs: 200, otherwise });
}
