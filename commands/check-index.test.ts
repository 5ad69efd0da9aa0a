import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ownEnvironment } from '#testing/own-environment.ts';
import { runCommand } from '#testing/run-command.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';

/** What `npm run check:index` says of an archive. */
async function runCheck({ database, index }: SearchableArchive) {
  const env = ownEnvironment({ RUSHES_DATA: dirname(index.folder), DATABASE_URL: database.url });
  const child = spawn(process.execPath, [resolve(import.meta.dirname, 'check-index.ts')], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, advice] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (advice += chunk.toString()));
  const [exitCode] = await once(child, 'close');
  return { exitCode, line: JSON.parse(output) as unknown, advice };
}

test('check:index prints one line: exit code 0 when index and database agree, else 1 with what to do', async () => {
  const archive = await createSearchableArchive({ one: 'The heron stands.', two: 'A bittern booms.' });
  const figures = { check: 'index', videos: 2, passages: 2, words: 8, waiting: 0, missing: 0, twice: 0, foreign: 0, wrong: 0, mislaid: 0 };
  expect(await runCheck(archive)).toMatchObject({ exitCode: 0, line: { ...figures, wordCountsWrong: 0 } });
  await archive.database.pool.query("update vocabulary set video_count = 7 where term = 'heron'");
  const { advice, ...found } = await runCheck(archive);
  expect(found).toEqual({ exitCode: 1, line: { ...figures, wordCountsWrong: 1 } });
  expect(advice).toContain('npm run reindex');
  await archive.drop();
});

test.each([
  ['check-index.ts'],
  ['retry.ts'],
  ['reindex.ts'],
  ['trash.ts', 'restore', '2026-01-01T00-00-00-0123456789-abcdef'],
  ['adopt.ts'],
  ['move-media.ts', 'to-store'],
])('where there is no archive, %s says so and makes none', async (command, ...args) => {
  const dataFolder = join(tmpdir(), `rushes-none-${randomUUID()}`);
  const store = { ENDPOINT: 'http://127.0.0.1:9', BUCKET: 'none', ACCESS_KEY: 'none', SECRET_KEY: 'none' };
  const s3 =
    command === 'move-media.ts' ? Object.fromEntries(Object.entries(store).map(([name, value]) => [`RUSHES_S3_${name}`, value])) : {};
  const said = await runCommand(`commands/${command}`, args, { RUSHES_DATA: dataFolder, ...s3 });
  expect(said).toMatchObject({ exitCode: 1, output: expect.stringContaining(`There is no archive in ${dataFolder}`) });
  expect(existsSync(dataFolder)).toBe(false);
});
