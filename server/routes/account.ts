import type { FastifyRequest } from 'fastify';
import type { Account } from '#contract/account.ts';
import { endpoints } from '#contract/endpoints.ts';
import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { routes } from '#contract/routes.ts';
import { listKeys, makeKey, revokeKey } from '#domain/signin/keys.ts';
import { endOwnSession, endOwnSessions, endSession, type LiveSession, listOwnSessions } from '#domain/signin/sessions.ts';
import { mintAccountToken } from '#domain/tokens/account-token.ts';
import { mintUserBearer } from '#domain/tokens/user-bearer.ts';
import { mintVideoToken } from '#domain/tokens/video-token.ts';
import { activityOf } from '#domain/users/activity.ts';
import { deleteOwnAccount } from '#domain/users/delete-user.ts';
import { findAdminsToldAt, findOwnProviderAccounts, setOwnNote } from '#domain/users/own-account.ts';
import { findUser } from '#domain/users/users.ts';
import { requireShownVideo } from '#domain/videos/find-videos.ts';
import { sightOf } from '#domain/videos/visibility.ts';
import type { Context } from '../context.ts';
import { type Caller, keepCallerId } from '../http/access/caller.ts';
import { sessionOf } from '../http/access/session-of.ts';
import { setSessionCookie } from '../http/access/set-session-cookie.ts';
import { refuseOtherSites } from '../http/own-origin.ts';
import { type RouteHost, serve, serveRaw } from '../http/serve.ts';
import type { LiveSessions } from '../live/live-sessions.ts';

/** What people do about their own account: read it, take it along, end its sessions, delete it. */
export function addAccountRoutes(host: RouteHost): void {
  const { context } = host;
  const { pool } = context;

  serve(host, endpoints.account, (_input, caller) => readAccount(context, sessionOf(caller)));

  serve(host, endpoints.setOwnNote, async ({ note }, caller) => {
    await setOwnNote(pool, sessionOf(caller).user.uid, note);
    return {};
  });

  serve(host, endpoints.endOwnSession, async ({ sid }, caller, exchange) => {
    const session = sessionOf(caller);
    const hasEnded = await endOwnSession(pool, { uid: session.user.uid, sid });
    if (!hasEnded) throw new Problem('not_found', 'You have no such session. It may already have ended.');
    if (sid === session.sid) setSessionCookie(context, exchange, null);
    return {};
  });

  serve(host, endpoints.signOutEverywhere, async (_input, caller, exchange) => {
    await endOwnSessions(pool, sessionOf(caller).user.uid);
    setSessionCookie(context, exchange, null);
    return {};
  });

  serve(host, endpoints.makeKey, async ({ name, days }, caller, { request }) => {
    const { uid } = pageSessionOf(caller, request).user;
    return { key: await makeKey(pool, { uid, name, days, from: request.ip }) };
  });

  serve(host, endpoints.revokeKey, async ({ key }, caller, { request, reply }) => {
    await revokeKey(pool, { uid: sessionOf(caller).user.uid, id: key, from: request.ip });
    reply.code(204);
    return {};
  });

  serve(host, endpoints.deleteOwnAccount, async (_input, caller, exchange) => {
    await deleteOwnAccount(pool, { uid: sessionOf(caller).user.uid, from: exchange.request.ip });
    setSessionCookie(context, exchange, null);
    return {};
  });

  serveRaw(host, routes.accountExport, async (caller, { reply }) => {
    const document = await exportAccount(context, sessionOf(caller));
    return reply
      .type('application/json; charset=utf-8')
      .header('content-disposition', 'attachment; filename="my-account.json"')
      .send(`${JSON.stringify(document, null, 2)}\n`);
  });
}

async function readAccount({ pool }: Context, { user, sid }: LiveSession): Promise<Account> {
  const { uid } = user;
  const found = await findUser(pool, uid);
  if (!found) throw new Problem('unauthenticated', 'This account has been deleted. Sign in again.');
  const { displayName, email, emailVerified, signInWays, signedUpAt, activatedAt, note } = found;
  const adminsToldAt = (await findAdminsToldAt(pool, uid))?.toISOString() ?? null;
  const sessions = await listOwnSessions(pool, { uid, sid });
  const keys = await listKeys(pool, uid);
  return { displayName, email, emailVerified, signInWays, signedUpAt, adminsToldAt, activatedAt, note, sessions, keys };
}

/** The account as it is kept, and what the activity log says of oneself; nothing in it opens anything. */
async function exportAccount(context: Context, session: LiveSession) {
  const { pool } = context;
  const { uid, roles } = session.user;
  return {
    exportedAt: new Date().toISOString(),
    uid,
    roles,
    ...(await readAccount(context, session)),
    providerAccounts: await findOwnProviderAccounts(pool, uid),
    activity: await activityOf(pool, uid),
  };
}

/** Who is signed in, the short bearer of theirs, and signing out. */
export function addSessionRoutes(host: RouteHost): void {
  const { context } = host;
  const { pool, secrets } = context;

  serve(host, endpoints.session, (_input, { user }) => ({ user }));

  serve(host, endpoints.userBearer, async (_input, caller, { request }) => {
    const { user, sid } = pageSessionOf(caller, request);
    const token = await mintUserBearer(secrets, { uid: user.uid, sid });
    return { token, expiresInSeconds: limits.userBearerLifetimeSeconds };
  });

  serve(host, endpoints.signOut, async (_input, { sid }, exchange) => {
    if (sid) await endSession(pool, sid);
    setSessionCookie(context, exchange, null);
    return {};
  });
}

/** Tells an open page at once when the roles of its user change, or their session ends. */
export function addSessionEventRoutes(host: RouteHost, live: LiveSessions): void {
  serveRaw(host, routes.sessionEvents, (caller, { request, reply }) => {
    const { user, sid } = pageSessionOf(caller, request);
    // Proxies are told to pass on every event as it comes. Nothing else is asked for over this connection.
    reply.type('text/event-stream; charset=utf-8').headers({ 'x-accel-buffering': 'no', connection: 'close' });
    return reply.send(request.method === 'HEAD' ? '' : live.follow({ sid, uid: user.uid }));
  });
}

/** The session of a page of ours, which came with the cookie; throws `unauthenticated` for a bearer, and `forbidden` for a page of another site. */
function pageSessionOf(caller: Caller, request: FastifyRequest): LiveSession {
  if (caller.by !== 'session cookie') throw new Problem('unauthenticated', 'This needs a session cookie.');
  refuseOtherSites(request);
  return sessionOf(caller);
}

/** The function that hands out what opens search and pictures; guests have it, too. */
export function addTokenRoutes(host: RouteHost): void {
  serve(host, endpoints.accountToken, async (_input, { callerId, adminFields, sid }, exchange) => {
    keepCallerId(host.context, exchange, callerId);
    return { accessToken: await mintAccountToken(host.context.secrets, { caller: callerId, adminFields, sid: sid ?? undefined }) };
  });
}

/** The function that hands out what opens one film, to those who may watch it. */
export function addVideoTokenRoutes(host: RouteHost): void {
  const { pool, secrets } = host.context;
  serve(host, endpoints.videoToken, async ({ id }, caller) => {
    const { user, sid } = bearerOf(caller);
    await requireShownVideo(pool, id, sightOf(user.roles));
    return { accessToken: await mintVideoToken(secrets, { videoId: id, uid: user.uid, sid, authVersion: user.authVersion }) };
  });
}

/** Whose bearer came along. A cookie is sent by the browser on its own; to hand out a token wants the user's say-so. */
export function bearerOf({ user, sid, by }: Caller): LiveSession {
  if (by !== 'user bearer' || !user || !sid) throw new Problem('unauthenticated', "This call needs the user's bearer token.");
  return { user, sid };
}
