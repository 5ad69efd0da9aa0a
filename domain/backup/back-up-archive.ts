/*
 * Snapshots of rows and files, into a folder or a bucket (backup-folder). Making one begins here, bringing one back in restore-archive;
 * contents keeps each file once, by its hash.
 */

import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { advisoryLocks } from '../db/advisory-locks.ts';
import { readFact } from '../db/archive-facts.ts';
import { directOf, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { ArchiveFiles } from '../files/open-archive-files.ts';
import { errorCode } from '../system/error-code.ts';
import { type BackupFolder, contentName } from './backup-folder.ts';
import { contentSet, passesFor } from './content-set.ts';
import { readPackedContent } from './contents.ts';
import { type DumpedFilm, dumpDatabase } from './dump-database.ts';
import { keepFiles, readFileList } from './file-list.ts';
import { type BackupPlace, makeBackupFolder } from './open-backup-folder.ts';
import { listSnapshots, readSnapshot, type Snapshot, writeSnapshot } from './snapshot.ts';
import { addToldBackups } from './tell-backups.ts';

export interface BackupRun {
  readonly folder: BackupFolder;
  /** Name of the snapshot that was made. */
  readonly name: string;
  readonly snapshot: Snapshot;
  /** Bytes of files that were read; the others were kept before. */
  readonly newBytes: number;
  /** Snapshots that went because only `keep` shall stay. */
  readonly dropped: readonly string[];
}

interface BackupOptions {
  readonly pool: Pool;
  readonly archive: ArchiveFiles;
  readonly to: BackupPlace;
  /** How many snapshots stay; all of them when undefined. */
  readonly keep?: number | undefined;
  /** How many contents are remembered at once when snapshots go; as many as fit well when undefined. */
  readonly contentsAtOnce?: number | undefined;
}

/**
 * Makes a snapshot of the archive while it goes on: the database as of one instant, then the files. A run that is killed leaves no
 * snapshot, and the next one goes on from the files it kept. Throws a sentence when the folder cannot be used, another backup runs, or
 * the disk is full. What the archive itself lacks is in the snapshot's `problems`.
 */
export async function backUpArchive({ pool, archive, to, keep, contentsAtOnce }: BackupOptions): Promise<BackupRun> {
  return await withBackupLock(pool, async () => {
    const id = await archiveId(pool);
    const folder = await makeBackupFolder(to, { archive: id, dataFolder: archive.folder.root });
    const run = await makeSnapshot({ pool, archive }, folder, id).finally(() => folder.files.close());
    await clearIncoming(folder, () => true);
    const dropped = keep === undefined ? [] : await dropOldSnapshots(folder, { keep, name: run.name, contentsAtOnce });
    return { folder, ...run, dropped };
  }).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOSPC') throw error;
    throw new Error(
      `The disk of ${typeof to === 'string' ? to : to.incoming} is full. Free some space, or use another disk; the next run continues from there.`,
      {
        cause: error,
      },
    );
  });
}

async function makeSnapshot({ pool, archive }: Pick<BackupOptions, 'pool' | 'archive'>, folder: BackupFolder, id: string) {
  const at = new Date().toISOString();
  await addToldBackups(pool, folder);
  await clearIncoming(folder, (part) => !part.startsWith('list-'));
  const before = await newestReadable(folder);
  const { dump, films } = await dumpDatabase(pool, folder);
  const files = await keepFiles({ archive, folder, films, before, stillKnown: (some) => knownFilms(pool, some) });
  const snapshot: Snapshot = { format: 1, archive: id, at, database: dump, files: files.list, problems: [...files.problems] };
  return { name: await writeSnapshot(folder, snapshot), snapshot, newBytes: files.newBytes };
}

/** Names the archive for all time: a folder of backups belongs to one, and a restored archive goes on with the same. */
async function archiveId(pool: Pool): Promise<string> {
  await pool.query(sql`
    insert into archive_facts (name, value) values ('backup_id', ${randomUUID()}) on conflict (name) do nothing`);
  return (await readFact(pool, 'backup_id')) ?? '';
}

/** Those that the archive has still, with the original that they had. */
async function knownFilms(pool: Pool, films: readonly DumpedFilm[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(sql`
    select v.id from unnest(${films.map(({ id }) => id)}::text[], ${films.map(({ contentHash }) => contentHash)}::text[]) as f (id, hash)
      join videos v on v.id = f.id and v.content_hash is not distinct from f.hash
     where v.state <> 'Failed'`);
  return rows.map(({ id }) => id);
}

/** A snapshot that cannot be read costs the next one time, and nothing else. */
async function newestReadable(folder: BackupFolder): Promise<Snapshot | undefined> {
  for (const name of (await listSnapshots(folder)).reverse()) {
    const snapshot = await readSnapshot(folder, name).catch(() => undefined);
    if (snapshot) return snapshot;
  }
  return undefined;
}

async function clearIncoming({ incoming }: BackupFolder, goes: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(incoming)) if (goes(name)) await rm(join(incoming, name), { force: true });
}

/** One backup of an archive at a time. The database ends the lock with its connection, however this process ends. */
async function withBackupLock<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const client = await directOf(pool).connect();
  try {
    const { rows } = await client.query<{ mine: boolean }>(sql`select pg_try_advisory_lock(${advisoryLocks.backingUp}) as mine`);
    if (rows[0]?.mine !== true) throw new Error('Another backup of this archive is running. Wait until it has finished.');
    return await work();
  } finally {
    // Given back before anybody hears how it went; a connection that is broken keeps no lock.
    await client.query(sql`select pg_advisory_unlock_all()`).then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    );
  }
}

/**
 * Removes all snapshots but `keep`, the newest and the one that was just made, which a clock that was set back puts before them, and the contents that none of those names. Throws, and removes no content, when one that
 * stays cannot be read: nobody knows then what it needs.
 */
async function dropOldSnapshots(folder: BackupFolder, { keep, name, contentsAtOnce }: Dropping): Promise<string[]> {
  const others = (await listSnapshots(folder)).filter((one) => one !== name);
  const dropped = others.slice(0, Math.max(0, others.length - (keep - 1)));
  if (dropped.length === 0) return [];
  const staying: Snapshot[] = [];
  for (const one of [...others.slice(dropped.length), name]) staying.push(await readSnapshot(folder, one));
  const left = new Set(dropped);
  for (const isOfPass of passesFor(Math.max(...staying.map(({ files }) => files.count)), contentsAtOnce)) {
    const needed = contentSet();
    for (const snapshot of staying) await addContentsOf(folder, snapshot, (sha256) => isOfPass(sha256) && needed.add(sha256));
    // All that stays was read once: only now does anything go.
    for (const one of left) await folder.files.remove(folder.snapshot(one));
    left.clear();
    await removeContents(folder, (sha256) => isOfPass(sha256) && !needed.has(sha256));
  }
  return dropped;
}

interface Dropping {
  readonly keep: number;
  readonly name: string;
  readonly contentsAtOnce: number | undefined;
}

async function addContentsOf(folder: BackupFolder, { database, files }: Snapshot, add: (sha256: string) => void): Promise<void> {
  for (const { sha256 } of [...database.tables, files]) add(sha256);
  for await (const { sha256 } of readFileList(readPackedContent(folder, files))) add(sha256);
}

async function removeContents(folder: BackupFolder, goes: (sha256: string) => boolean): Promise<void> {
  for await (const path of folder.files.list(folder.contents)) {
    const sha256 = basename(path);
    if (contentName.test(sha256) && goes(sha256)) await folder.files.remove(folder.content(sha256));
  }
}
