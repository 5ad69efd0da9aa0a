import { parseArgs } from 'node:util';
import { backUpArchive } from '#domain/backup/back-up-archive.ts';
import { noteBackup, noteCheck } from '#domain/backup/last-backup.ts';
import { type BackupPlace, openBackupFolder, rootOf } from '#domain/backup/open-backup-folder.ts';
import type { Pool } from '#domain/db/database.ts';
import { hasDatabase, openDatabase, refuseWithoutDatabase } from '#domain/db/open-database.ts';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { readBackupPlace, readIngestConfig } from '#ingest/config.ts';
import { printBackupCheck } from './print-backup-check.ts';
import { log, print, runCommand } from './run-command.ts';

const usage = `Usage: npm run backup -- FOLDER                   adds a snapshot of the archive to this folder
       npm run backup -- --to s3://BUCKET/PREFIX   the same in a bucket, by RUSHES_BACKUP_S3_… or RUSHES_S3_…
       npm run backup -- FOLDER --keep N          the same, and only the newest N snapshots stay
       npm run backup -- FOLDER --anew            the same where the folder held backups of this archive and holds none now
       npm run backup -- FOLDER --check           reads everything in the folder back`;

await runCommand(run);

/** Returns the exit code: 1 when the backup is not whole. */
async function run(): Promise<number> {
  const options = { to: { type: 'string' }, keep: { type: 'string' }, check: { type: 'boolean' }, anew: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [name, ...more] = [...positionals, ...(values.to === undefined ? [] : [values.to])];
  const isWrong = more.length > 0 || (values.keep !== undefined && !/^[1-9]\d{0,5}$/.test(values.keep));
  if (name === undefined || isWrong) {
    log(usage);
    return 1;
  }
  const to = readBackupPlace(name);
  if (values.check) return await check(to);
  const config = readIngestConfig();
  refuseWithoutDatabase(config);
  // A backup is asked for before a migration too, so that it leaves the tables as they are.
  const database = await openDatabase({ ...config, migrates: false });
  try {
    return await backUp(database.pool, {
      archive: openArchiveFiles(config.dataFolder, config.s3),
      to,
      name,
      keep: values.keep === undefined ? undefined : Number(values.keep),
      beginsAnew: values.anew,
    });
  } finally {
    await database.close();
  }
}

/** Reads everything back, and leaves how that went where administrators see it. */
async function check(to: BackupPlace): Promise<number> {
  const at = new Date().toISOString();
  const folder = rootOf(to);
  try {
    const { faults, unchecked } = await printBackupCheck(await openBackupFolder(to), { print, log });
    await noteHere({ at, folder, damage: faults[0] ?? null, unchecked: unchecked[0] ?? null });
    return faults.length + unchecked.length > 0 ? 1 : 0;
  } catch (error) {
    await noteHere({ at, folder, damage: null, unchecked: errorMessageOf(error) });
    throw error;
  }
}

/** A folder of backups is checked on any machine: where no archive is reached, there is nobody to tell, and none is made for it. */
async function noteHere(outcome: Parameters<typeof noteCheck>[1]): Promise<void> {
  try {
    const config = readIngestConfig();
    if (!hasDatabase(config)) return;
    const database = await openDatabase({ ...config, migrates: false });
    await noteCheck(database.pool, outcome).finally(() => database.close());
  } catch (error) {
    log(`Nothing of this is shown on the status page: ${errorMessageOf(error)}`);
  }
}

/** Makes the snapshot, and leaves how it went where administrators see it. */
async function backUp(
  pool: Pool,
  { name: place, ...options }: Pick<Parameters<typeof backUpArchive>[0], 'archive' | 'to' | 'keep' | 'beginsAnew'> & { name: string },
): Promise<number> {
  const startedAt = performance.now();
  try {
    const { folder, name, snapshot, newBytes, dropped, heldBack } = await backUpArchive({ pool, ...options });
    const { database, files, problems } = snapshot;
    const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    print(
      `${name}: ${rows} rows of ${database.tables.length} tables, ${files.count} files, ${toMegabytes(newBytes)} of ${toMegabytes(files.totalBytes)} MB new, in ${seconds} s.`,
    );
    if (dropped.length > 0) print(`Older snapshots deleted: ${dropped.length}.`);
    for (const held of heldBack) log(`${held} stays: it may hold what this one lacks.`);
    for (const problem of problems) log(problem);
    const message = problems.length > 0 ? `${problems.length} problems found. ${problems[0]}` : `${rows} rows, ${files.count} files`;
    const migration = database.migrations.at(-1) ?? null;
    await noteBackup(pool, { at: snapshot.at, folder: folder.root, ok: problems.length === 0, message, migration });
    return problems.length > 0 ? 1 : 0;
  } catch (error) {
    const failed = { at: new Date().toISOString(), folder: place, ok: false, message: errorMessageOf(error), migration: null };
    // The reason that is printed is the first one, also where the database is gone and cannot take the note.
    await noteBackup(pool, failed).catch(() => {});
    throw error;
  }
}

function toMegabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
