import { defineConfig } from '@playwright/test';
import { testsLeftOut } from '../testing/tests-in-turn.ts';

const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  testIgnore: testsLeftOut().map((file) => `**/${file}`),
  globalSetup: './global-setup.ts',
  outputDir: '../test-results',
  fullyParallel: false,
  // One more than a small machine has cores: many journeys wait for a page.
  workers: 3,
  retries: 0,
  // What is waited for never has its time asserted: this ends a journey that hangs, on a slow machine too.
  timeout: 240_000,
  expect: { timeout: 20_000 },
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    // To draw movement took a seventh of the processors, and no journey looks for it.
    contextOptions: { reducedMotion: 'reduce' },
    // The same two cores would have to keep the page of every step.
    trace: process.env.RUSHES_TEST_TRACE === '1' ? 'retain-on-failure' : 'off',
    launchOptions: { ...(process.env.RUSHES_TEST_BROWSER ? { executablePath: process.env.RUSHES_TEST_BROWSER } : {}), args: chromiumFlags },
  },
});
