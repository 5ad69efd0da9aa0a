import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PoolClient } from 'pg';
import { advisoryLocks } from '../db/advisory-locks.ts';
import type { Pool } from '../db/database.ts';
import { type HeldSession, holdSession } from '../db/hold-session.ts';
import { sql } from '../db/sql.ts';
import type { ArchiveFolder } from '../files/archive-folder.ts';
import { fingerprintStore, type S3Settings } from '../files/s3/s3-settings.ts';
import { sha256Of } from '../files/sha256.ts';
import { createOnce } from '../system/durable-file.ts';
import { OperatorFault } from '../system/operator-fault.ts';

/** What one machine of an archive is told from others by. */
export interface Machine {
  readonly folder: ArchiveFolder;
  /** Null where another service has the films, and there are no media to share. */
  readonly s3: S3Settings | undefined | null;
  /** By what its secrets are known to the others, and whether those of another are the same; undefined where it signs nothing. */
  readonly secrets: { readonly sign: string; fits(other: string): boolean } | undefined;
}

const sign = 'rushes-machine';
const fingerprint = (text: string) => sha256Of(text).slice(0, 12);
const elsewhere = 'elsewhere';
const storeOf = (s3: Machine['s3']) => (s3 ? fingerprintStore(s3) : s3 === null ? elsewhere : 'folder');

/**
 * Says to the other machines of this archive that this one is there, until it is released or gone. Throws an OperatorFault where they
 * cannot work together: without one store for all, with another one, or with other secrets.
 */
export async function holdMachine(pool: Pool, machine: Machine): Promise<HeldSession> {
  mkdirSync(machine.folder.root, { recursive: true, mode: 0o700 });
  const own = {
    machine: fingerprint(createOnce(join(machine.folder.root, 'machine-id'), `${randomUUID()}\n`)),
    store: storeOf(machine.s3),
    secrets: machine.secrets?.sign ?? '-',
  };
  return await holdSession(pool, async (client, time) => {
    const show = () =>
      client.query(sql`select set_config('application_name', ${[sign, own.machine, own.store, own.secrets].join(' ')}, false)`);
    // A machine that lost the connection is at work already.
    if (time === 'again') return void (await show());
    // One after the other: of two that start at once each would miss the other, or each refuse the other.
    await client.query(sql`select pg_advisory_lock(${advisoryLocks.startingMachine})`);
    try {
      for (const other of await findOthers(client, own.machine))
        refuseUnlike({ ...own, fits: machine.secrets?.fits ?? (() => true) }, other);
      await show();
    } finally {
      await client.query(sql`select pg_advisory_unlock(${advisoryLocks.startingMachine})`);
    }
  });
}

/** Whether a machine of this archive is there whose films lie in this store, or in its own folder where none is given. */
export async function isWorkedWith(pool: Pool, s3: S3Settings | undefined): Promise<boolean> {
  const { rowCount } = await pool.query(sql`
    select from pg_stat_activity where datname = current_database() and application_name like ${`${sign} % ${storeOf(s3)} %`}`);
  return (rowCount ?? 0) > 0;
}

interface Sign {
  readonly machine: string;
  readonly store: string;
  readonly secrets: string;
}

/** The other machines that are there. */
async function findOthers(client: PoolClient, own: string): Promise<Sign[]> {
  const { rows } = await client.query<{ name: string }>(sql`
    select application_name as name from pg_stat_activity where datname = current_database() and application_name like ${`${sign} %`}`);
  return rows
    .map(({ name }) => name.split(' '))
    .map(([, machine = '', store = '', secrets = '']) => ({ machine, store, secrets }))
    .filter(({ machine }) => machine !== own);
}

function refuseUnlike(own: Sign & { readonly fits: (secrets: string) => boolean }, other: Sign): void {
  if (own.store !== elsewhere && other.store !== elsewhere) refuseOtherStore(own, other);
  if (other.secrets !== '-' && !own.fits(other.secrets))
    throw new OperatorFault(
      'Another machine of this archive has different secrets, so sign-ins on one would not work on the other: give all of them one file of secrets by RUSHES_SECRETS, or one RUSHES_SECRETS_KEY. A machine that is the first with that key is to have the secrets of the others: name their file by RUSHES_SECRETS as well for that start.',
    );
}

function refuseOtherStore(own: Sign, other: Sign): void {
  if (own.store === 'folder' || other.store === 'folder')
    throw new OperatorFault(
      'Another machine works on this archive, and neither can reach media in the other’s data folder: set RUSHES_S3_ENDPOINT, RUSHES_S3_BUCKET and the keys to one store for all machines, or stop the other one.',
    );
  if (own.store !== other.store)
    throw new OperatorFault(
      'Another machine of this archive uses another media store: set RUSHES_S3_ENDPOINT and RUSHES_S3_BUCKET to the same values on all machines.',
    );
}
