import { CompactEncrypt, compactDecrypt } from 'jose';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { OperatorFault } from '../system/operator-fault.ts';
import { pause } from '../system/pause.ts';
import { secretsChanged } from '../users/listen-for-rights.ts';
import { makeSecrets, makeSigningKey, parseSecrets, type Secrets, writeSecrets } from './secrets.ts';

/*
 * The secrets of an archive in its database, as a JWE (RFC 7516, `dir` with A256GCM) under a key that the database does not hold: whoever has a
 * copy of it, or a backup, makes no token of ours by it. Every machine is given that one key and reads the rest here.
 */

/** 32 bytes. */
export type SealingKey = Uint8Array;

/** A server knows of new secrets after so long, also where it has to find out first that its connection is dead. */
const knownEverywhereMs = 30_000;

/** The secrets that lie in the database; undefined where there are none. Throws an OperatorFault where this key does not open them. */
export async function readSealedSecrets(db: Db, key: SealingKey): Promise<Secrets | undefined> {
  const { rows } = await db.query<{ sealed: string }>(sql`select sealed from archive_secrets`);
  return rows[0] && (await unseal(rows[0].sealed, key));
}

/** Whether the secrets lie in the database, by whatever key they are sealed. */
export async function hasSealedSecrets(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>(sql`select exists (select from archive_secrets) as has`);
  return rows[0]?.has ?? false;
}

/** Seals secrets and keeps them, unless another machine was first. Returns those that count from now on. */
export async function adoptSecrets(pool: Pool, key: SealingKey, own: Secrets): Promise<Secrets> {
  await pool.query(sql`insert into archive_secrets (sealed) values (${await seal(own, key)}) on conflict do nothing`);
  return (await readSealedSecrets(pool, key)) ?? own;
}

/**
 * Makes a new signing key and keeps the one before beside it, which opens what it has signed. The new one signs once every server knows it: that
 * takes `knownMs`. Throws an OperatorFault where no secrets lie in the database, or this key does not open them.
 */
export async function rotateSigningKey(pool: Pool, key: SealingKey, knownMs = knownEverywhereMs): Promise<void> {
  const fresh = makeSigningKey();
  const [before] = await changeSecrets(pool, key, (secrets) => ({ ...secrets, signingKeys: [...secrets.signingKeys.slice(0, 1), fresh] }));
  await pause(knownMs);
  await changeSecrets(pool, key, (secrets) => ({ ...secrets, signingKeys: before ? [fresh, before] : [fresh] }));
}

/** Puts new secrets, sealed by this key, in the place of all that were there, whatever key had sealed those. */
export async function replaceSecrets(pool: Pool, key: SealingKey): Promise<void> {
  await keep(pool, await seal(makeSecrets(), key));
}

/** Takes the secrets out of the database. Returns them as a file of secrets holds them, once `hold` has put that where it lasts. Throws as `rotateSigningKey` does. */
export async function takeOutSecrets(pool: Pool, key: SealingKey, hold: (text: string) => void): Promise<void> {
  await inTransaction(pool, async (db) => {
    hold(writeSecrets(await lockSecrets(db, key)));
    await db.query(sql`delete from archive_secrets`);
  });
}

/** Returns the signing keys as they were before. */
async function changeSecrets(pool: Pool, key: SealingKey, change: (secrets: Secrets) => Secrets): Promise<Secrets['signingKeys']> {
  return await inTransaction(pool, async (db) => {
    const secrets = await lockSecrets(db, key);
    await keep(db, await seal(change(secrets), key));
    return secrets.signingKeys;
  });
}

async function lockSecrets(db: Db, key: SealingKey): Promise<Secrets> {
  const { rows } = await db.query<{ sealed: string }>(sql`select sealed from archive_secrets for update`);
  if (!rows[0])
    throw new OperatorFault('No secrets lie in the database of this archive: it takes them up when it is started with RUSHES_SECRETS_KEY.');
  return await unseal(rows[0].sealed, key);
}

async function keep(db: Db, sealed: string): Promise<void> {
  await db.query(sql`
    with kept as (
      insert into archive_secrets (sealed) values (${sealed}) on conflict (is_here) do update set sealed = excluded.sealed, changed_at = now()
      returning is_here)
    select pg_notify(${secretsChanged}, '') from kept`);
}

async function seal(secrets: Secrets, key: SealingKey): Promise<string> {
  const text = new TextEncoder().encode(writeSecrets(secrets));
  return await new CompactEncrypt(text).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key);
}

async function unseal(sealed: string, key: SealingKey): Promise<Secrets> {
  const opened = await compactDecrypt(sealed, key, { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }).catch(
    () => null,
  );
  const secrets = opened && parseSecrets(new TextDecoder().decode(opened.plaintext));
  if (!secrets)
    throw new OperatorFault(
      'RUSHES_SECRETS_KEY does not open the secrets that lie in the database: give every machine the key by which they were sealed. If it is lost, set a new one and run npm run secrets -- replace.',
    );
  return secrets;
}
