import { build } from 'vite';

/* bundle-child.ts MODULE FOLDER writes a module, with all that it loads, into one file of this folder. */
const [module = '', folder = ''] = process.argv.slice(2);
await build({
  configFile: false,
  logLevel: 'error',
  build: { ssr: module, outDir: folder, minify: false, emptyOutDir: true, copyPublicDir: false },
  ssr: { noExternal: true },
});
