import { randomUUID } from 'node:crypto';
import { advisoryLocks } from '../db/advisory-locks.ts';
import { readAdopted, writeFact } from '../db/archive-facts.ts';
import { type Db, directOf, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { ArchiveFolder } from '../files/archive-folder.ts';
import type { ArchiveFiles } from '../files/open-archive-files.ts';
import { OperatorFault } from '../system/operator-fault.ts';
import { keepArchiveId, readArchiveId, replaceArchiveId } from './archive-id-file.ts';
import { type ArchiveSides, compareSides, lookAtSides, readDatabaseId } from './compare-sides.ts';
import { refusalOfSides, type SideNames } from './refusal-of-sides.ts';

/**
 * Makes sure that data folder and database belong together: both carry the id of one archive afterwards, whoever else does the same at
 * this moment. Throws an OperatorFault when they do not.
 */
export async function pairSides(pool: Pool, files: ArchiveFiles, names: SideNames): Promise<void> {
  for (let arePaired = false; !arePaired; ) {
    // Whoever waits for the lock is not to wait for the store as well.
    const sides = await lookAtSides(pool, files);
    const refusal = refusalOfSides(sides, names);
    if (refusal !== undefined) throw new OperatorFault(refusal);
    arePaired = (sides.folderId !== null && sides.folderId === sides.databaseId) || (await giveId(pool, files.folder, sides));
  }
}

/** False, and nothing done, where somebody else has given one since the two were looked at. */
async function giveId(pool: Pool, folder: ArchiveFolder, { folderId, databaseId }: ArchiveSides): Promise<boolean> {
  return await withPairingLock(pool, async (db) => {
    if (readArchiveId(folder) !== folderId || (await readDatabaseId(db)) !== databaseId) return false;
    const id = keepArchiveId(folder, databaseId ?? folderId ?? randomUUID());
    if (id !== databaseId) await writeFact(db, 'archive_id', id);
    return true;
  });
}

/**
 * Why the two may not be worked on together, undefined when they may: by the whole look once a day, which falls to the machine that asks
 * first, and by the short one else. A whole look that refused or was cut off is done again by whoever asks next.
 */
export async function checkSidesDaily(pool: Pool, files: ArchiveFiles, names: SideNames): Promise<string | undefined> {
  const { rowCount } = await pool.query(sql`
    insert into archive_facts (name, value) values ('sides_looked_at', now()::text)
    on conflict (name) do update set value = excluded.value where archive_facts.value::timestamptz < now() - interval '1 day'`);
  if (rowCount !== 1) return refusalOfSides(await lookAtSides(pool, files), names);
  let isDone = false;
  try {
    const refusal = refusalOfSides(await compareSides(pool, files), names);
    isDone = refusal === undefined;
    return refusal;
  } finally {
    if (!isDone) await pool.query("delete from archive_facts where name = 'sides_looked_at'");
  }
}

/**
 * Makes data folder and database one archive by the word of an operator, who has seen `sides`: what is missing and unknown there is no reason any more to refuse
 * them, and where they belonged to different archives they get a new id, so that neither is taken for part of those; a folder whose media lie in a store that
 * machines share gets that of the database, by which the others know it. Returns the id that both have now. Deletes nothing.
 */
export async function adoptSides(pool: Pool, { folder, store }: ArchiveFiles, sides: ArchiveSides): Promise<string> {
  return await withPairingLock(pool, async (db) => {
    const { folderId, databaseId } = sides;
    const differ = !store.isShared && folderId !== null && databaseId !== null && folderId !== databaseId;
    const id = differ ? randomUUID() : (databaseId ?? folderId ?? randomUUID());
    const before = await readAdopted(db);
    const adopted = { missing: [...before.missing, ...sides.missing], unknown: [...before.unknown, ...sides.unknown] };
    await writeFact(db, 'adopted', JSON.stringify(adopted));
    await writeFact(db, 'archive_id', id);
    replaceArchiveId(folder, id);
    return id;
  });
}

async function withPairingLock<T>(pool: Pool, work: (db: Db) => Promise<T>): Promise<T> {
  // Whoever is before us looks for every original in the store, which takes its time.
  return await inTransaction(directOf(pool), async (db) => {
    await db.query(sql`select pg_advisory_xact_lock(${advisoryLocks.pairing})`);
    return await work(db);
  });
}
