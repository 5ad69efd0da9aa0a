import { endpoints } from '#contract/endpoints.ts';
import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { endSession } from '#domain/signin/sessions.ts';
import { mintUserBearer } from '#domain/tokens/user-bearer.ts';
import { refuseOtherSites } from '../http/own-origin.ts';
import { type Site, serve } from '../http/serve.ts';
import { setSessionCookie } from '../http/set-session-cookie.ts';

/** Who is signed in, the short bearer of theirs, and signing out. */
export function sessionRoutes(site: Site): void {
  const { context } = site;
  const { pool, secrets } = context;

  serve(site, endpoints.session, (_input, { user }) => ({ user }));

  serve(site, endpoints.userBearer, async (_input, caller, { request }) => {
    if (caller.by !== 'session cookie' || !caller.user || !caller.sid)
      throw new Problem('unauthenticated', 'A bearer is given for a session cookie only.');
    refuseOtherSites(request);
    const token = await mintUserBearer(secrets, { uid: caller.user.uid, sid: caller.sid });
    return { token, expiresInSeconds: limits.userBearerLifetimeSeconds };
  });

  serve(site, endpoints.signOut, async (_input, { sid }, exchange) => {
    if (sid) await endSession(pool, sid);
    setSessionCookie(context, exchange, null);
    return {};
  });
}
