import { escapeMarkup } from '../markup-text.ts';

export interface MailContent {
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** The one thing to press. */
  readonly link: { readonly label: string; readonly address: string };
  /** Said small, below the link. */
  readonly afterwards?: string;
}

/** The same e-mail twice, as plain text and as HTML. All of it is text: nothing in it is taken for markup. */
export function writeMailDocument({ heading, paragraphs, link, afterwards }: MailContent): { text: string; html: string } {
  const below = afterwards ? [afterwards] : [];
  const text = `${[...paragraphs, link.address, ...below].join('\n\n')}\n`;
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeMarkup(heading)}</title></head>
<body style="margin:0;padding:32px 16px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:480px;margin:0 auto">
<h1 style="font:500 26px/1.2 Georgia,serif">${escapeMarkup(heading)}</h1>
${paragraphs.map((paragraph) => `<p>${escapeMarkup(paragraph)}</p>`).join('\n')}
<p><a href="${escapeMarkup(link.address)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#14171a;color:#fdfdfb;text-decoration:none">${escapeMarkup(link.label)}</a></p>
${below.map((paragraph) => `<p style="font-size:14px">${escapeMarkup(paragraph)}</p>`).join('\n')}
</div>
</body>
</html>
`;
  return { text, html };
}
