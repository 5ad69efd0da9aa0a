import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSecrets } from '#domain/tokens/open-secrets.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

const root = mkdtempSync(join(tmpdir(), 'rushes-secrets-command-'));
const settings = { dataFolder: join(root, 'data'), secretsFile: undefined };
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(root, { recursive: true, force: true });
});

const never = (message: string) => {
  throw new Error(message);
};

function secrets(args: readonly string[], key?: string) {
  const env = { RUSHES_DATA: settings.dataFolder, DATABASE_URL: database.url, ...(key ? { RUSHES_SECRETS_KEY: key } : {}) };
  return spawnSync(process.execPath, [join(import.meta.dirname, 'secrets.ts'), ...args], { env, encoding: 'utf8' });
}

test('an operator makes a key, changes what is signed by it, and takes the secrets out again', async () => {
  const key = secrets(['new-key']).stdout.trim();
  const secretsKey = Buffer.from(key, 'base64url');
  expect([key.length, secretsKey.length]).toEqual([43, 32]);
  const open = async () => (await openSecrets(database.pool, { ...settings, secretsKey }, never)).secrets;
  const { thumbnailKey: first } = await open();
  expect(secrets(['replace'], key)).toMatchObject({ status: 0, stdout: expect.stringContaining('All secrets are new') });
  const { thumbnailKey: second } = await open();
  expect(second).not.toEqual(first);
  const file = join(root, 'taken-out.json');
  writeFileSync(file, 'mine');
  expect(secrets(['take-out', file], key)).toMatchObject({ status: 1, stderr: `${file} is there already: name one that is not.\n` });
  expect([(await open()).thumbnailKey, readFileSync(file, 'utf8')]).toEqual([second, 'mine']);
  rmSync(file);
  expect(secrets(['take-out', file], key).status).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const withFile = { ...settings, secretsFile: file, secretsKey: undefined };
  expect((await openSecrets(database.pool, withFile, never)).secrets.thumbnailKey).toEqual(second);
});

test.each([[[]], [['rotat']], [['take-out']], [['new-key', 'more']]])(
  'a call with %j changes nothing, says why and ends with 1',
  (args) => {
    expect(secrets(args)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('Usage: npm run secrets') });
  },
);

test('without a key, and without secrets in the database, a command says what is missing', () => {
  expect(secrets(['rotate'])).toMatchObject({ status: 1, stderr: expect.stringContaining('RUSHES_SECRETS_KEY is not set') });
  expect(secrets(['rotate'], 'A'.repeat(43))).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('No secrets lie in the database'),
  });
});
