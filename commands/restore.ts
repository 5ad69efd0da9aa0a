import { parseArgs } from 'node:util';
import type { BackupFolder } from '#domain/backup/backup-folder.ts';
import { beginRestore } from '#domain/backup/begin-restore.ts';
import { openBackupFolder } from '#domain/backup/open-backup-folder.ts';
import { restoreArchive } from '#domain/backup/restore-archive.ts';
import { listSnapshots, readSnapshot, type Snapshot } from '#domain/backup/snapshot.ts';
import { openDatabase } from '#domain/db/open-database.ts';
import { openArchiveFiles } from '#domain/files/open-archive-files.ts';
import { readBackupPlace, readIngestConfig } from '#ingest/config.ts';
import { printBackupCheck } from './print-backup-check.ts';
import { log, print, runCommand } from './run-command.ts';

const usage = `Usage: npm run restore -- FOLDER                   the newest snapshot, into an empty data folder and database
       npm run restore -- --from s3://BUCKET/PREFIX   the same from a bucket, by RUSHES_BACKUP_S3_… or RUSHES_S3_…
       npm run restore -- FOLDER --snapshot NAME   another one
       npm run restore -- FOLDER --check           reads everything in the folder back and restores nothing`;

await runCommand(run);

/** Returns the exit code: 1 when anything could not be restored. */
async function run(): Promise<number> {
  const options = { from: { type: 'string' }, snapshot: { type: 'string' }, check: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [from, ...more] = [...positionals, ...(values.from === undefined ? [] : [values.from])];
  if (from === undefined || more.length > 0) {
    log(usage);
    return 1;
  }
  const folder = await openBackupFolder(readBackupPlace(from));
  if (values.check) {
    const { faults, unchecked } = await printBackupCheck(folder, { print, log });
    return faults.length + unchecked.length > 0 ? 1 : 0;
  }
  const name = values.snapshot ?? (await listSnapshots(folder)).at(-1);
  if (name === undefined) throw new Error(`${folder.root} contains no snapshots: no backup to it has finished yet.`);
  const snapshot = await readSnapshot(folder, name);
  if (values.snapshot === undefined && snapshot.problems.length > 0) {
    log(await describeProblems(folder, name, snapshot));
    return 1;
  }
  return await restore(folder, name, snapshot);
}

/** Who restores is to know it before hours of copying, and which snapshot lacks nothing. */
async function describeProblems(folder: BackupFolder, newest: string, { problems }: Snapshot): Promise<string> {
  const lacking = `The newest snapshot, ${newest}, is not whole: ${problems.length} problems were found when it was made. ${problems[0]}`;
  const takeIt = `--snapshot ${newest} restores this one all the same.`;
  for (const name of (await listSnapshots(folder)).reverse()) {
    const snapshot = await readSnapshot(folder, name).catch(() => undefined);
    if (snapshot?.problems.length === 0) return `${lacking}\n--snapshot ${name} restores the newest that is whole; ${takeIt}`;
  }
  return `${lacking}\nNo older one is whole. ${takeIt}`;
}

async function restore(from: BackupFolder, name: string, snapshot: Snapshot): Promise<number> {
  const config = readIngestConfig();
  const archive = openArchiveFiles(config.dataFolder, config.s3);
  await beginRestore(archive, { folder: from, name, snapshot });
  const database = await openDatabase({ ...config, migrates: false });
  try {
    const { rows, files, faults, remarks } = await restoreArchive({ pool: database.pool, archive, from, snapshot, say: log });
    for (const line of [...snapshot.problems, ...remarks, ...faults]) log(line);
    print(`${name} is restored: ${rows} rows, ${files} files${faults.length > 0 ? `, ${faults.length} files are missing` : ''}.`);
    print('Start it with `npm start`; the search index is rebuilt while the archive is running.');
    return faults.length + snapshot.problems.length > 0 ? 1 : 0;
  } finally {
    await database.close();
  }
}
