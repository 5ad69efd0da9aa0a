import { relative, resolve } from 'node:path';
import { configDefaults, defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { testsInTurn, testsLeftOut } from './testing/tests-in-turn.ts';
import { withoutGuards } from './testing/trust/broken-guards.ts';

const everyTest = '{contract,domain,server,ingest,commands,web,testing,bench,scripts}/**/*.test.ts';
/**
 * Short files that share processes: half of their time was to load the same modules. Whatever starts, holds or ends something of its
 * process has one of its own.
 */
const together = [
  '{contract,web}/**/*.test.ts',
  'domain/{moments,search,subtitles,videos,words}/**/*.test.ts',
  'server/{routes,video-service}/**/*.test.ts',
];
const broken = process.env.RUSHES_TEST_BROKEN ?? '';

/** What takes longest begins first: begun last, it would run alone while the other processors wait. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const known = testsInTurn.indexOf(relative(import.meta.dirname, moduleId));
      return known < 0 ? testsInTurn.length : known;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  plugins: [loseGuards(broken)],
  test: {
    // What was loaded whole is not to be taken for what has lost its guard, nor the other way round.
    fsModuleCache: broken === '',
    globalSetup: 'testing/global-setup.ts',
    // What is waited for never has its time asserted: these end a test that hangs, on a slow machine too.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // Twice what a small machine has cores: many tests wait for a process, a poll or a retry.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: { name: 'alone', include: [everyTest], exclude: [...configDefaults.exclude, ...together, ...testsLeftOut()] },
      },
      {
        extends: true,
        test: {
          name: 'together',
          include: together,
          exclude: [...configDefaults.exclude, ...testsLeftOut()],
          isolate: false,
          setupFiles: 'testing/begin-test-file.ts',
        },
      },
    ],
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
