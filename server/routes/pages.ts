import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageSettings } from '#contract/archive.ts';
import { pageOf, toSafeReturnUrl } from '#contract/page-routes.ts';
import { Problem } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { isDatabaseAway } from '#domain/db/is-database-away.ts';
import { errorMessageOf } from '#domain/system/error-message.ts';
import { countView, findHeld } from '#domain/videos/counts.ts';
import { findShownVideo } from '#domain/videos/find-videos.ts';
import { sightOf } from '#domain/videos/visibility.ts';
import { openDocuments } from '../built-pages.ts';
import type { Context } from '../context.ts';
import { admit } from '../http/access/admit.ts';
import type { Admitted } from '../http/access/caller.ts';
import { setMediaCookie } from '../http/access/media-access.ts';
import { readQueryText } from '../http/request-text.ts';
import { isOfVideoService } from '../http/route-of.ts';
import { contentPolicies } from '../http/security-headers.ts';
import { type Exchange, type RouteHost, serveRaw } from '../http/serve.ts';
import { escapeMarkup } from '../markup-text.ts';
import { shownInPublic } from '../video-service/shown-in-public.ts';
import { VideoServiceProblem } from '../video-service/video-service-problem.ts';

const aYearMs = 365 * 86_400_000;

/** The site's files and pages. Known files come first; every other path is the site's document, with 404 when it is no page of ours. */
export async function addPageRoutes(host: RouteHost): Promise<void> {
  const { app, context } = host;
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
  serveRaw(host, routes.robots, (_caller, { reply }) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(robots),
  );
  const documentOf = openDocuments(context);
  const holdsNow = askHolds(context);
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request);
    if (!knownMethods.includes(request.method)) {
      reply.header('allow', knownMethods.join(', '));
      throw new Problem('method_not_allowed', `Nothing here takes the method ${request.method}.`);
    }
    if (isOfVideoService(request))
      throw new VideoServiceProblem('not_found', 'UNSUPPORTED', 'This archive does not support this call of the video service.');
    if (!['GET', 'HEAD'].includes(request.method) || /^\/(api|media|embed)(\/|$)/i.test(path))
      throw new Problem('not_found', 'There is nothing at this address.');
    const page = pageOf(path.replace(/(.)\/$/, '$1'));
    // The address of these pages may hold a secret.
    const isSecret = page === 'loginEmailLink' || page === 'loginEmail';
    if (isSecret) reply.header('referrer-policy', 'no-referrer');
    return reply
      .code(page ? 200 : 404)
      .header('cache-control', page && !isSecret ? 'no-cache' : 'no-store')
      .type('text/html; charset=utf-8')
      .send(documentOf('index', { head: await shareCard(context, request), holds: await holdsNow() }));
  });
}

const holdsForMs = 2_000;

/** What there is to be found in the films. It is asked for anew every few seconds, and nobody waits for it but the first. */
function askHolds({ pool, log, azure }: Context): () => Promise<PageSettings['holds']> {
  // Nobody tells what the films of another service hold.
  if (azure) return () => Promise.resolve(['said', 'written', 'people', 'labels']);
  let known: PageSettings['holds'] | undefined;
  let askedAt = 0;
  const ask = async () => {
    askedAt = Date.now();
    known = await findHeld(pool).catch((error: unknown) => {
      log.warn('what the films hold was not read', { reason: errorMessageOf(error) });
      return known ?? [];
    });
    return known;
  };
  return () => {
    if (known && Date.now() - askedAt < holdsForMs) return Promise.resolve(known);
    const asked = ask();
    return known ? Promise.resolve(known) : asked;
  };
}

const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function pathOf(request: FastifyRequest): string {
  return request.url.split(/[?#]/, 1)[0] ?? '/';
}

const robots = ['User-agent: *', 'Disallow: /admin', 'Disallow: /api/', 'Disallow: /embed/', 'Disallow: /media/', ''].join('\n');

/**
 * What a link to a video is previewed by, as elements of the document's head: for the video's own page, and for the sign-in page that a
 * guest is sent to from there. Empty for every other page, for an id that is no processed video, and while the database is away.
 */
async function shareCard({ pool, config, settings, log }: Context, request: FastifyRequest): Promise<string> {
  const target = videoTargetOf(request);
  if (!target) return '';
  // Whoever follows links to preview them is a guest.
  const video = await findShownVideo(pool, target.id, 'guest').catch((error: unknown) => {
    log.warn('page sent without what it would be previewed by', { reason: error instanceof Error ? error.message : String(error) });
    return undefined;
  });
  if (!video) return '';
  const { name, summary, pageUrl, posterUrl } = shownInPublic(video, config);
  return [
    `<title>${escapeMarkup(`${name} — ${settings.name}`)}</title>`,
    writeMeta('name', 'description', summary),
    writeMeta('name', 'twitter:card', 'summary_large_image'),
    writeMeta('property', 'og:type', 'video.other'),
    writeMeta('property', 'og:site_name', settings.name),
    writeMeta('property', 'og:title', name),
    writeMeta('property', 'og:description', summary),
    // A link to a second, or to a range, stays one.
    writeMeta('property', 'og:url', pageUrl + target.moment),
    writeMeta('property', 'og:image', posterUrl),
    writeMeta('property', 'og:image:type', 'image/jpeg'),
    writeMeta('property', 'og:image:alt', name),
  ].join('');
}

/** The video that a page is about, or that its sign-in leads to. */
function videoTargetOf(request: FastifyRequest): { id: string; moment: string } | null {
  const [path = ''] = request.url.split(/[?#]/, 1);
  const address = pageOf(path.replace(/(.)\/$/, '$1')) === 'login' ? toSafeReturnUrl(readQueryText(request, 'returnUrl')) : request.url;
  const { id, query = '' } = /^\/video\/(?<id>[0-9a-f]{10})\/?(?:\?(?<query>[^#]*))?(?:#.*)?$/.exec(address)?.groups ?? {};
  const named = [...new URLSearchParams(query)].filter(([name, time]) => /^(t|end)$/.test(name) && /^[\d.:hms]{1,12}$/.test(time));
  return id ? { id, moment: named.length > 0 ? `?${new URLSearchParams(named)}` : '' } : null;
}

function writeMeta(kind: 'name' | 'property', key: string, content: string): string {
  return content === '' ? '' : `<meta ${kind}="${key}" content="${escapeMarkup(content)}" />`;
}

/** The two documents that stand in frames of the video page; they open for a video token that is good at this moment. */
export function addEmbedRoutes(host: RouteHost): void {
  const documentOf = openDocuments(host.context);
  serveFrame(host, routes.player, async (video, { request, reply }) => {
    await setMediaCookie(host.context, { request, reply }, video);
    if (request.method === 'GET') await countView(host.context.pool, video);
    return reply.header('content-security-policy', contentPolicies.player).send(documentOf('embed/player'));
  });
  serveFrame(host, routes.insights, async (video, { request, reply }) => {
    // Its pictures are frames of the same video.
    await setMediaCookie(host.context, { request, reply }, video);
    return reply.header('content-security-policy', contentPolicies.insights).send(documentOf('embed/insights'));
  });
  serveRaw(host, routes.embedRefused, (_caller, { reply }) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(refusalScript),
  );
}

type FrameHandler = (video: NonNullable<Admitted['video']>, exchange: Exchange) => Promise<FastifyReply>;

/** Frames answer people, so a refusal is a page as well. */
function serveFrame({ app, context }: RouteHost, route: Route, handler: FrameHandler): void {
  app.route({
    method: route.method,
    url: route.path,
    handler: async (request, reply) => {
      reply
        .type('text/html; charset=utf-8')
        .headers({ 'referrer-policy': 'no-referrer', 'content-security-policy': contentPolicies.insights });
      try {
        const { video, user } = await admit(context, route.need, request);
        if (!video) throw new Error('admitted without a video');
        const shown = await findShownVideo(context.pool, video.videoId, sightOf(user?.roles));
        if (!shown) throw new Problem('not_found', 'This video is not in the archive.');
        return await handler(video, { request, reply });
      } catch (error) {
        const problem = isDatabaseAway(error) ? new Problem('unavailable', 'The archive is busy or restarting.', { cause: error }) : error;
        if (!(problem instanceof Problem) || (problem.status >= 500 && problem.code !== 'unavailable')) throw error;
        return reply.code(problem.status).header('cache-control', 'no-store').send(writeRefusalPage(problem));
      }
    },
  });
}

/** The page of a frame that may not open. When a fresh token would help, its script asks the page around it for one. */
function writeRefusalPage(problem: Problem): string {
  const asksAgain = problem.status === 401;
  const opensAgain = problem.status === 503;
  const wayOn = new Map([
    [401, 'Reload the page, or sign in again.'],
    [503, 'This opens by itself in a moment.'],
  ]).get(problem.status);
  return [
    '<!doctype html>',
    `<html lang="en"${asksAgain ? ' data-asks-again' : ''}${opensAgain ? ' data-opens-again' : ''}>`,
    '<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Not open</title></head>',
    `<body><p role="alert">${problem.message}</p><p>${wayOn ?? 'Go back to the archive.'}</p>`,
    asksAgain || opensAgain ? '<script src="/embed/refused.js"></script>' : '',
    '</body></html>',
  ].join('\n');
}

/** Opens the frame again a little later; or speaks the frames' words: says that the token has expired, and opens it with the one that comes back. */
const refusalScript = `if ('opensAgain' in document.documentElement.dataset) setTimeout(() => location.reload(), 3_000);
else if (parent !== self) {
  addEventListener('message', (event) => {
    const token = event.data?.accessToken;
    if (event.origin !== location.origin || event.source !== parent || typeof token !== 'string') return;
    const address = new URL(location.href);
    if (address.searchParams.get('accessToken') === token) return;
    address.searchParams.set('accessToken', token);
    location.replace(address);
  });
  parent.postMessage({ expired: true, origin: location.origin }, location.origin);
}
`;
