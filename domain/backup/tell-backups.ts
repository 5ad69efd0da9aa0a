import { existsSync } from 'node:fs';
import { z } from 'zod';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { addKeptErasures, findErasureRows } from '../files/kept-erasures.ts';
import { parseJson } from '../files/parse-json.ts';
import { backupFolder } from './backup-folder.ts';

const Folders = z.array(z.string());
const tellingLock = 728_374_051;

/** Remembers a folder of backups of this archive, which has to hear of everybody who is forgotten, and tells it. */
export async function addToldBackups(pool: Pool, root: string): Promise<void> {
  await inTransaction(pool, async (db) => {
    await db.query(sql`select pg_advisory_xact_lock(${tellingLock})`);
    const folders = JSON.stringify([...new Set([...(await findFolders(db)), root])]);
    await db.query(sql`
      insert into archive_facts (name, value) values ('backup_folders', ${folders})
      on conflict (name) do update set value = excluded.value where archive_facts.value <> excluded.value`);
    await addKeptErasures(root, await findErasureRows(db));
  });
}

/**
 * Tells every folder that this archive was ever backed up to who was forgotten, so that no restore brings them back. Returns those that
 * could not be told, as they are not at hand: the next backup into them tells them.
 */
export async function tellBackups(pool: Pool): Promise<string[]> {
  return await inTransaction(pool, async (db) => {
    await db.query(sql`select pg_advisory_xact_lock(${tellingLock})`);
    const rows = await findErasureRows(db);
    const untold: string[] = [];
    for (const root of await findFolders(db)) {
      const isTold =
        existsSync(backupFolder(root).label) &&
        (await addKeptErasures(root, rows).then(
          () => true,
          () => false,
        ));
      if (!isTold) untold.push(root);
    }
    return untold;
  });
}

async function findFolders(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ value: string }>(sql`select value from archive_facts where name = 'backup_folders'`);
  return Folders.safeParse(parseJson(rows[0]?.value ?? '')).data ?? [];
}
