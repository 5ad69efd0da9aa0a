import { resolve } from 'node:path';
import { build } from 'vite';
import { buildStalePages } from '#server/built-pages.ts';
import { runCommand } from './run-command.ts';

/** npm run build: builds the pages as the start would, where a later start may write nothing beside its data. */
await runCommand(async () => {
  const root = resolve(import.meta.dirname, '..');
  await buildStalePages(root, async (outDir) => {
    await build({ configFile: resolve(root, 'vite.config.ts'), logLevel: 'error', build: { outDir, emptyOutDir: true } });
    return true;
  });
  return 0;
});
