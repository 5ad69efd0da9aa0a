import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ownEnvironment } from '#testing/own-environment.ts';
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
  const figures = { check: 'index', videos: 2, passages: 2, words: 8, waiting: 0, missing: 0, twice: 0, foreign: 0, wrong: 0 };
  expect(await runCheck(archive)).toMatchObject({ exitCode: 0, line: { ...figures, wordCountsWrong: 0 } });
  await archive.database.pool.query("update vocabulary set video_count = 7 where term = 'heron'");
  const { advice, ...found } = await runCheck(archive);
  expect(found).toEqual({ exitCode: 1, line: { ...figures, wordCountsWrong: 1 } });
  expect(advice).toContain('npm run reindex');
  await archive.drop();
});
