/*
 * Whether a data folder and a database belong together: compare-sides tells, refusal-of-sides says what to do where they do not.
 * Everything that works with an archive begins here.
 */
import { join } from 'node:path';
import { type DatabaseSettings, type OpenDatabase, type OpenDatabaseOptions, openDatabase } from '../db/open-database.ts';
import { retryWhileEnding } from '../db/retries.ts';
import { type ArchiveFiles, openArchiveFiles } from '../files/open-archive-files.ts';
import type { S3Settings } from '../files/s3/s3-settings.ts';
import { OperatorFault } from '../system/operator-fault.ts';
import { readArchiveId } from './archive-id-file.ts';
import { pairSides } from './pair-sides.ts';
import type { SideNames } from './refusal-of-sides.ts';

/** What an operator says of the archive. */
type Settings = DatabaseSettings & { readonly s3?: S3Settings | undefined };
type Options = Pick<OpenDatabaseOptions, 'tied' | 'keepRunning' | 'maxConnections' | 'answerWithinMs'>;

/**
 * Opens an archive to work with: its database, migrated, once it is clear that this and the data folder belong together. The server, the
 * worker and every command begin here. Throws an OperatorFault that names both and a way out where they do not.
 */
export function openArchive(settings: Settings, options: Options = {}): Promise<OpenDatabase> {
  return retryWhileEnding(settings.databaseUrl, () => openPaired(settings, options));
}

async function openPaired(settings: Settings, options: Options): Promise<OpenDatabase> {
  const database = await openUnpaired(settings, options);
  try {
    await pairSides(database.pool, openArchiveFiles(settings.dataFolder, settings.s3), nameSides(settings));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The same without that look, for the command that shall find out. */
export function openUnpaired(settings: Settings, options: Options = {}): Promise<OpenDatabase> {
  const { dataFolder, databaseUrl, databaseDirectUrl, allowsFuse, migratesWithoutBackup, s3 } = settings;
  const mayInitialise = () => refuseBesideArchive(openArchiveFiles(dataFolder, s3));
  return openDatabase({ dataFolder, databaseUrl, databaseDirectUrl, allowsFuse, migratesWithoutBackup, ...options, mayInitialise });
}

/** What an operator knows the two sides by. */
export function nameSides({ dataFolder, databaseUrl }: DatabaseSettings): SideNames {
  if (!databaseUrl) return { folder: dataFolder, database: join(dataFolder, 'pg') };
  const { host, pathname } = new URL(databaseUrl);
  return { folder: dataFolder, database: `of DATABASE_URL (${host}${pathname})` };
}

/** An empty database beside an archive's files would know none of them. */
async function refuseBesideArchive({ folder, store }: ArchiveFiles): Promise<void> {
  const { length: size } = await store.listVideos();
  const id = readArchiveId(folder);
  if (size === 0 && id === null) return;
  const what = `${id === null ? 'has' : `belongs to the archive ${id} and has`} media of ${size === 1 ? 'one video' : `${size} videos`}`;
  throw new OperatorFault(
    `There is no database in ${join(folder.root, 'pg')}, but ${folder.root} ${what}: put the pg folder back, set DATABASE_URL if its database is elsewhere, or restore a backup into an empty folder; for a new archive, set RUSHES_DATA to another folder.`,
  );
}
