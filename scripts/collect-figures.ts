import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { findBrowser } from './find-browser.ts';

/** What one check says of itself, by name: how often it was tried, and how often that went wrong. */
export type Figures = Readonly<Record<string, string | number | readonly string[]>>;

export interface Collected {
  readonly figures: readonly Figures[];
  /** Whether every test of the run passed. */
  readonly passed: boolean;
}

const Figures: z.ZodType<Figures> = z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())]));
const VitestReport = z.object({
  testResults: z.array(z.object({ assertionResults: z.array(z.object({ meta: z.object({ report: Figures.optional() }).optional() })) })),
});
const PlaywrightTest = z.object({ annotations: z.array(z.object({ type: z.string(), description: z.string().optional() })) });
interface Suite {
  readonly specs: { readonly tests: z.output<typeof PlaywrightTest>[] }[];
  readonly suites?: Suite[] | undefined;
}
const Suite: z.ZodType<Suite> = z.lazy(() =>
  z.object({ specs: z.array(z.object({ tests: z.array(PlaywrightTest) })), suites: z.array(Suite).optional() }),
);
const PlaywrightReport = z.object({ suites: z.array(Suite) });

/** Runs the test files whose path holds one of these words over the whole corpus. What they print goes to standard error. */
export function collectFromTests(words: readonly string[], env: Readonly<Record<string, string>> = {}): Collected {
  return inFolder((file) => {
    const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...words];
    const passed = runQuietly('vitest', args, env);
    if (!existsSync(file)) return { figures: [], passed: false };
    const { testResults } = VitestReport.parse(JSON.parse(readFileSync(file, 'utf8')));
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    return { figures: tests.flatMap(({ meta }) => (meta?.report ? [meta.report] : [])), passed };
  });
}

/** Runs the journeys whose path holds one of these words, in the same way. */
export function collectFromJourneys(words: readonly string[]): Collected {
  return inFolder((file) => {
    const browser = findBrowser();
    const args = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=line,json', ...words];
    const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: file, ...(browser ? { RUSHES_TEST_BROWSER: browser } : {}) };
    const passed = runQuietly('playwright', args, env);
    if (!existsSync(file)) return { figures: [], passed: false };
    return { figures: PlaywrightReport.parse(JSON.parse(readFileSync(file, 'utf8'))).suites.flatMap(figuresOf), passed };
  });
}

function figuresOf({ specs, suites = [] }: Suite): Figures[] {
  const annotations = specs.flatMap(({ tests }) => tests.flatMap((test) => test.annotations));
  const own = annotations.filter(({ type }) => type === 'report').map(({ description }) => Figures.parse(JSON.parse(description ?? '{}')));
  return [...own, ...suites.flatMap(figuresOf)];
}

function runQuietly(command: string, args: string[], more: Readonly<Record<string, string>>): boolean {
  const env = { ...process.env, RUSHES_TEST_CORPUS: 'all', ...more };
  return spawnSync(command, args, { stdio: ['ignore', 2, 2], env }).status === 0;
}

function inFolder(run: (file: string) => Collected): Collected {
  const folder = mkdtempSync(join(tmpdir(), 'rushes-report-'));
  try {
    return run(join(folder, 'report.json'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
