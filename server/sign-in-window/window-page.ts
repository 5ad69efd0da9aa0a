/*
 * The pages of the small window that signs people in: plain HTML without the site's code.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { signInFailureMessage } from '#contract/sign-in.ts';
import { escapeMarkup } from '../markup-text.ts';

/** A document of the sign-in window in the archive's look; `body` is HTML, `title` is text. */
export function writeWindowPage({ title, body, script }: { title: string; body: string; script?: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(title)}</title>
<link rel="stylesheet" href="/sign-in/files/window.css">
${script ? `<script src="${escapeMarkup(script)}" defer></script>\n` : ''}</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

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

const script = '/sign-in/files/popup-done.js';

/** The last page of the sign-in window: tells the outcome, closes, and says so where closing is not allowed. */
export function writePopupDonePage(error: string): string {
  if (!error) {
    const body = `<h1 data-outcome="signed-in">You are signed in</h1>\n<p>You can close this window. <a href="/">To the archive</a></p>`;
    return writeWindowPage({ title: 'Signed in', body, script });
  }
  return writeNotSignedInPage(signInFailureMessage(error));
}

/** The last page of a sign-in that came to nothing, for this reason, a sentence for people. */
export function writeNotSignedInPage(reason: string): string {
  const message = escapeMarkup(reason);
  const body = `<h1 data-outcome="failed" data-message="${message}">You are not signed in</h1>\n<p>${message}</p>\n<p><a href="/login">Try again</a></p>`;
  return writeWindowPage({ title: 'Not signed in', body, script });
}
