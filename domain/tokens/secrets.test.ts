import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, unwatchFile, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fingerprintSecrets, loadSecrets, shareSecrets } from './secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'rushes-secrets-'));
afterEach(() => rmSync(join(folder, 'secrets.json'), { force: true }));

test('the secrets are made once, 32 bytes each, and only their owner can read them', () => {
  const first = loadSecrets(folder);
  expect(loadSecrets(folder)).toEqual(first);
  expect(first.signingKeys.map((key) => key.bytes.length)).toEqual([32]);
  expect(first.thumbnailKey.length).toBe(32);
  expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['secrets.json']);
});

test('several processes that start at once agree on the secrets', () => {
  const module = join(import.meta.dirname, 'secrets.ts');
  const script = `import { loadSecrets } from ${JSON.stringify(module)}; console.log(loadSecrets(${JSON.stringify(folder)}).signInSecret)`;
  const four = Array.from({ length: 4 }, () => `"${process.execPath}" --input-type=module -e '${script}' &`).join('\n');
  const { stdout } = spawnSync('sh', ['-c', `${four}\nwait`], { encoding: 'utf8' });
  const secrets = stdout.trim().split('\n');
  expect(secrets).toHaveLength(4);
  expect(new Set(secrets).size).toBe(1);
});

test('damaged secrets are reported, never replaced', () => {
  loadSecrets(folder);
  const path = join(folder, 'secrets.json');
  writeFileSync(path, readFileSync(path, 'utf8').slice(0, 40));
  expect(() => loadSecrets(folder)).toThrow(/secrets\.json is damaged/);
});

const patience = { timeout: 60_000 };

test('secrets that machines share are read again when they change, and what cannot be read changes nothing', async () => {
  const path = join(folder, 'secrets.json');
  const faults: string[] = [];
  expect(() => shareSecrets(path, () => {})).toThrow(/^RUSHES_SECRETS: there is no .+secrets\.json\. Give all machines one file/);
  const own = loadSecrets(folder);
  const shared = shareSecrets(path, (message) => faults.push(message), 20);
  expect([shared.signingKeys, fingerprintSecrets(shared)]).toEqual([own.signingKeys, fingerprintSecrets(own)]);
  const file = JSON.parse(readFileSync(path, 'utf8'));
  const fresh = { kid: 'fresh-key', key: Buffer.alloc(32, 7).toString('base64url') };
  // Written until it is noticed: the first look at the file is under way.
  await expect
    .poll(() => {
      writeFileSync(path, '{');
      return faults.length;
    }, patience)
    .toBeGreaterThan(0);
  expect(shared.signingKeys).toEqual(own.signingKeys);
  writeFileSync(path, JSON.stringify({ ...file, signingKeys: [fresh, ...file.signingKeys] }));
  await expect.poll(() => shared.signingKeys.map(({ kid }) => kid), patience).toEqual(['fresh-key', own.signingKeys[0]?.kid]);
  unwatchFile(path);
});
