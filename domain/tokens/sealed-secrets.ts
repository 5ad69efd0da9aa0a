import { CompactEncrypt, compactDecrypt } from 'jose';
import { limits } from '#contract/limits.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { type Statement, sql } from '../db/sql.ts';
import { OperatorFault } from '../system/operator-fault.ts';
import { pause } from '../system/pause.ts';
import { secretsChanged } from '../users/listen-for-rights.ts';
import { makeSecrets, makeSigningKey, parseSecrets, type Secrets, signingKeysMax, writeSecrets } from './secrets.ts';

/*
 * The secrets of an archive in its database, as a JWE (RFC 7516, `dir` with A256GCM) under a key that the database does not hold: whoever has a
 * copy of it, or a backup, makes no token of ours by it. Every machine is given that one key and reads the rest here.
 */

/** 32 bytes. */
export type SealingKey = Uint8Array;

/** A server knows of new secrets after so long, also where it has to find out first that its connection is dead. */
const knownEverywhereMs = 30_000;

/** No token that the key before has signed is good for longer; whoever got hold of that key signs nothing by it then. */
const keyBeforeGoodSeconds = 2 * limits.accessTokenLifetimeSeconds;

interface SealedRow {
  /** Null once they were taken out. */
  readonly sealed: string | null;
  /** Whether the key before, or one that was half-way brought in, has had its time. */
  readonly isSettled: boolean;
}

const sealedRow = sql`
  select sealed, changed_at < now() - make_interval(secs => ${keyBeforeGoodSeconds}) as "isSettled" from archive_secrets`;

/** The secrets that lie in the database; undefined where there are none. Throws an OperatorFault where this key does not open them. */
export async function readSealedSecrets(db: Db, key: SealingKey): Promise<Secrets | undefined> {
  return await unsealRow(await findRow(db, sealedRow), key);
}

/** Whether secrets lie in the database, by whatever key they are sealed, or were taken out of it. */
export async function findSealedState(db: Db): Promise<'none' | 'sealed' | 'taken out'> {
  const row = await findRow(db, sealedRow);
  if (!row) return 'none';
  return row.sealed === null ? 'taken out' : 'sealed';
}

/** Seals secrets and keeps them, unless another machine was first. Returns those that count from now on. */
export async function adoptSecrets(pool: Pool, key: SealingKey, own: Secrets): Promise<Secrets> {
  await keep(pool, await seal(own, key), sql`where archive_secrets.sealed is null`);
  return (await readSealedSecrets(pool, key)) ?? own;
}

/**
 * Makes a new signing key and keeps those before beside it, which open what they have signed. The new one signs once every server knows it: that
 * takes `knownMs`. Throws an OperatorFault where no secrets lie in the database, this key does not open them, or somebody else changed them meanwhile.
 */
export async function rotateSigningKey(pool: Pool, key: SealingKey, knownMs = knownEverywhereMs): Promise<void> {
  const fresh = makeSigningKey();
  const keepBehind = (all: Secrets['signingKeys']) => [...all.slice(0, signingKeysMax - 1), fresh];
  const before = await changeSecrets(pool, key, (secrets) => ({ ...secrets, signingKeys: keepBehind(secrets.signingKeys) }));
  await pause(knownMs);
  await changeSecrets(pool, key, (secrets) => {
    if (namesOfKeys(secrets.signingKeys) !== namesOfKeys(keepBehind(before)))
      throw new OperatorFault(
        'The secrets were changed by somebody else meanwhile, so the new key does not sign. Run npm run secrets -- rotate again.',
      );
    return { ...secrets, signingKeys: [fresh, ...secrets.signingKeys.slice(0, -1)] };
  });
}

/** Puts new secrets, sealed by this key, in the place of all that were there, whatever key had sealed those. */
export async function replaceSecrets(pool: Pool, key: SealingKey): Promise<void> {
  await keep(pool, await seal(makeSecrets(), key));
}

/** Takes the secrets out of the database. Gives them to `hold` as a file of secrets has them, which puts that where it lasts. Throws as `rotateSigningKey` does. */
export async function takeOutSecrets(pool: Pool, key: SealingKey, hold: (text: string) => void): Promise<void> {
  await inTransaction(pool, async (db) => {
    hold(writeSecrets(await lockSecrets(db, key)));
    await db.query(sql`update archive_secrets set sealed = null, changed_at = now()`);
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

function namesOfKeys(keys: Secrets['signingKeys']): string {
  return keys.map(({ kid }) => kid).join();
}

async function lockSecrets(db: Db, key: SealingKey): Promise<Secrets> {
  const secrets = await unsealRow(await findRow(db, sql`${sealedRow} for update`), key);
  if (secrets) return secrets;
  throw new OperatorFault(
    'No secrets lie in the database of this archive: they come there when a machine that serves pages is started with RUSHES_SECRETS_KEY.',
  );
}

async function findRow(db: Db, statement: Statement): Promise<SealedRow | undefined> {
  const { rows } = await db.query<SealedRow>(statement);
  return rows[0];
}

/** `unless` says where those that are there stay. Servers hear of it once it is done. */
async function keep(db: Db, sealed: string, unless = sql``): Promise<void> {
  await db.query(sql`
    with kept as (
      insert into archive_secrets (sealed) values (${sealed})
          on conflict (is_here) do update set sealed = excluded.sealed, changed_at = now() ${unless} returning is_here)
    select pg_notify(${secretsChanged}, '') from kept`);
}

async function seal(secrets: Secrets, key: SealingKey): Promise<string> {
  const text = new TextEncoder().encode(writeSecrets(secrets));
  return await new CompactEncrypt(text).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key);
}

async function unsealRow(row: SealedRow | undefined, key: SealingKey): Promise<Secrets | undefined> {
  if (!row || row.sealed === null) return undefined;
  const ways = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };
  const opened = await compactDecrypt(row.sealed, key, ways).catch(() => null);
  const secrets = opened && parseSecrets(new TextDecoder().decode(opened.plaintext));
  if (secrets) return row.isSettled ? { ...secrets, signingKeys: secrets.signingKeys.slice(0, 1) } : secrets;
  throw new OperatorFault(
    'RUSHES_SECRETS_KEY does not open the secrets that lie in the database: give every machine the key by which they were sealed. If it is lost, set a new one and run npm run secrets -- replace.',
  );
}
