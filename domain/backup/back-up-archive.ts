/*
 * Snapshots of rows and files, into a folder or a bucket (backup-folder). Making one begins here, bringing one back in restore-archive;
 * contents keeps each file once, by its hash.
 */

import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { advisoryLocks } from '../db/advisory-locks.ts';
import { readAdopted, readFact } from '../db/archive-facts.ts';
import { directOf, type Pool } from '../db/database.ts';
import { untilLost } from '../db/hold-session.ts';
import { sql } from '../db/sql.ts';
import type { ArchiveFiles } from '../files/open-archive-files.ts';
import { errorCodeOf } from '../system/error-code.ts';
import { OperatorFault } from '../system/operator-fault.ts';
import { type BackupFolder, contentName } from './backup-folder.ts';
import { makeContentSet, passesFor } from './content-set.ts';
import { readPackedContent } from './contents.ts';
import { type DumpedFilm, dumpDatabase } from './dump-database.ts';
import { keepFiles, readFileList } from './file-list.ts';
import { type BackupPlace, makeBackupFolder } from './open-backup-folder.ts';
import { listSnapshots, readSnapshot, type Snapshot, writeSnapshot } from './snapshot.ts';
import { addToldBackups, foldersBackedUpTo } from './tell-backups.ts';

export interface BackupRun {
  readonly folder: BackupFolder;
  /** Name of the snapshot that was made. */
  readonly name: string;
  readonly snapshot: Snapshot;
  /** Bytes of files that were read; the others were kept before. */
  readonly newBytes: number;
  /** Snapshots that went because only `keep` shall stay. */
  readonly dropped: readonly string[];
  /** Snapshots that should have gone and stay, for they may hold what the new one lacks. */
  readonly heldBack: readonly string[];
}

interface BackupOptions {
  readonly pool: Pool;
  readonly archive: ArchiveFiles;
  readonly to: BackupPlace;
  /** How many snapshots stay; all of them when undefined. */
  readonly keep?: number | undefined;
  /** Whether a folder that held backups of this archive and holds none now is taken for a new one. */
  readonly beginsAnew?: boolean | undefined;
  /** How many contents are remembered at once when snapshots go; as many as fit well when undefined. */
  readonly contentsAtOnce?: number | undefined;
}

/**
 * Makes a snapshot of the archive while it goes on: the database as of one instant, then the files. A run that is killed leaves no
 * snapshot, and the next one goes on from the files it kept. Throws a sentence when the folder cannot be used, another backup runs or may
 * have begun, or the disk is full. What the archive itself lacks is in the snapshot's `problems`.
 */
export async function backUpArchive({ pool, archive, to, keep, beginsAnew = false, contentsAtOnce }: BackupOptions): Promise<BackupRun> {
  return await withBackupLock(pool, async (requireLock) => {
    await refuseWithoutArchive(pool);
    const id = await ensureArchiveId(pool);
    const known = beginsAnew ? [] : await foldersBackedUpTo(pool);
    const folder = await makeBackupFolder(to, { archive: id, dataFolder: archive.folder.root, known });
    const run = await makeSnapshot({ pool, archive, requireLock }, folder, id).finally(() => folder.files.close());
    requireLock();
    await clearIncoming(folder, () => true);
    const going = keep === undefined ? nothingGoes : await dropOldSnapshots(folder, { keep, ...run, contentsAtOnce, requireLock });
    return { folder, ...run, ...going };
  }).catch((error: unknown) => {
    if (errorCodeOf(error) !== 'ENOSPC') throw error;
    throw new Error(
      `The disk of ${typeof to === 'string' ? to : to.incoming} is full. Free some space, or use another disk; the next run continues from there.`,
      {
        cause: error,
      },
    );
  });
}

/** Throws when another run may have begun meanwhile. */
interface LockHolder {
  readonly requireLock: () => void;
}

async function makeSnapshot(
  { pool, archive, requireLock }: Pick<BackupOptions, 'pool' | 'archive'> & LockHolder,
  folder: BackupFolder,
  id: string,
) {
  const at = new Date().toISOString();
  await addToldBackups(pool, folder);
  await clearIncoming(folder, (part) => !part.startsWith('list-'));
  const before = await readNewestSnapshot(folder);
  const { dump, films } = await dumpDatabase(pool, folder);
  const givenUp = new Set((await readAdopted(pool)).missing);
  const files = await keepFiles({ archive, folder, films, before, stillKnown: (some) => findKnownFilms(pool, some), givenUp, requireLock });
  requireLock();
  const snapshot: Snapshot = { format: 1, archive: id, at, database: dump, files: files.list, problems: [...files.problems] };
  return { name: await writeSnapshot(folder, snapshot), snapshot, newBytes: files.newBytes };
}

/** An empty database is one that somebody named by mistake. */
async function refuseWithoutArchive(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ there: boolean }>(sql`select to_regclass('public.migrations') is not null as there`);
  if (rows[0]?.there !== true) throw new OperatorFault('This database contains no archive. Correct DATABASE_URL or RUSHES_DATA.');
}

/** Names the archive for all time: a folder of backups belongs to one, and a restored archive goes on with the same. */
async function ensureArchiveId(pool: Pool): Promise<string> {
  await pool.query(sql`
    insert into archive_facts (name, value) values ('backup_id', ${randomUUID()}) on conflict (name) do nothing`);
  return (await readFact(pool, 'backup_id')) ?? '';
}

/** Those that the archive has still, with the original that they had. */
async function findKnownFilms(pool: Pool, films: readonly DumpedFilm[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(sql`
    select v.id from unnest(${films.map(({ id }) => id)}::text[], ${films.map(({ contentHash }) => contentHash)}::text[]) as f (id, hash)
      join videos v on v.id = f.id and v.content_hash is not distinct from f.hash
     where v.state <> 'Failed'`);
  return rows.map(({ id }) => id);
}

/** A snapshot that cannot be read costs the next one time, and nothing else. */
async function readNewestSnapshot(folder: BackupFolder): Promise<Snapshot | undefined> {
  for (const name of (await listSnapshots(folder)).reverse()) {
    const snapshot = await readSnapshot(folder, name).catch(() => undefined);
    if (snapshot) return snapshot;
  }
  return undefined;
}

async function clearIncoming({ incoming }: BackupFolder, goes: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(incoming)) if (goes(name)) await rm(join(incoming, name), { force: true });
}

/** A run may be busy with itself for a while before it hears an answer. */
const lostWhenSilentMs = 60_000;

/**
 * One backup of an archive at a time. The database ends the lock with its connection, however this process ends; where the connection is
 * lost before, another run may begin, and `requireLock` throws from then on: two would tidy up what the other has just brought.
 */
async function withBackupLock<T>(pool: Pool, work: (requireLock: () => void) => Promise<T>): Promise<T> {
  const client = await directOf(pool).connect();
  const [over, lost] = [new AbortController(), new AbortController()];
  const requireLock = () => {
    if (lost.signal.aborted)
      throw new OperatorFault(
        'The database was away while the backup ran, so that another one may have begun. The next run continues from there.',
      );
  };
  try {
    const { rows } = await client.query<{ mine: boolean }>(sql`select pg_try_advisory_lock(${advisoryLocks.backingUp}) as mine`);
    if (rows[0]?.mine !== true) throw new Error('Another backup of this archive is running. Wait until it has finished.');
    void untilLost(client, over.signal, lostWhenSilentMs).then(() => {
      if (!over.signal.aborted) lost.abort();
    });
    return await work(requireLock);
  } finally {
    over.abort();
    // Given back before anybody hears how it went; a connection that is broken keeps no lock.
    await client.query(sql`select pg_advisory_unlock_all()`).then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    );
  }
}

const nothingGoes = { dropped: [], heldBack: [] };

/**
 * Removes all snapshots but `keep`, the newest and the one that was just made, which a clock that was set back puts before them, and the
 * contents that none of those names. What the new one lacks of the archive, such as films whose disk is away, stays in the newest that
 * does not lack it. Throws, and removes no content, when one that stays cannot be read: nobody knows then what it needs.
 */
async function dropOldSnapshots(folder: BackupFolder, { keep, name, snapshot, contentsAtOnce, requireLock }: Dropping & LockHolder) {
  const others = (await listSnapshots(folder)).filter((one) => one !== name);
  const old = others.slice(0, Math.max(0, others.length - (keep - 1)));
  if (old.length === 0) return nothingGoes;
  const staying = [snapshot];
  for (const one of others.slice(old.length)) staying.push(await readSnapshot(folder, one));
  const held = await holdBack(folder, old, staying);
  staying.push(...held.values());
  const dropped = old.filter((one) => !held.has(one));
  const left = new Set(dropped);
  for (const isOfPass of passesFor(Math.max(...staying.map(({ files }) => files.count)), contentsAtOnce)) {
    const needed = makeContentSet();
    for (const snapshot of staying) await addContentsOf(folder, snapshot, (sha256) => isOfPass(sha256) && needed.add(sha256));
    requireLock();
    // All that stays was read once: only now does anything go.
    for (const one of left) await folder.files.remove(folder.snapshot(one));
    left.clear();
    await removeContents(folder, (sha256) => isOfPass(sha256) && !needed.has(sha256));
  }
  return { dropped, heldBack: [...held.keys()] };
}

/** Those of the `old` snapshots that may hold what all that stay lack: for each such problem the newest one that does not have it. */
async function holdBack(folder: BackupFolder, old: readonly string[], staying: readonly Snapshot[]): Promise<Map<string, Snapshot>> {
  const [first, ...more] = staying.map(({ problems }) => new Set(problems));
  const lacking = new Set([...(first ?? [])].filter((problem) => more.every((problems) => problems.has(problem))));
  const held = new Map<string, Snapshot>();
  for (const name of old.toReversed()) {
    if (lacking.size === 0) break;
    // One that cannot be read holds nothing for anybody.
    const snapshot = await readSnapshot(folder, name).catch(() => undefined);
    const problems = new Set(snapshot?.problems);
    const holds = [...lacking].filter((problem) => !problems.has(problem));
    if (!snapshot || holds.length === 0) continue;
    held.set(name, snapshot);
    for (const problem of holds) lacking.delete(problem);
  }
  return held;
}

interface Dropping {
  readonly keep: number;
  readonly name: string;
  readonly snapshot: Snapshot;
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
