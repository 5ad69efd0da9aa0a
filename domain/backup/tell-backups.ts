import { existsSync } from 'node:fs';
import { z } from 'zod';
import { advisoryLocks } from '../db/advisory-locks.ts';
import { readFact, writeFact } from '../db/archive-facts.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { type ErasureRow, findErasureRows, parseErasures, withErasures } from '../files/kept-erasures.ts';
import { parseJson } from '../system/parse-json.ts';
import { type BackupFolder, readText, toBackupFolder } from './backup-folder.ts';

const Folders = z.array(z.string());
/** Remembers a folder of backups of this archive, which has to hear of everybody who is forgotten, and tells it. */
export async function addToldBackups(pool: Pool, folder: BackupFolder): Promise<void> {
  await inTransaction(pool, async (db) => {
    await db.query(sql`select pg_advisory_xact_lock(${advisoryLocks.tellingBackups})`);
    const folders = JSON.stringify([...new Set([...(await foldersBackedUpTo(db)), folder.root])]);
    await writeFact(db, 'backup_folders', folders);
    await tellFolder(folder, await findErasureRows(db));
  });
}

/**
 * Tells every folder that this archive was ever backed up to who was forgotten, so that no restore brings them back. Returns those that
 * could not be told, as they are not at hand: the next backup into them tells them.
 */
export async function tellBackups(pool: Pool): Promise<string[]> {
  return await inTransaction(pool, async (db) => {
    await db.query(sql`select pg_advisory_xact_lock(${advisoryLocks.tellingBackups})`);
    const rows = await findErasureRows(db);
    const untold: string[] = [];
    for (const root of await foldersBackedUpTo(db)) {
      const isTold =
        // The keys of a bucket are with whoever backs up into it.
        !root.startsWith('s3://') &&
        existsSync(toBackupFolder(root).label) &&
        (await tellFolder(toBackupFolder(root), rows).then(
          () => true,
          () => false,
        ));
      if (!isTold) untold.push(root);
    }
    return untold;
  });
}

/** Those of whom a folder of backups knows that they were forgotten. */
export async function readToldErasures(folder: BackupFolder): Promise<ErasureRow[]> {
  return parseErasures(await readText(folder, folder.erasures), folder.erasures);
}

async function tellFolder(folder: BackupFolder, rows: readonly ErasureRow[]): Promise<void> {
  const text = withErasures(await readToldErasures(folder), rows);
  if (text !== null) await folder.files.write(folder.erasures, text);
}

/** Every folder of backups that this archive was ever backed up to, by its root. */
export async function foldersBackedUpTo(db: Db): Promise<string[]> {
  return Folders.safeParse(parseJson((await readFact(db, 'backup_folders')) ?? '')).data ?? [];
}
