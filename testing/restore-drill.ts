import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { backUpArchive } from '#domain/backup/back-up-archive.ts';
import type { BackupPlace } from '#domain/backup/open-backup-folder.ts';
import type { Pool } from '#domain/db/database.ts';
import { openDatabase } from '#domain/db/open-database.ts';
import { archiveFolderIn } from '#domain/files/archive-folder.ts';
import { readIndexState } from '#domain/files/index-state.ts';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import type { S3Settings } from '#domain/files/s3/s3-settings.ts';
import { indexIsBehind } from '#domain/search-index/find-videos-to-index.ts';
import { findIndexedBatch } from '#domain/search-index/index-commit.ts';
import { startTraffic } from './archive-traffic.ts';
import { damageOneFile } from './damage-one-file.ts';
import { drillQueries, fillArchive } from './drill-archive.ts';
import { checksumFiles, lostFiles } from './file-checksums.ts';
import { checksumRows, countRows, differingRows, openWatchedPool, type RowChecksums } from './row-checksums.ts';
import { runCommand } from './run-command.ts';
import { runImport } from './run-import.ts';
import { type ServedArchive, serveArchive } from './served-archive.ts';
import { skipUnderstanding } from './skip-understanding.ts';
import { until } from './until.ts';

export interface DrillFigures {
  readonly rows: number;
  readonly files: number;
  readonly searches: number;
  /** Where it was backed up to, and restored from. */
  readonly places: readonly string[];
  /** What came back otherwise than it was, or not at all. */
  readonly differences: readonly string[];
}

/** What films mean is worked out in the background, and would change answers while they are compared. */
const withoutMeaning = { RUSHES_MEANING: '0' };

/** What a snapshot has to bring back. */
interface Expected {
  readonly name: string;
  readonly rows: RowChecksums;
  readonly files: ReadonlyMap<string, string>;
}

const samples = resolve(import.meta.dirname, '..', 'samples');
const filmsUnderLoad = ['Night tram, line 28.mp4', 'Rain on the window.mp4', 'Dunes in the wind.mp4'];

/**
 * Lets a real archive run, backs it up while people sign up, roles change and films come in, destroys it, restores it by the command,
 * lets it run and compares. With `bucket`, or with `media`, what was restored is backed up, destroyed and restored once more, at rest: in
 * the bucket where there is one. With `media` (the shared footage) the archive holds that corpus, else a few made records.
 */
export async function runRestoreDrill({ media, bucket }: { media: string | undefined; bucket: S3Settings | null }): Promise<DrillFigures> {
  const root = mkdtempSync(join(tmpdir(), 'rushes-drill-'));
  const dataFolder = join(root, 'data');
  const inFolder: Place = { dataFolder, to: join(root, 'backup'), name: join(root, 'backup'), settings: { RUSHES_DATA: dataFolder } };
  const atRest = bucket ? inBucket(dataFolder, bucket) : media && inFolder;
  const sums = { rows: 0, files: 0, searches: 0 };
  const differences: string[] = [];
  let served = await serveArchive(dataFolder, withoutMeaning);
  try {
    await fillArchive(served, { samples, media });
    for (const [place, isUnderLoad] of [[inFolder, true] as const, ...(atRest ? [[atRest, false] as const] : [])]) {
      await untilSearchable(dataFolder);
      const queries = drillQueries(isUnderLoad ? undefined : media);
      const answers = await askAll(served, queries);
      const expected = await (isUnderLoad ? backUpUnderLoad(place, media ? filmsUnderLoad : filmsUnderLoad.slice(1, 2)) : backUp(place));
      await served.stop();
      differences.push(...(await restoreAndCompare({ ...place, expected })));
      served = await serveArchive(dataFolder, withoutMeaning);
      differences.push(...(await finishWaiting(dataFolder)));
      await untilSearchable(dataFolder);
      differences.push(...differingAnswers(answers, await askAll(served, queries)));
      sums.rows += countRows(expected.rows);
      sums.files += expected.files.size;
      sums.searches += queries.length;
    }
    const places = [inFolder, ...(atRest ? [atRest] : [])].filter((place, n, all) => all.indexOf(place) === n);
    for (const place of places) differences.push(...(await missedDamage(place)));
    return { ...sums, places: places.map(({ name }) => (name.startsWith('s3://') ? 'bucket' : 'folder')), differences };
  } finally {
    await served.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

interface Place {
  readonly dataFolder: string;
  readonly to: BackupPlace;
  /** As the commands are told of it, with these settings. */
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
}

function inBucket(dataFolder: string, s3: S3Settings): Place {
  const settings = {
    RUSHES_DATA: dataFolder,
    RUSHES_BACKUP_S3_ENDPOINT: s3.endpoint,
    RUSHES_BACKUP_S3_REGION: s3.region,
    RUSHES_BACKUP_S3_ACCESS_KEY: s3.accessKey,
    RUSHES_BACKUP_S3_SECRET_KEY: s3.secretKey,
  };
  const incoming = join(dataFolder, 'backup-incoming');
  return { dataFolder, to: { s3, prefix: 'nightly', incoming }, name: `s3://${s3.bucket}/nightly`, settings };
}

async function backUpUnderLoad(place: Place, films: readonly string[]): Promise<Expected> {
  const { dataFolder } = place;
  const database = await openDatabase({ dataFolder });
  try {
    const traffic = await startTraffic(database.pool);
    const importing = runImport(
      films.map((name) => join(samples, name)),
      { RUSHES_DATA: dataFolder },
    );
    await until(async () => traffic.changes() > 20 && (await countWaiting(database.pool)) > 0);
    const expected = await backUp(place);
    await traffic.stop();
    const { exitCode, output } = await importing;
    if (exitCode !== 0) throw new Error(output);
    return expected;
  } finally {
    await database.close();
  }
}

/** Backs up in this process, so that rows are printed at the very instant of the dump; files of films that were ready then stay as they are. */
async function backUp({ dataFolder, to }: Place): Promise<Expected> {
  const database = await openDatabase({ dataFolder });
  let rows: RowChecksums = new Map();
  let ready: string[] = [];
  const pool = openWatchedPool(database, async (client) => {
    rows = await checksumRows(client);
    const found = await client.query<{ id: string }>(`select id from videos where origin = 'file' and state = 'Processed'`);
    ready = found.rows.map(({ id }) => `media/${id.slice(0, 2)}/${id}`);
  });
  try {
    const { name, snapshot } = await backUpArchive({ pool, archive: openArchiveFiles(dataFolder), to });
    if (snapshot.problems.length > 0) throw new Error(snapshot.problems.join('\n'));
    return { name, rows, files: checksumFiles(dataFolder, [...ready, 'secrets.json']) };
  } finally {
    await pool.end();
    await database.close();
  }
}

async function restoreAndCompare({ dataFolder, name, settings, expected }: Place & { expected: Expected }): Promise<string[]> {
  rmSync(dataFolder, { recursive: true });
  const { exitCode, output } = await runCommand('commands/restore.ts', ['--from', name, '--snapshot', expected.name], settings);
  if (exitCode !== 0) return [`restore ended with ${exitCode}: ${output}`];
  const database = await openDatabase({ dataFolder, migrates: false });
  try {
    // The one row that a restore adds: its own name.
    await database.pool.query(`delete from archive_facts where name = 'restore'`);
    const files = checksumFiles(dataFolder, ['media', 'secrets.json']);
    return [...differingRows(expected.rows, await checksumRows(database.pool)), ...lostFiles(expected.files, files)];
  } finally {
    await database.close();
  }
}

/** Films that waited for their analysis, or were in it, when the backup was made: the restored archive goes on with them. */
async function finishWaiting(dataFolder: string): Promise<string[]> {
  const { pool, close } = await openDatabase({ dataFolder });
  try {
    await until(async () => (await countWaiting(pool)) === 0, { withinMs: 180_000 }).catch(() => {});
    const { rows } = await pool.query<{ id: string }>(`select id from videos where state <> 'Processed'`);
    return rows.map(({ id }) => `video ${id} waited when the backup was made and was never processed after it`);
  } finally {
    await close();
  }
}

async function countWaiting(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`select count(*) as n from videos where state in ('Uploaded', 'Processing')`);
  return rows[0]?.n ?? 0;
}

/** The index is no part of a backup: searches answer when it is built from the restored rows. What is found out about films changes answers, and is left out. */
async function untilSearchable(dataFolder: string): Promise<void> {
  const { pool, close } = await openDatabase({ dataFolder });
  const folder = archiveFolderIn(dataFolder).index;
  const isSearchable = async () => {
    await skipUnderstanding(pool);
    const { rowCount } = await pool.query(`select from ingest_steps where state in ('waiting', 'running')`);
    const read = await readIndexState(folder);
    return rowCount === 0 && !(await indexIsBehind(pool)) && read?.batch === (await findIndexedBatch(pool));
  };
  try {
    await until(isSearchable, { withinMs: 600_000, everyMs: 100 });
  } finally {
    await close();
  }
}

async function askAll(served: ServedArchive, queries: readonly string[]): Promise<Map<string, string[]>> {
  const answers = new Map<string, string[]>();
  for (const query of queries) answers.set(query, await served.search(query));
  return answers;
}

function differingAnswers(before: ReadonlyMap<string, string[]>, after: ReadonlyMap<string, string[]>): string[] {
  return [...before]
    .filter(([query, ids]) => ids.join() !== after.get(query)?.join())
    .map(([query, ids]) => `another answer to "${query}": ${after.get(query)} and not ${ids}`);
}

/** A byte of a film goes wrong where the backups lie: the check has to tell. */
async function missedDamage({ to, name, settings }: Place): Promise<string[]> {
  await damageOneFile(to);
  const { exitCode } = await runCommand('commands/backup.ts', ['--to', name, '--check'], settings);
  return exitCode === 1 ? [] : ['a damaged file passed the check'];
}
