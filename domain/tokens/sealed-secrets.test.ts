import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { until } from '#testing/until.ts';
import { listenForRights } from '../users/listen-for-rights.ts';
import { openSecrets, signSecrets } from './open-secrets.ts';
import { findSealedState, readSealedSecrets, replaceSecrets, rotateSigningKey, takeOutSecrets } from './sealed-secrets.ts';
import { loadSecrets, parseSecrets, readOwnSecrets, type Secrets, signingKeysMax, writeSecrets } from './secrets.ts';
import { makePosterThumbnailId, readThumbnailId } from './thumbnail-ids.ts';
import { mintUserBearer, verifyUserBearer } from './user-bearer.ts';

const key = new Uint8Array(randomBytes(32));
const whose = { uid: 'somebody', sid: 'a-session' };
let root: string;
let database: TestDatabase;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'rushes-sealed-'));
  database = await createTestDatabase();
});
afterEach(async () => {
  await database.drop();
  rmSync(root, { recursive: true, force: true });
});

const never = (message: string) => {
  throw new Error(message);
};

function open(machine: string, { secretsKey = key, secretsFile }: { secretsKey?: Uint8Array | undefined; secretsFile?: string } = {}) {
  return openSecrets(database.pool, { dataFolder: join(root, machine), secretsKey, secretsFile }, never);
}

test('the first machine with a key brings its own secrets into the database, which the others read, and no copy of it shows one', async () => {
  const before = loadSecrets(join(root, 'first'));
  const written = writeSecrets(before);
  const first = await open('first');
  expect(first.secrets).toEqual(before);
  loadSecrets(join(root, 'second'));
  const second = await open('second');
  expect(second.secrets).toEqual(before);
  expect(await verifyUserBearer(second.secrets, await mintUserBearer(first.secrets, whose))).toEqual(whose);
  const { rows } = await database.pool.query<{ sealed: string }>('select sealed from archive_secrets');
  expect(secretsShownBy(rows[0]?.sealed ?? '', before)).toBe(0);
  expect(secretsShownBy(`a.b.${Buffer.from(written).toString('base64url')}.c`, before)).toBe(3);
  // In the clear they would come into every backup.
  expect([readOwnSecrets(join(root, 'first')), readOwnSecrets(join(root, 'second'))]).toEqual([undefined, undefined]);
});

/** How many of these secrets can be read in a text whose parts are base64url. */
function secretsShownBy(text: string, { signingKeys, thumbnailKey, signInSecret }: Secrets): number {
  const all = [...signingKeys.map(({ bytes }) => bytes), thumbnailKey].map((bytes) => Buffer.from(bytes).toString('base64url'));
  const parts = [text, ...text.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))];
  return [...all, signInSecret].filter((secret) => parts.some((part) => part.includes(secret))).length;
}

test('machines that have the secrets in a file go on beside the first one with a key, and others are told apart', async () => {
  const own = loadSecrets(join(root, 'by-file'));
  const file = join(root, 'shared.json');
  writeFileSync(file, writeSecrets(own));
  const signOf = (secretsKey: Uint8Array | undefined, secretsFile: string | undefined, machine = 'new') =>
    signSecrets(database.pool, { dataFolder: join(root, machine), secretsKey, secretsFile });
  const byFile = await signOf(undefined, file);
  const other = await signOf(undefined, undefined, 'another');
  const byKey = await signOf(key, file);
  expect([byKey.fits(byFile.sign), byKey.fits(byKey.sign), byKey.fits(other.sign)]).toEqual([true, true, false]);
  expect((await signOf(key, undefined)).fits(byFile.sign)).toBe(false);
  // To look at them has brought them nowhere.
  expect(await findSealedState(database.pool)).toBe('none');
  await open('first', { secretsFile: file });
  const later = await signOf(key, undefined);
  expect([later.fits(byFile.sign), later.fits(other.sign)]).toEqual([true, false]);
  await expect(signOf(undefined, file)).rejects.toThrow(/lie in its database: set RUSHES_SECRETS_KEY/);
});

test('machines that start at once with secrets of their own agree on one', async () => {
  const machines = ['a', 'b', 'c', 'd'];
  for (const machine of machines) loadSecrets(join(root, machine));
  const opened = await Promise.all(machines.map((machine) => open(machine)));
  expect(new Set(opened.map(({ secrets }) => secrets.signInSecret)).size).toBe(1);
});

test('another key opens nothing, no key is not enough, and both are told what to do', async () => {
  await open('first');
  await expect(open('second', { secretsKey: new Uint8Array(randomBytes(32)) })).rejects.toThrow(
    /^RUSHES_SECRETS_KEY does not open the secrets/,
  );
  const withoutKey = { dataFolder: join(root, 'third'), secretsKey: undefined, secretsFile: undefined };
  await expect(openSecrets(database.pool, withoutKey, never)).rejects.toThrow(/lie in its database: set RUSHES_SECRETS_KEY/);
});

test('a new signing key signs once every server knows it, and what the one before has signed stays good', async () => {
  const servers = [await open('first'), await open('second')];
  const heard = servers.map(({ readAgain }) =>
    listenForRights(database.pool, { user: () => {}, film: () => {}, secrets: () => void readAgain() }),
  );
  try {
    const [first, second] = servers.map(({ secrets }) => secrets);
    if (!first || !second) throw new Error('two servers');
    const [old] = first.signingKeys;
    const token = await mintUserBearer(first, whose);
    const signedBy = () => [first, second].map((secrets) => secrets.signingKeys[0]?.kid);
    // The listening servers are asked until they know it, in the place of a time that is long enough.
    const rotated = rotateSigningKey(database.pool, key, 2_000);
    await until(async () => [first, second].every((secrets) => secrets.signingKeys.length === 2));
    expect(signedBy()).toEqual([old?.kid, old?.kid]);
    await rotated;
    await until(async () => signedBy().every((kid) => kid !== old?.kid));
    expect(await verifyUserBearer(second, token)).toEqual(whose);
    expect(await verifyUserBearer(second, await mintUserBearer(first, whose))).toEqual(whose);
  } finally {
    await Promise.all(heard.map((one) => one.stop()));
  }
});

test('what is changed while a new key is on its way stays, and the new key does not sign', async () => {
  const { secrets: before } = await open('first');
  const rotated = rotateSigningKey(database.pool, key, 500);
  await until(async () => (await readSealedSecrets(database.pool, key))?.signingKeys.length === 2);
  await replaceSecrets(database.pool, key);
  const replaced = await readSealedSecrets(database.pool, key);
  await expect(rotated).rejects.toThrow(/changed by somebody else meanwhile.+rotate again/);
  expect(await readSealedSecrets(database.pool, key)).toEqual(replaced);
  expect(replaced?.signingKeys.map(({ kid }) => kid)).not.toContain(before.signingKeys[0]?.kid);
});

test('a second change within the two hours leaves what the key before both has signed', async () => {
  const { secrets: before } = await open('first');
  const token = await mintUserBearer(before, whose);
  await rotateSigningKey(database.pool, key, 0);
  await rotateSigningKey(database.pool, key, 0);
  const { secrets } = await open('first');
  expect(secrets.signingKeys.map(({ kid }) => kid).indexOf(before.signingKeys[0]?.kid ?? '')).toBe(2);
  expect(await verifyUserBearer(secrets, token)).toEqual(whose);
  for (let more = 0; more < signingKeysMax; more++) await rotateSigningKey(database.pool, key, 0);
  expect((await open('first')).secrets.signingKeys).toHaveLength(signingKeysMax);
});

test('two hours after a change the key before opens nothing any more', async () => {
  const { secrets: before } = await open('first');
  const token = await mintUserBearer(before, whose);
  await rotateSigningKey(database.pool, key, 0);
  const keysNow = async () => (await open('first')).secrets.signingKeys.length;
  expect(await keysNow()).toBe(2);
  await database.pool.query("update archive_secrets set changed_at = now() - interval '119 minutes'");
  expect(await keysNow()).toBe(2);
  await database.pool.query("update archive_secrets set changed_at = now() - interval '121 minutes'");
  expect(await keysNow()).toBe(1);
  await expect(verifyUserBearer((await open('first')).secrets, token)).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('secrets that are replaced open nothing of before on a server that runs, addresses of pictures among it', async () => {
  const { secrets, readAgain } = await open('first');
  const picture = makePosterThumbnailId(secrets, '0123456789');
  const token = await mintUserBearer(secrets, whose);
  const opened = () => readThumbnailId(secrets, { videoId: '0123456789', caller: '', thumbnailId: picture });
  expect(opened()).not.toBe(null);
  const { thumbnailKey } = secrets;
  await readAgain();
  expect(secrets.thumbnailKey).toBe(thumbnailKey);
  await replaceSecrets(database.pool, key);
  await readAgain();
  expect(opened()).toBe(null);
  expect(makePosterThumbnailId(secrets, '0123456789')).not.toBe(picture);
  await expect(verifyUserBearer(secrets, token)).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('a time that the secrets cannot be read is told and changes nothing, and the next one counts', async () => {
  const told: string[] = [];
  const settings = { dataFolder: join(root, 'first'), secretsKey: key, secretsFile: undefined };
  const { secrets, readAgain } = await openSecrets(database.pool, settings, (message) => told.push(message));
  const [before] = secrets.signingKeys;
  await replaceSecrets(database.pool, new Uint8Array(randomBytes(32)));
  await readAgain();
  expect([told.length, secrets.signingKeys[0]?.kid]).toEqual([1, before?.kid]);
  await replaceSecrets(database.pool, key);
  await Promise.all([readAgain(), readAgain()]);
  expect([told.length, secrets.signingKeys[0]?.kid === before?.kid]).toEqual([1, false]);
});

test('secrets whose key was lost are replaced under a new one, and what they signed opens nothing', async () => {
  const { secrets: before } = await open('first');
  const token = await mintUserBearer(before, whose);
  const newKey = new Uint8Array(randomBytes(32));
  await replaceSecrets(database.pool, newKey);
  const { secrets } = await open('first', { secretsKey: newKey });
  await expect(verifyUserBearer(secrets, token)).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('secrets that are taken out are the same in their file, and lie nowhere else; where the file cannot be kept they stay', async () => {
  const { secrets } = await open('first');
  await expect(takeOutSecrets(database.pool, key, () => never('the disk is full'))).rejects.toThrow('the disk is full');
  expect(await readSealedSecrets(database.pool, key)).toEqual({ ...secrets });
  let text = '';
  await takeOutSecrets(database.pool, key, (told) => {
    text = told;
  });
  expect(parseSecrets(text)).toEqual({ ...secrets });
  expect(await readSealedSecrets(database.pool, key)).toBeUndefined();
  await expect(rotateSigningKey(database.pool, key, 0)).rejects.toThrow(/No secrets lie in the database/);
  // A machine that starts again as it was is not to make others.
  await expect(open('first')).rejects.toThrow(/were taken out of its database: name the file with them by RUSHES_SECRETS/);
  const file = join(root, 'taken-out.json');
  writeFileSync(file, text);
  expect((await open('first', { secretsFile: file, secretsKey: new Uint8Array(randomBytes(32)) })).secrets).toEqual(secrets);
});
