import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startArchive } from '#testing/running-archive.ts';
import { until } from '#testing/until.ts';
import { writeTestPages } from '#testing/write-test-pages.ts';

const someoneElse = ['--reuid', '4711', '--regid', '4711', '--clear-groups'];

test('somebody else on this machine reads neither captions, segments nor secrets of a running archive, and does not reach its database', {
  timeout: 240_000,
}, async ({ skip }) => {
  if (process.getuid?.() !== 0 || spawnSync('setpriv', [...someoneElse, 'true']).status !== 0)
    skip('only root can be somebody else, and only where setpriv is');
  const scratch = mkdtempSync(join(tmpdir(), 'rushes-private-'));
  const dataFolder = join(scratch, 'data');
  // As an earlier version has left it; nothing around it keeps anybody out.
  mkdirSync(dataFolder);
  for (const folder of [scratch, dataFolder]) chmodSync(folder, 0o755);
  const pages = join(scratch, 'pages');
  writeTestPages(pages);
  const archive = await startArchive({ dataFolder, env: { RUSHES_PAGES: pages, RUSHES_SAMPLES: '1' } });
  try {
    const find = (ending: string) => () => filesOf(dataFolder).find((path) => path.endsWith(ending));
    const wanted = ['captions.vtt', '.m4s', 'secrets.json', '.s.PGSQL.5432', 'original'];
    for (const ending of wanted) {
      const path = await until(find(ending), { withinMs: 180_000 });
      expect([ending, canReach(path, []), canReach(path, someoneElse)]).toEqual([ending, true, false]);
    }
  } finally {
    await archive.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
});

/** Whether somebody reads that file, or may knock at that socket. */
function canReach(path: string, identity: readonly string[]): boolean {
  const command = path.includes('.s.PGSQL') ? ['test', '-w', path] : ['cat', path];
  const [program = '', ...args] = identity.length > 0 ? ['setpriv', ...identity, ...command] : command;
  return spawnSync(program, args, { maxBuffer: 100_000_000 }).status === 0;
}

/** Asks `find`, which does not mind that work goes on meanwhile. */
function filesOf(folder: string): string[] {
  return spawnSync('find', [folder], { encoding: 'utf8' }).stdout.split('\n');
}
