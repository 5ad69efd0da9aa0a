import { relative, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { withoutGuards } from './testing/trust/broken-guards.ts';

const broken = process.env.RUSHES_TEST_BROKEN ?? '';

export default defineConfig({
  plugins: [loseGuards(broken)],
  test: {
    // What was loaded whole is not to be taken for what has lost its guard, nor the other way round.
    fsModuleCache: broken === '',
    include: ['{contract,domain,server,ingest,commands,web,testing,bench,scripts}/**/*.test.ts'],
    globalSetup: 'testing/global-setup.ts',
    // What is waited for never has its time asserted: these end a test that hangs, on a slow machine too.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // Twice what a small machine has cores: many tests wait for a process, a poll or a retry.
    maxWorkers: 4,
  },
});

/** Takes a check's guards out of the sources that tests load, when a run asks for it. */
function loseGuards(check: string): Plugin {
  const root = resolve(import.meta.dirname);
  return {
    name: 'lose-guards',
    enforce: 'pre',
    transform: (source, id) => (check === '' ? null : withoutGuards(check, relative(root, id.split('?', 1)[0] ?? id), source)),
  };
}
