import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { findBrowser } from './find-browser.ts';

/*
 * npm test: lint, types, unit, domain, HTTP and ingest tests, then the journeys in Chromium, what failed of the former once more, since it stands
 * far above by then, and one line that counts them all.
 * `npm test -- search` runs only the test files whose path holds that word, `npm test -- --whole` also those that take long and are not in
 * turn today.
 */
interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

const linesOfFailure = 12;
const millisecondsADay = 86_400_000;

const VitestReport = z.object({
  numPassedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()) })),
    }),
  ),
});
const PlaywrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
});

const words = process.argv.slice(2);
const filters = words.filter((word) => word !== '--whole');
const reports = mkdtempSync(join(tmpdir(), 'rushes-test-'));
// Hundreds of processes begin with the same files: what one of them has compiled, the next ones need not.
const turn = process.env.RUSHES_TEST_TURN ?? String(Math.floor(Date.now() / millisecondsADay));
const environment = {
  ...process.env,
  NODE_COMPILE_CACHE: resolve('node_modules/.cache/node'),
  RUSHES_TEST_TURN: turn,
  RUSHES_TEST_LONG: words.length > 0 ? 'all' : 'share',
};
console.info(`Of what takes minutes, a share: RUSHES_TEST_TURN=${turn} takes the same one again, and npm test -- --whole every file.`);
const steps: [name: string, run: () => Count][] = [
  ['Lint', () => check('biome', ['check', '--error-on-warnings', '.'])],
  ['Types', () => check('tsc', ['-b'])],
  ['Unit, domain, HTTP and ingest tests', runVitest],
  ['Journeys in Chromium', runPlaywright],
];

const failures: string[] = [];
const total: Count = { passed: 0, failed: 0, skipped: 0 };
for (const [name, run] of filters.length > 0 ? steps.slice(2) : steps) {
  console.info(`\n── ${name}`);
  const startedAt = Date.now();
  const count = run();
  console.info(`── ${name}: ${describe(count)} in ${Math.round((Date.now() - startedAt) / 1000)} s`);
  total.passed += count.passed;
  total.failed += count.failed;
  total.skipped += count.skipped;
}
rmSync(reports, { recursive: true, force: true });
console.info(`\n${[...failures, describe(total)].join('\n\n')}`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

function describe(count: Count): string {
  return `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`;
}

function check(command: string, args: string[]): Count {
  const ok = spawnSync(command, args, { stdio: 'inherit' }).status === 0;
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
}

function runVitest(): Count {
  const file = join(reports, 'vitest.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, '--passWithNoTests', ...filters];
  const { status } = spawnSync('vitest', args, { stdio: 'inherit', env: environment });
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
  const report = VitestReport.parse(JSON.parse(readFileSync(file, 'utf8')));
  const told = report.testResults.flatMap(failuresOf);
  failures.push(...told);
  const failed = status === 0 ? told.length : Math.max(1, told.length);
  return { passed: report.numPassedTests, failed, skipped: report.numPendingTests + report.numTodoTests };
}

/** What to read of each test that failed, and of a file that does not load: it fails the run without a failed test in it. */
function failuresOf({ name, status, message, assertionResults }: z.infer<typeof VitestReport>['testResults'][number]): string[] {
  const file = relative('.', name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0) return status === 'failed' ? [`FAILED ${file}\n${message}`] : [];
  return failed.map(
    (test) => `FAILED ${file} > ${test.fullName}\n${test.failureMessages.join('\n').split('\n').slice(0, linesOfFailure).join('\n')}`,
  );
}

function runPlaywright(): Count {
  // Else an archive would be prepared for nobody.
  const isAsked = (journey: string) => filters.length === 0 || filters.some((word) => !/^[\w/.-]+$/.test(word) || journey.includes(word));
  if (!globSync('e2e/*.e2e.ts').some(isAsked)) return { passed: 0, failed: 0, skipped: 0 };
  const file = join(reports, 'playwright.json');
  const browser = findBrowser();
  const env = { ...environment, PLAYWRIGHT_JSON_OUTPUT_NAME: file, ...(browser ? { RUSHES_TEST_BROWSER: browser } : {}) };
  const args = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json', '--pass-with-no-tests', ...filters];
  const { status } = spawnSync('playwright', args, { stdio: 'inherit', env });
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
  const { stats } = PlaywrightReport.parse(JSON.parse(readFileSync(file, 'utf8')));
  const failed = stats.unexpected + stats.flaky;
  return { passed: stats.expected, failed: status === 0 ? failed : Math.max(1, failed), skipped: stats.skipped };
}
