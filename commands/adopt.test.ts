import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '#testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const known = Array.from({ length: 5 }, (_, n) => `00000000a${n}`);
const stranger = 'bbbbbbbbbb';

test('adopting lists what is missing and unknown and changes nothing, until it is said to be meant; commands refuse until then', async () => {
  const { pool, config, folder } = server.context;
  for (const id of known) {
    await pool.query("insert into videos (id, name, origin, content_hash) values ($1, $2, 'file', $3)", [
      id,
      'Old \u001b[31mfilm',
      id.padStart(64, '0'),
    ]);
  }
  const original = join(folder.root, 'media', stranger.slice(0, 2), stranger, 'original');
  mkdirSync(dirname(original), { recursive: true });
  writeFileSync(original, 'footage');
  const refused = run('reindex.ts');
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/^The data folder .+ lacks the originals of 5 of the 5 videos/),
  ]);
  expect(run('admin.ts', ['a@archive.example']).stderr).toMatch(/^The data folder .+ npm run adopt lists the differences/);

  const listed = run('adopt.ts');
  expect(listed.status).toBe(0);
  expect(listed.stdout.split('\n')).toEqual([
    `Data folder ${config.dataFolder}: of no archive yet.`,
    expect.stringMatching(/^Database of DATABASE_URL \(localhost\/t_\w+\): of no archive yet; 5 videos, 5 with an original\.$/),
    'Videos in the folder that the database does not know: 1',
    `  ${stranger}`,
    'Videos of the database whose original is missing: 5',
    ...known.map((id) => expect.stringMatching(new RegExp(`^  ${id}  Old .{0,5}film$`))),
    expect.stringMatching(/^Nothing was changed\./),
    '',
  ]);
  expect(listed.stdout).not.toContain('\u001b');
  expect(run('reindex.ts').status).toBe(1);

  const meant = run('adopt.ts', ['--yes']);
  expect([meant.status, meant.stdout]).toEqual([0, expect.stringMatching(/They are now one archive\. Nothing was deleted\.\n$/)]);
  expect(run('reindex.ts').status).toBe(0);
  expect(readFileSync(original, 'utf8')).toBe('footage');
  expect((await pool.query('select from videos')).rowCount).toBe(known.length);
}, 120_000);

test('anything else it is told is answered by how to use it', () => {
  for (const args of [['--no'], ['--yes', '--yes'], ['something']]) {
    const { status, stdout, stderr } = run('adopt.ts', args);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('Usage: npm run adopt');
  }
});

test('a start on a folder and a database that do not belong together ends with that sentence', () => {
  const { dataFolder } = server.context.config;
  rmSync(join(dataFolder, 'archive-id'));
  writeFileSync(join(dataFolder, 'archive-id'), '7d0e1f52-6c3b-4a9e-9b1d-2f8a5c04e6d3\n');
  const { status, stderr } = run('start.ts');
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^The data folder .+ belongs to the archive 7d0e1f52.+, but the database .+\n$/),
  ]);
}, 60_000);

function run(file: string, args: string[] = []) {
  const { databaseUrl, dataFolder, pagesFolder } = server.context.config;
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    DATABASE_URL: databaseUrl,
    RUSHES_DATA: dataFolder,
    RUSHES_PAGES: pagesFolder,
    PORT: '0',
  };
  return spawnSync(process.execPath, [join(import.meta.dirname, file), ...args], { env, encoding: 'utf8', timeout: 60_000 });
}
