import { endpoints } from '#contract/endpoints.ts';
import { limits } from '#contract/limits.ts';
import { endSession } from '#domain/signin/sessions.ts';
import { mintUserBearer } from '#domain/tokens/user-bearer.ts';
import { pageSessionOf } from '../http/access/page-session-of.ts';
import { setSessionCookie } from '../http/access/set-session-cookie.ts';
import { type Site, serve } from '../http/serve.ts';

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
