import type { FastifyReply } from 'fastify';
import { Problem } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { countView } from '#domain/videos/counts.ts';
import { findShownVideo } from '#domain/videos/find-videos.ts';
import { sightOf } from '#domain/videos/visibility.ts';
import { admit } from '../http/access/admit.ts';
import type { Admitted } from '../http/access/caller.ts';
import { setMediaCookie } from '../http/access/media-access.ts';
import { openDocuments } from '../http/documents.ts';
import { contentPolicies } from '../http/security-headers.ts';
import { type Exchange, type Site, serveRaw } from '../http/serve.ts';

/** The two documents that stand in frames of the video page; they open for a video token that is good at this moment. */
export function embedRoutes(site: Site): void {
  const documentOf = openDocuments(site.context);
  serveFrame(site, routes.player, async (video, { request, reply }) => {
    await setMediaCookie(site.context, { request, reply }, video);
    if (request.method === 'GET') await countView(site.context.pool, video);
    return reply.header('content-security-policy', contentPolicies.player).send(documentOf('embed/player'));
  });
  serveFrame(site, routes.insights, async (video, { request, reply }) => {
    // Its pictures are frames of the same video.
    await setMediaCookie(site.context, { request, reply }, video);
    return reply.header('content-security-policy', contentPolicies.insights).send(documentOf('embed/insights'));
  });
  serveRaw(site, routes.embedRefused, (_caller, { reply }) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(refusalScript),
  );
}

type FrameHandler = (video: NonNullable<Admitted['video']>, exchange: Exchange) => Promise<FastifyReply>;

/** Frames answer people, so a refusal is a page as well. */
function serveFrame({ app, context }: Site, route: Route, handler: FrameHandler): void {
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
        if (!(error instanceof Problem) || error.status >= 500) throw error;
        return reply.code(error.status).send(refusalPage(error));
      }
    },
  });
}

/** The page of a frame that may not open. When a fresh token would help, its script asks the page around it for one. */
function refusalPage(problem: Problem): string {
  const asksAgain = problem.status === 401;
  return [
    '<!doctype html>',
    `<html lang="en"${asksAgain ? ' data-asks-again' : ''}>`,
    '<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Not open</title></head>',
    `<body><p role="alert">${problem.message}</p><p>${asksAgain ? 'Reload the page, or sign in again.' : 'Go back to the archive.'}</p>`,
    asksAgain ? '<script src="/embed/refused.js"></script>' : '',
    '</body></html>',
  ].join('\n');
}

/** Speaks the frames' words: says that the token has expired, and opens the frame again with the one that comes back. */
const refusalScript = `if (parent !== self) {
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
