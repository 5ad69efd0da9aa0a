import { registerHooks } from 'node:module';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutGuards } from './broken-guards.ts';

/*
 * Loaded before anything else (`node --import`) in every process of a run that shall lose a guard: RUSHES_TEST_BROKEN names the check.
 * Vitest loads by itself; its config changes the sources in the same way.
 */
const check = process.env.RUSHES_TEST_BROKEN ?? '';
const root = resolve(import.meta.dirname, '..', '..');

if (check !== '') {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.startsWith('file:') || !loaded.source) return loaded;
      const path = relative(root, fileURLToPath(url));
      if (path.startsWith('..') || path.startsWith('node_modules')) return loaded;
      return { ...loaded, source: withoutGuards(check, path, Buffer.from(loaded.source as Uint8Array).toString('utf8')) };
    },
  });
}
