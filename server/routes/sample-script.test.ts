import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { loadSecrets } from '#domain/tokens/secrets.ts';
import { readConfig } from '#server/config.ts';
import { addPerson } from '#testing/add-person.ts';
import { ownEnvironment } from '#testing/own-environment.ts';
import { startArchive } from '#testing/running-archive.ts';
import { createTestDatabase } from '#testing/test-database.ts';
import { writeTestPages } from '#testing/write-test-pages.ts';

const root = resolve(import.meta.dirname, '..', '..');
const run = promisify(execFile);

test('the script in samples adds a film by its key, waits for it and reads its index, and says what goes wrong', {
  timeout: 240_000,
}, async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rushes-script-'));
  const database = await createTestDatabase();
  writeTestPages(join(dataFolder, 'pages'));
  const env = { RUSHES_PAGES: join(dataFolder, 'pages'), RUSHES_SAMPLES: '0', RUSHES_LOG: 'error' };
  const archive = await startArchive({ dataFolder, databaseUrl: database.url, env });
  try {
    const editor = await addPerson({ pool: database.pool, secrets: loadSecrets(dataFolder) }, { editor: true });
    const { location, accountId } = readConfig({}).videoService;
    const address = `${archive.origin}/${location}/Accounts/${accountId}`;
    const film = join(dataFolder, 'a film.mp4');
    copyFileSync(join(root, 'samples', 'Dunes in the wind.mp4'), film);
    const script = (key: string, ...more: string[]) =>
      run(process.execPath, [join(root, 'samples', 'add-a-film.mjs'), address, film, ...more], {
        env: ownEnvironment({ RUSHES_KEY: key }),
      });
    const key = await editor.key();
    const { stdout } = await script(key, 'Dunes by a script');
    const { rows } = await database.pool.query('select id, state, name from videos');
    expect(rows).toEqual([{ id: expect.any(String), state: 'Processed', name: 'Dunes by a script' }]);
    expect(stdout).toMatch(new RegExp(`^${rows[0].id} Dunes by a script, 0:00:\\d\\d`));
    // What is there already is taken for what it is.
    expect((await script(key)).stdout).toContain(rows[0].id);
    await expect(script('rushes_nothing')).rejects.toThrow(/401 INVALID_AUTH_SUBSCRIPTION_KEY: This key is not valid/);
  } finally {
    await archive.stop();
    await database.drop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
