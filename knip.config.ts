import type { KnipConfig } from 'knip';

/** What starts by its path, and is imported by nobody. */
const processes = [
  'commands/{worker,index-child,meaning-child}.ts',
  'server/sign-in-window/window.css',
  'ingest/tools/{node-av-child.ts,bundle-child.ts,intruder.mjs}',
  'ingest/{engines,speech}/*-child.ts',
  'bench/{http-client,search-fresh-child,understanding/{brands,language}-child}.ts',
  'testing/trust/{load-without-guards.ts,two-databases-part.ts,would-be-decoder.mjs}',
  'testing/kills/{indexing-writer,follow-copy,die-at-point}.ts',
  'scripts/*.mjs',
];

const config: KnipConfig = {
  entry: [...processes, 'web/embed/{player,insights}/main.tsx'],
  project: ['{contract,domain,server,ingest,commands,web,testing,e2e,bench,scripts}/**/*.{ts,tsx,mjs,css}'],
  playwright: { config: 'e2e/playwright.config.ts', entry: ['e2e/*.e2e.ts'] },
  compilers: {
    css: (text: string) => Array.from(text.matchAll(/@import\s+["']([^"']+)["']/g), ([, name]) => `import '${name}';`).join('\n'),
  },
};

export default config;
