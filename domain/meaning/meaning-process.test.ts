import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('a process that waits for vectors lives until they are there, and then ends although the child is kept', () => {
  const file = join(import.meta.dirname, 'meaning-process.ts');
  const script = `
    import { openMeaningProcess } from ${JSON.stringify(file)};
    const signs = await openMeaningProcess().signs(['a word', 'another word']);
    console.log(signs.length);`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', timeout: 60_000 });
  expect([stdout.trim(), status]).toEqual(['128', 0]);
});
