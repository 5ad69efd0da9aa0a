import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import type { Route } from './contract/route.ts';
import { routes } from './contract/routes.ts';

// Whatever the process runs as that builds: React built for development mounts everything, and asks everything, twice.
process.env.NODE_ENV = 'production';

const web = fileURLToPath(new URL('./web/', import.meta.url));

export default defineConfig({
  root: web,
  plugins: [react(), tailwindcss(), addressesForPages(), noSchemas(), themeBeforePaint(), fontsFirst()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    // A module from `data:` would need a wider content security policy than our own files do.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Building a schema does nothing else: a page that only asks `can(…)` need not carry the schemas beside it.
      treeshake: { manualPureFunctions: ['z'] },
      output: { codeSplitting: { groups: [firstLoads()] } },
      input: {
        site: `${web}index.html`,
        player: `${web}embed/player.html`,
        insights: `${web}embed/insights.html`,
      },
    },
  },
});

/**
 * What a document loads at once lies in one file, and in one more for every set of documents that share something: rolldown's own
 * division makes a file for every set of later parts as well. No ring can come of it: whatever such a file needs is needed by all of
 * its documents too. What yet another document needs later on is left out: it would start this one in the middle of that.
 */
function firstLoads(): Rolldown.CodeSplittingGroup {
  return {
    tags: ['$initial'],
    includeDependenciesRecursively: false,
    name: (id, graph) => {
      const atOnce = documentsOf(id, (one) => graph.getModuleInfo(one)?.importers ?? []);
      const ever = documentsOf(id, (one) => {
        const { importers = [], dynamicImporters = [] } = graph.getModuleInfo(one) ?? {};
        return [...importers, ...dynamicImporters];
      });
      return atOnce === ever ? atOnce : null;
    },
  };
}

/** The names of the documents from which a module is reached, from importer to importer. */
function documentsOf(id: string, importersOf: (id: string) => readonly string[]): string {
  const found = new Set([id]);
  for (const one of found) for (const importer of importersOf(one)) found.add(importer);
  const documents = [...found].filter((one) => one.endsWith('.html'));
  return documents
    .map((one) => basename(one, '.html'))
    .sort()
    .join('-');
}

/** Of the table of routes pages get the addresses, but of what only scripts call: who may call them, and at what price, stays with the server that decides it. */
function addressesForPages(): Plugin {
  const table = fileURLToPath(new URL('./contract/routes.ts', import.meta.url));
  const address = ({ method, path, surface }: Route) => ({ method, path, surface });
  const isForScripts = ({ need }: Route) => need === 'key' || need === 'edit-token';
  const named = Object.entries(routes).filter(([, route]) => !isForScripts(route));
  const addresses = Object.fromEntries(named.map(([name, route]) => [name, address(route)]));
  return { name: 'addresses-for-pages', load: (id) => (id === table ? `export const routes = ${JSON.stringify(addresses)};` : null) };
}

/** Fails where a page carries what checks schemas: it is heavy, and tries to make code out of text, which the policy refuses. */
function noSchemas(): Plugin {
  return {
    name: 'no-schemas',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const carried = Object.entries(chunk.modules).find(
          ([id, { renderedLength }]) => /node_modules\/zod\//.test(id) && renderedLength > 0,
        );
        if (carried) this.error(`${chunk.fileName} carries zod. Pages import types from the contract, and what needs no schema.`);
      }
    },
  };
}

/** Puts the script that sets the theme first into every document: a file of its own, because the policy allows no inline script. */
function themeBeforePaint(): Plugin {
  const source = readFileSync(`${web}theme/before-paint.js`, 'utf8');
  let fileName = 'theme/before-paint.js';
  return {
    name: 'theme-before-paint',
    generateBundle() {
      const reference = this.emitFile({ type: 'asset', name: 'before-paint.js', source });
      fileName = this.getFileName(reference);
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => [{ tag: 'script', attrs: { src: `/${fileName}` }, injectTo: 'head-prepend' }],
    },
  };
}

/** Asks for the two faces of every first screen together with the styles, not after them. */
function fontsFirst(): Plugin {
  const first = /(instrument-sans-latin-wght|newsreader-latin-opsz)-normal-[^/]*\.woff2$/;
  return {
    name: 'fonts-first',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {}, path }) =>
        Object.keys(bundle)
          .filter((file) => first.test(file) && (path === '/index.html' || file.includes('instrument-sans')))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
            injectTo: 'head' as const,
          })),
    },
  };
}
