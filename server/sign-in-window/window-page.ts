import { escapeHtml } from './html.ts';

/** A document of the sign-in window in the archive's look; `body` is HTML, `title` is text. */
export function windowPage({ title, body, script }: { title: string; body: string; script?: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/sign-in/files/window.css">
${script ? `<script src="${escapeHtml(script)}" defer></script>\n` : ''}</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}
