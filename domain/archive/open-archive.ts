import { join } from 'node:path';
import { type DatabaseSettings, type OpenDatabase, type OpenDatabaseOptions, openDatabase } from '../db/open-database.ts';
import { OperatorFault } from '../db/operator-fault.ts';
import { retryWhileEnding } from '../db/retry-while-ending.ts';
import { type ArchiveFolder, archiveFolder } from '../files/archive-folder.ts';
import { openLocalStore } from '../files/local-store.ts';
import { readArchiveId } from './archive-id-file.ts';
import type { ArchiveFiles } from './compare-sides.ts';
import { pairSides } from './pair-sides.ts';
import type { SideNames } from './refusal-of-sides.ts';

type Options = Pick<OpenDatabaseOptions, 'tied' | 'keepRunning' | 'maxConnections'>;

/**
 * Opens an archive to work with: its database, migrated, once it is clear that this and the data folder belong together. The server, the
 * worker and every command begin here. Throws an OperatorFault that names both and a way out where they do not.
 */
export function openArchive(settings: DatabaseSettings, options: Options = {}): Promise<OpenDatabase> {
  return retryWhileEnding(settings.databaseUrl, () => openPaired(settings, options));
}

async function openPaired(settings: DatabaseSettings, options: Options): Promise<OpenDatabase> {
  const database = await openUnpaired(settings, options);
  try {
    await pairSides(database.pool, filesOf(settings), sideNames(settings));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The same without that look, for the command that shall find out. */
export function openUnpaired(settings: DatabaseSettings, options: Options = {}): Promise<OpenDatabase> {
  const { dataFolder, databaseUrl, allowsFuse, migratesWithoutBackup } = settings;
  const folder = archiveFolder(dataFolder);
  const mayInitialise = () => refuseBesideArchive(folder);
  return openDatabase({ dataFolder, databaseUrl, allowsFuse, migratesWithoutBackup, ...options, mayInitialise });
}

/** The data folder of these settings, with its media. */
export function filesOf({ dataFolder }: Pick<DatabaseSettings, 'dataFolder'>): ArchiveFiles {
  const folder = archiveFolder(dataFolder);
  return { folder, store: openLocalStore(folder.root) };
}

/** What an operator knows the two sides by. */
export function sideNames({ dataFolder, databaseUrl }: DatabaseSettings): SideNames {
  if (!databaseUrl) return { folder: dataFolder, database: join(dataFolder, 'pg') };
  const { host, pathname } = new URL(databaseUrl);
  return { folder: dataFolder, database: `of DATABASE_URL (${host}${pathname})` };
}

/** An empty database beside an archive's files would know none of them. */
async function refuseBesideArchive(folder: ArchiveFolder): Promise<void> {
  const { length: size } = await openLocalStore(folder.root).listVideos();
  const id = readArchiveId(folder);
  if (size === 0 && id === null) return;
  const what = `${id === null ? 'has' : `belongs to the archive ${id} and has`} media of ${size === 1 ? 'one video' : `${size} videos`}`;
  throw new OperatorFault(
    `There is no database in ${join(folder.root, 'pg')}, but ${folder.root} ${what}: put the pg folder back, set DATABASE_URL if its database is elsewhere, or restore a backup into an empty folder; for a new archive name another RUSHES_DATA.`,
  );
}
