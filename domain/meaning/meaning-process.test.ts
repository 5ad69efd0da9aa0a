import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openMeaningProcess } from './meaning-process.ts';

test('a process that waits for vectors lives until they are there, and then ends although the child is kept', () => {
  const file = join(import.meta.dirname, 'meaning-process.ts');
  const script = `
    import { openMeaningProcess } from ${JSON.stringify(file)};
    const signs = await openMeaningProcess().signs(['a word', 'another word']);
    console.log(signs.length);`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', timeout: 60_000 });
  expect([stdout.trim(), status]).toEqual(['128', 0]);
});

test('whoever opens a process is told the number of the one that starts, once', async () => {
  const started: number[] = [];
  const meaning = openMeaningProcess({ onStart: (pid) => started.push(pid) });
  try {
    await meaning.signs(['a word']);
    await meaning.signs(['another word']);
    expect(started).toEqual([meaning.pid]);
  } finally {
    meaning.close();
  }
});
