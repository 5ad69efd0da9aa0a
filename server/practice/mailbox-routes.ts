import type { FastifyInstance } from 'fastify';
import type { Mailbox } from './mailbox.ts';
import { mailboxPage } from './mailbox-page.ts';

/** The practice mailbox as a page, and as JSON for programs on this machine. */
export function mailboxRoutes(app: FastifyInstance, mailbox: Mailbox): void {
  app.get('/practice/mailbox', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(mailboxPage(mailbox.list())),
  );
  app.get('/practice/mailbox.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send({ mails: mailbox.list() }),
  );
}
