import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { syncFolder } from '../../system/durable-file.ts';
import { errorCodeOf } from '../../system/error-code.ts';
import { OperatorFault } from '../../system/operator-fault.ts';
import { lockFolder, runInitdb } from '../postgres-processes.ts';
import { applicationRole, readPasswords, sealCluster, superuser } from './pg-passwords.ts';
import { findPostmaster, majorsIn, makePgPlace, type PgPlace, postgresMajor, refuseNetworkDisk, removeStalePidFiles } from './pg-place.ts';

/** What `pg` needs to connect, but for the name of a database. */
export interface PgLogin {
  /** Socket folder. */
  readonly host: string;
  readonly user: string;
  readonly password: string;
}

export interface LocalPg {
  /** The role that the archive works as; it may make nothing of its own before it is given a database. */
  readonly application: PgLogin;
  /** May do everything. */
  readonly superuser: PgLogin;
  /** Starts the server again whenever it dies, until `stop` is called. */
  keepRunning(): void;
  /** Ends the server when nobody else is connected; waits until it is gone. */
  stop(): Promise<void>;
}

export interface LocalPgOptions {
  /** It ends when this process dies, also by SIGKILL. */
  readonly tied?: boolean;
  /** Whether it may lie on a FUSE file system. */
  readonly allowsFuse?: boolean;
  /** Asked before a new, empty database is made where there is none; throws when there must not be one. */
  readonly mayInitialise?: () => Promise<void> | void;
  /** How long a server that somebody else runs may take to answer; a minute when missing. */
  readonly patienceMs?: number;
}

const lookEveryMs = 1_000;
const tryAgainMs = 100;
const startAgainMs = 1_500;

/**
 * Starts the PostgreSQL under `folder`, or adopts the one that already runs there; safe to call from several processes at once, in
 * whatever containers: the kernel lets one of them start it. Throws an OperatorFault where it can neither be started nor adopted.
 */
export async function startLocalPg(folder: string, options: LocalPgOptions = {}): Promise<LocalPg> {
  const place = makePgPlace(folder, { tied: options.tied ?? false });
  refuseNetworkDisk(folder, { allowsFuse: options.allowsFuse ?? false });
  await untilAnswering(place, options);
  let watch: NodeJS.Timeout | undefined;
  const passwords = readPasswords(folder);
  return {
    application: { host: place.host, user: applicationRole, password: passwords?.application ?? '' },
    superuser: { host: place.host, user: superuser, password: passwords?.superuser ?? '' },
    keepRunning: () => {
      watch ??= keepLooking(place);
    },
    stop: () => {
      clearInterval(watch);
      return stopUnlessUsed(place);
    },
  };
}

async function untilAnswering(place: PgPlace, { patienceMs = 60_000, mayInitialise }: LocalPgOptions): Promise<void> {
  let giveUpAt = Date.now() + patienceMs;
  let tryAt = 0;
  let started = false;
  for (;;) {
    const answer = await knock(place);
    if (answer === 'open') return;
    if (answer === 'locked') throw new OperatorFault(describeOtherVersion(place));
    // It may have much to recover.
    if (answer === 'starting') giveUpAt = Date.now() + patienceMs;
    if (Date.now() > giveUpAt) throw new OperatorFault(started ? didNotStart(place) : heldByAnother(place));
    if (answer === 'silent' && Date.now() > tryAt && findPostmaster(place.dataFolder) === undefined) {
      const starts = await startUnlessLocked(place, mayInitialise);
      started ||= starts;
      tryAt = Date.now() + (starts ? startAgainMs : tryAgainMs);
    }
    await wait(25);
  }
}

/** The truth about readiness is a connection; a pid file outlives its process. */
async function knock({ folder, host }: PgPlace): Promise<'open' | 'starting' | 'locked' | 'silent'> {
  const password = readPasswords(folder)?.application ?? '';
  const client = new pg.Client({ host, user: applicationRole, password, database: 'postgres', connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return 'open';
  } catch (error) {
    if (errorCodeOf(error) === '57P03') return 'starting';
    return /^28/.test(errorCodeOf(error)) ? 'locked' : 'silent';
  } finally {
    await client.end().catch(() => {});
  }
}

/** Makes, mends and starts the database as the only one who may; false when somebody else holds the folder. */
async function startUnlessLocked(place: PgPlace, mayInitialise: LocalPgOptions['mayInitialise']): Promise<boolean> {
  const lock = await lockFolder(place);
  if (!lock) return false;
  try {
    // A server of the version before holds no lock.
    if (findPostmaster(place.dataFolder) !== undefined) {
      await lock.release();
      return false;
    }
    refuseOtherMajors(place);
    if (existsSync(place.dataFolder)) {
      removeStalePidFiles(place);
      sealCluster(place.dataFolder, place);
    } else {
      await mayInitialise?.();
      initialise(place);
    }
    lock.start();
    return true;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** What a newer version left is not to be passed over, and what an older one left not to be forgotten beside a new, empty database. */
function refuseOtherMajors({ folder, dataFolder }: PgPlace): void {
  const newest = Math.max(0, ...majorsIn(folder));
  if (newest > postgresMajor)
    throw new OperatorFault(
      `${folder} contains a PostgreSQL ${newest} database, which this version of Rushes cannot read: start the newer version again, or restore a backup into another RUSHES_DATA.`,
    );
  if (newest > 0 && !existsSync(dataFolder))
    throw new OperatorFault(
      `${folder} contains a PostgreSQL ${newest} database, and this version of Rushes needs ${postgresMajor}: make a backup with the previous version, and restore it with this one into another RUSHES_DATA.`,
    );
}

/** Made under another name and renamed, so that a process killed half way leaves nothing that looks whole. */
function initialise(place: PgPlace): void {
  const { folder, dataFolder } = place;
  for (const name of readdirSync(folder)) {
    if (name.startsWith(`pg${postgresMajor}.`)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  const draft = `${dataFolder}.${process.pid}-${Date.now().toString(36)}`;
  runInitdb(draft, place);
  sealCluster(draft, place);
  renameSync(draft, dataFolder);
  syncFolder(folder);
}

function keepLooking(place: PgPlace): NodeJS.Timeout {
  let isLooking = false;
  const look = async () => {
    if (isLooking || findPostmaster(place.dataFolder) !== undefined) return;
    isLooking = true;
    // One in another container answers. A failure shows in every query, and the next look tries again.
    await untilAnswering(place, { mayInitialise: refuseToInitialise }).catch(() => {});
    isLooking = false;
  };
  return setInterval(() => void look(), lookEveryMs).unref();
}

/** A database that vanished while it was used is not replaced by an empty one. */
function refuseToInitialise(): never {
  throw new Error('The database is gone.');
}

async function stopUnlessUsed({ folder, host, dataFolder }: PgPlace): Promise<void> {
  const password = readPasswords(folder)?.superuser ?? '';
  const client = new pg.Client({ host, user: superuser, password, database: 'postgres', connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const others = await client.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    if ((others.rows[0]?.n ?? 0) > 0) return;
  } catch {
    // Already gone, or going: the signal below finds out.
  } finally {
    await client.end().catch(() => {});
  }
  // One that runs in another container is ended by who started it.
  const pid = findPostmaster(dataFolder);
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    // It ended by itself.
  }
  while (findPostmaster(dataFolder) === pid) await wait(10);
}

function didNotStart({ logFile }: PgPlace): string {
  return `PostgreSQL did not start; its log is ${logFile}.`;
}

function heldByAnother({ folder, host }: PgPlace): string {
  return `Another process, perhaps in another container, is using the database in ${folder} and does not answer at ${host}: stop it, or wait until it has ended, and start again.`;
}

function describeOtherVersion({ folder }: PgPlace): string {
  return `The database in ${folder} is run by another version of Rushes, or its passwords.json has changed: stop every process of this archive and start again.`;
}
