import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '../sign-in-window/html.ts';
import { windowPage } from '../sign-in-window/window-page.ts';
import type { KeptMail, Mailbox } from './mailbox.ts';

/** The practice mailbox as a page, and as JSON for programs on this machine. */
export function mailboxRoutes(app: FastifyInstance, mailbox: Mailbox): void {
  app.get('/practice/mailbox', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(mailboxPage(mailbox.list())),
  );
  app.get('/practice/mailbox.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send({ mails: mailbox.list() }),
  );
}

/** The page that shows what a practice archive would have sent. */
function mailboxPage(mails: readonly KeptMail[]): string {
  return windowPage({
    title: 'Practice mailbox',
    body: `<h1>Practice mailbox</h1>
<p>This archive is a practice archive. Its e-mail goes nowhere: the last fifty stand here until it stops, whoever they are for.</p>
${mails.length === 0 ? '<p>No e-mail yet.</p>' : mails.map(article).join('\n')}
<p><a href="/">To the archive</a></p>`,
  });
}

function article({ to, subject, text, at }: KeptMail): string {
  return `<article class="mail">
<h2>${escapeHtml(subject)}</h2>
<p class="mail-about">To ${escapeHtml(to)}, <time datetime="${at.toISOString()}">${at.toISOString().slice(11, 19)} UTC</time></p>
${text.trim().split('\n\n').map(paragraph).join('\n')}
</article>`;
}

function paragraph(text: string): string {
  const isLink = /^https?:\/\/\S+$/.test(text);
  return isLink ? `<p class="mail-link"><a href="${escapeHtml(text)}">${escapeHtml(text)}</a></p>` : `<p>${escapeHtml(text)}</p>`;
}
