import type { FastifyRequest } from 'fastify';
import { endpoints } from '#contract/endpoints.ts';
import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { routes } from '#contract/routes.ts';
import { endSession, type LiveSession } from '#domain/signin/sessions.ts';
import { mintUserBearer } from '#domain/tokens/user-bearer.ts';
import type { Caller } from '../http/access/caller.ts';
import { sessionOf } from '../http/access/session-of.ts';
import { setSessionCookie } from '../http/access/set-session-cookie.ts';
import { refuseOtherSites } from '../http/own-origin.ts';
import { type Site, serve, serveRaw } from '../http/serve.ts';
import type { LiveSessions } from '../live/live-sessions.ts';

/** Who is signed in, the short bearer of theirs, and signing out. */
export function sessionRoutes(site: Site): void {
  const { context } = site;
  const { pool, secrets } = context;

  serve(site, endpoints.session, (_input, { user }) => ({ user }));

  serve(site, endpoints.userBearer, async (_input, caller, { request }) => {
    const { user, sid } = pageSessionOf(caller, request);
    const token = await mintUserBearer(secrets, { uid: user.uid, sid });
    return { token, expiresInSeconds: limits.userBearerLifetimeSeconds };
  });

  serve(site, endpoints.signOut, async (_input, { sid }, exchange) => {
    if (sid) await endSession(pool, sid);
    setSessionCookie(context, exchange, null);
    return {};
  });
}

/** Tells an open page at once when the roles of its user change, or their session ends. */
export function sessionEventRoutes(site: Site, live: LiveSessions): void {
  serveRaw(site, routes.sessionEvents, (caller, { request, reply }) => {
    const { user, sid } = pageSessionOf(caller, request);
    // Proxies are told to pass on every event as it comes. Nothing else is asked for over this connection.
    reply.type('text/event-stream; charset=utf-8').headers({ 'x-accel-buffering': 'no', connection: 'close' });
    return reply.send(request.method === 'HEAD' ? '' : live.follow({ sid, uid: user.uid }));
  });
}

/** The session of a page of ours, which came with the cookie; throws `unauthenticated` for a bearer, and `forbidden` for a page of another site. */
function pageSessionOf(caller: Caller, request: FastifyRequest): LiveSession {
  if (caller.by !== 'session cookie') throw new Problem('unauthenticated', 'This is given for a session cookie only.');
  refuseOtherSites(request);
  return sessionOf(caller);
}
