import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startArchive } from '#testing/running-archive.ts';

test('the pages are those for visitors, also where the start is told to be of a test or of development', { timeout: 240_000 }, async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rushes-start-'));
  const archive = await startArchive({ dataFolder, env: { NODE_ENV: 'development' } });
  try {
    const page = await (await fetch(archive.origin)).text();
    const scripts = [...page.matchAll(/\/assets\/[\w-]+\.js/g)].map(([path]) => path);
    expect(scripts.length).toBeGreaterThan(1);
    for (const path of new Set(scripts)) {
      const script = await (await fetch(archive.origin + path)).text();
      // React says this of itself where it is built for development, and mounts everything twice.
      expect([path, script.includes('React DevTools')]).toEqual([path, false]);
    }
  } finally {
    await archive.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
