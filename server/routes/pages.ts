import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageOf } from '#contract/page-routes.ts';
import { Problem } from '#contract/problem.ts';
import { routes } from '#contract/routes.ts';
import { openDocuments } from '../http/documents.ts';
import { type Site, serveRaw } from '../http/serve.ts';
import { shareCard } from '../http/share-card.ts';

const aYearMs = 365 * 86_400_000;

/** The site's files and pages. Known files come first; every other path is the site's document, with 404 when it is no page of ours. */
export async function pageRoutes(site: Site): Promise<void> {
  const { app, context } = site;
  const { config } = context;
  await app.register(fastifyStatic, {
    root: join(config.pagesFolder, 'assets'),
    prefix: '/assets/',
    index: false,
    // Their names carry a hash of what they hold.
    maxAge: aYearMs,
    immutable: true,
    preCompressed: true,
  });
  serveRaw(site, routes.robots, (_caller, { reply }) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(robots),
  );
  const documentOf = openDocuments(context);
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request);
    if (!['GET', 'HEAD'].includes(request.method) || /^\/(api|media|embed)(\/|$)/i.test(path)) return answerNoRoute(request, reply);
    const page = pageOf(path.replace(/(.)\/$/, '$1'));
    // The address of these pages may hold a secret.
    const isSecret = page === 'loginEmailLink' || page === 'loginEmail';
    if (isSecret) reply.header('referrer-policy', 'no-referrer');
    return reply
      .code(page ? 200 : 404)
      .header('cache-control', page && !isSecret ? 'no-cache' : 'no-store')
      .type('text/html; charset=utf-8')
      .send(documentOf('index', await shareCard(context, request)));
  });
}

const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function answerNoRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!knownMethods.includes(request.method)) return reply.code(405).header('allow', knownMethods.join(', ')).send();
  throw new Problem('not_found', 'There is nothing at this address.');
}

function pathOf(request: FastifyRequest): string {
  return request.url.split(/[?#]/, 1)[0] ?? '/';
}

const robots = ['User-agent: *', 'Disallow: /admin', 'Disallow: /api/', 'Disallow: /embed/', 'Disallow: /media/', ''].join('\n');
