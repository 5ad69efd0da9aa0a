import type { FastifyRequest } from 'fastify';
import { endpoints } from '#contract/endpoints.ts';
import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { cookieStyle } from '#domain/signin/cookie-style.ts';
import { writeSessionCookie } from '#domain/signin/session-cookie.ts';
import { endSession } from '#domain/signin/sessions.ts';
import { mintUserBearer } from '#domain/tokens/user-bearer.ts';
import type { Context } from '../context.ts';
import { refuseOtherSites } from '../http/own-origin.ts';
import { type Site, serve } from '../http/serve.ts';

/** Who is signed in, the short bearer of theirs, and signing out. */
export function sessionRoutes(site: Site): void {
  const { pool, secrets } = site.context;

  serve(site, endpoints.session, (_input, { user }) => ({ user }));

  serve(site, endpoints.userBearer, async (_input, caller, { request }) => {
    if (caller.by !== 'session cookie' || !caller.user || !caller.sid)
      throw new Problem('unauthenticated', 'A bearer is given for a session cookie only.');
    refuseOtherSites(request);
    const token = await mintUserBearer(secrets, { uid: caller.user.uid, sid: caller.sid });
    return { token, expiresInSeconds: limits.userBearerLifetimeSeconds };
  });

  serve(site, endpoints.signOut, async (_input, { sid }, { request, reply }) => {
    if (sid) await endSession(pool, sid);
    reply.header('set-cookie', writeSessionCookie(styleOf(site.context, request), null));
    return {};
  });
}

function styleOf({ config }: Context, request: FastifyRequest) {
  return cookieStyle(config.publicUrl, request.headers['user-agent'] ?? '');
}
