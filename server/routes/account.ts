import type { Account } from '#contract/account.ts';
import { endpoints } from '#contract/endpoints.ts';
import { Problem } from '#contract/problem.ts';
import { routes } from '#contract/routes.ts';
import { endOwnSession, endOwnSessions, type LiveSession, listOwnSessions } from '#domain/signin/sessions.ts';
import { activityOf } from '#domain/users/activity.ts';
import { deleteOwnAccount } from '#domain/users/delete-user.ts';
import { findAdminsToldAt, findOwnProviderAccounts, setOwnNote } from '#domain/users/own-account.ts';
import { findUser } from '#domain/users/users.ts';
import type { Context } from '../context.ts';
import { sessionOf } from '../http/access/session-of.ts';
import { setSessionCookie } from '../http/access/set-session-cookie.ts';
import { type Site, serve, serveRaw } from '../http/serve.ts';

/** What people do about their own account: read it, take it along, end its sessions, delete it. */
export function accountRoutes(site: Site): void {
  const { context } = site;
  const { pool } = context;

  serve(site, endpoints.account, (_input, caller) => readAccount(context, sessionOf(caller)));

  serve(site, endpoints.setOwnNote, async ({ note }, caller) => {
    await setOwnNote(pool, sessionOf(caller).user.uid, note);
    return {};
  });

  serve(site, endpoints.endOwnSession, async ({ sid }, caller, exchange) => {
    const session = sessionOf(caller);
    const hasEnded = await endOwnSession(pool, { uid: session.user.uid, sid });
    if (!hasEnded) throw new Problem('not_found', 'There is no such session of yours. It may have ended already.');
    if (sid === session.sid) setSessionCookie(context, exchange, null);
    return {};
  });

  serve(site, endpoints.signOutEverywhere, async (_input, caller, exchange) => {
    await endOwnSessions(pool, sessionOf(caller).user.uid);
    setSessionCookie(context, exchange, null);
    return {};
  });

  serve(site, endpoints.deleteOwnAccount, async (_input, caller, exchange) => {
    await deleteOwnAccount(pool, { uid: sessionOf(caller).user.uid, from: exchange.request.ip });
    setSessionCookie(context, exchange, null);
    return {};
  });

  serveRaw(site, routes.accountExport, async (caller, { reply }) => {
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
  return { displayName, email, emailVerified, signInWays, signedUpAt, adminsToldAt, activatedAt, note, sessions };
}

/** Everything that is kept about oneself; nothing in it opens anything. */
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
