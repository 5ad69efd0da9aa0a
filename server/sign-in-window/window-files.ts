import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface WindowFile {
  readonly type: string;
  readonly body: Buffer;
}

/** What the pages of the sign-in window are made of, by name. They stand apart from the site's own build, which may be missing. */
export function readWindowFiles(): ReadonlyMap<string, WindowFile> {
  const { resolve } = createRequire(import.meta.url);
  const own = (name: string) => readFileSync(join(import.meta.dirname, name));
  const font = (path: string) => ({ type: 'font/woff2', body: readFileSync(resolve(`@fontsource-variable/${path}`)) });
  return new Map([
    ['window.css', { type: 'text/css; charset=utf-8', body: own('window.css') }],
    ['popup-done.js', { type: 'text/javascript; charset=utf-8', body: own('popup-done.js') }],
    ['newsreader.woff2', font('newsreader/files/newsreader-latin-opsz-normal.woff2')],
    ['instrument-sans.woff2', font('instrument-sans/files/instrument-sans-latin-wght-normal.woff2')],
  ]);
}
