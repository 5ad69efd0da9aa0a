import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { until } from '#testing/until.ts';
import { listenForRights } from '../users/listen-for-rights.ts';
import { openSecrets } from './open-secrets.ts';
import { readSealedSecrets, replaceSecrets, rotateSigningKey, takeOutSecrets } from './sealed-secrets.ts';
import { loadSecrets, parseSecrets } from './secrets.ts';
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
  const first = await open('first');
  expect(first.secrets).toEqual(before);
  loadSecrets(join(root, 'second'));
  const second = await open('second');
  expect(second.secrets).toEqual(before);
  expect(await verifyUserBearer(second.secrets, await mintUserBearer(first.secrets, whose))).toEqual(whose);
  const { rows } = await database.pool.query<{ sealed: string }>('select sealed from archive_secrets');
  const everySecret = [
    before.signInSecret,
    ...Object.values(JSON.parse(readFileSync(join(root, 'first', 'secrets.json'), 'utf8'))).map(String),
  ];
  for (const secret of everySecret) expect(Buffer.from(rows[0]?.sealed ?? '', 'base64url').includes(secret)).toBe(false);
  expect(rows[0]?.sealed).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
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
});
