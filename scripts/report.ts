import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { findBrowser } from './find-browser.ts';

/*
 * npm run -s report:NAME runs a journey over the whole attack corpus, of which npm test runs a sample, and prints its figures as JSON lines.
 */
const Test = z.object({ annotations: z.array(z.object({ type: z.string(), description: z.string().optional() })) });
interface Suite {
  readonly specs: { readonly tests: z.output<typeof Test>[] }[];
  readonly suites?: Suite[] | undefined;
}
const Suite: z.ZodType<Suite> = z.lazy(() =>
  z.object({ specs: z.array(z.object({ tests: z.array(Test) })), suites: z.array(Suite).optional() }),
);
const Report = z.object({ suites: z.array(Suite) });

const folder = mkdtempSync(join(tmpdir(), 'rushes-report-'));
const file = join(folder, 'report.json');
const browser = findBrowser();
const env = {
  ...process.env,
  RUSHES_TEST_CORPUS: 'all',
  PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  ...(browser ? { RUSHES_TEST_BROWSER: browser } : {}),
};
const args = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=line,json', ...process.argv.slice(2)];
const { status } = spawnSync('playwright', args, { stdio: ['ignore', 2, 2], env });
for (const suite of Report.parse(JSON.parse(readFileSync(file, 'utf8'))).suites) printReports(suite);
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;

function printReports(suite: Suite): void {
  const annotations = suite.specs.flatMap((spec) => spec.tests.flatMap((test) => test.annotations));
  for (const { type, description } of annotations) if (type === 'report') console.info(description);
  for (const inner of suite.suites ?? []) printReports(inner);
}
