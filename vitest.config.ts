import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,domain,server,ingest,web,testing,bench,scripts}/**/*.test.ts'],
    globalSetup: 'testing/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
