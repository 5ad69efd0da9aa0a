import { randomUUID } from 'node:crypto';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { OperatorFault } from '../db/operator-fault.ts';
import { sql } from '../db/sql.ts';
import type { ArchiveFolder } from '../files/archive-folder.ts';
import type { ArchiveFiles } from '../files/open-archive-files.ts';
import { keepArchiveId, replaceArchiveId } from './archive-id-file.ts';
import { type ArchiveSides, compareSides, readAdopted } from './compare-sides.ts';
import { refusalOfSides, type SideNames } from './refusal-of-sides.ts';

const pairingLock = 728_374_005;

/**
 * Makes sure that data folder and database belong together: both carry the id of one archive afterwards, whoever else does the same at
 * this moment. Throws an OperatorFault when they do not.
 */
export async function pairSides(pool: Pool, files: ArchiveFiles, names: SideNames): Promise<void> {
  await withPairingLock(pool, async (db) => {
    const sides = await compareSides(db, files);
    const refusal = refusalOfSides(sides, names);
    if (refusal !== undefined) throw new OperatorFault(refusal);
    const id = keepArchiveId(files.folder, sides.databaseId ?? sides.folderId ?? randomUUID());
    if (id !== sides.databaseId) await writeFact(db, 'archive_id', id);
  });
}

/**
 * Makes data folder and database one archive by the word of an operator, who has seen `sides`: what is missing and unknown there is no reason any more to refuse
 * them, and where they belonged to different archives they get a new id, so that neither is taken for part of those. Deletes nothing.
 */
export async function adoptSides(pool: Pool, folder: ArchiveFolder, sides: ArchiveSides): Promise<void> {
  await withPairingLock(pool, async (db) => {
    const { folderId, databaseId } = sides;
    const differ = folderId !== null && databaseId !== null && folderId !== databaseId;
    const id = differ ? randomUUID() : (databaseId ?? folderId ?? randomUUID());
    const before = await readAdopted(db);
    const adopted = { missing: [...before.missing, ...sides.missing], unknown: [...before.unknown, ...sides.unknown] };
    await writeFact(db, 'adopted', JSON.stringify(adopted));
    await writeFact(db, 'archive_id', id);
    replaceArchiveId(folder, id);
  });
}

async function withPairingLock<T>(pool: Pool, work: (db: Db) => Promise<T>): Promise<T> {
  return await inTransaction(pool, async (db) => {
    await db.query(sql`select pg_advisory_xact_lock(${pairingLock})`);
    return await work(db);
  });
}

async function writeFact(db: Db, name: 'archive_id' | 'adopted', value: string): Promise<void> {
  await db.query(sql`
    insert into archive_facts (name, value) values (${name}, ${value}) on conflict (name) do update set value = excluded.value`);
}
