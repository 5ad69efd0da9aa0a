import type { FastifyReply } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { safeReturnUrl } from '#contract/return-url.ts';
import { routes } from '#contract/routes.ts';
import { endSession } from '#domain/signin/sessions.ts';
import type { Context } from '../context.ts';
import { visitOf } from '../http/access/visit.ts';
import { pathText, queryText } from '../http/request-text.ts';
import { type Exchange, type Site, serveRaw } from '../http/serve.ts';
import { popupDonePage } from '../sign-in-window/popup-done-page.ts';
import { readWindowFiles } from '../sign-in-window/window-files.ts';

const popupDone = routes.popupDone.path;

/** To a provider and back, in a window of its own or in the whole page. */
export function signInRoutes(site: Site): void {
  const { context } = site;
  const files = readWindowFiles();

  serveRaw(site, routes.popupSignIn, (_caller, { request, reply }) =>
    leave(context, { request, reply }, { provider: queryText(request, 'provider'), done: popupDone, failed: popupDone }),
  );

  serveRaw(site, routes.redirectSignIn, (_caller, { request, reply }) => {
    const returnUrl = safeReturnUrl(queryText(request, 'returnUrl'));
    const failed = `/login?${new URLSearchParams({ returnUrl })}`;
    return leave(context, { request, reply }, { provider: queryText(request, 'provider'), done: returnUrl, failed });
  });

  serveRaw(site, routes.signInCallback, async ({ sid }, { request, reply }) => {
    // A link checker that looks ahead must not spend the code.
    if (request.method === 'HEAD') return reply.send();
    const callback = {
      provider: pathText(request, 'provider'),
      query: request.url.split('?')[1] ?? '',
      cookie: request.headers.cookie ?? '',
    };
    const { location, cookies, hasSignedIn } = await context.signIn.finish(visitOf(context, request), callback);
    // Whoever signs in anew in this browser leaves the session before behind.
    if (hasSignedIn && sid) await endSession(context.pool, sid);
    return reply.headers({ 'set-cookie': cookies, 'referrer-policy': 'no-referrer' }).redirect(location, 302);
  });

  serveRaw(site, routes.popupDone, (_caller, { request, reply }) => {
    const error = queryText(request, 'error');
    return reply
      .code(error ? 400 : 200)
      .type('text/html; charset=utf-8')
      .send(popupDonePage(error));
  });

  serveRaw(site, routes.signInFile, (_caller, { request, reply }) => {
    const file = files.get(pathText(request, 'name'));
    if (!file) throw new Problem('not_found', 'There is no such file.');
    return reply.type(file.type).header('cache-control', 'no-cache').send(file.body);
  });
}

async function leave(
  context: Context,
  { request, reply }: Exchange,
  to: { provider: string; done: string; failed: string },
): Promise<FastifyReply> {
  if (request.headers['sec-fetch-site'] === 'cross-site')
    throw new Problem('forbidden', 'A sign-in is begun from the pages of this archive only.');
  const visit = visitOf(context, request);
  const { location, cookies } = await context.signIn.start(visit, to).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'unavailable') throw error;
    // Told where a person is looking, in the window or on the login page.
    const failed = new URL(to.failed, visit.origin);
    failed.searchParams.set('error', 'temporarily_unavailable');
    return { location: failed.href, cookies: [] };
  });
  return reply.headers({ 'set-cookie': cookies, 'referrer-policy': 'no-referrer' }).redirect(location, 302);
}
