import { Readable } from 'node:stream';
import { endpoints } from '#contract/endpoints.ts';
import { Problem } from '#contract/problem.ts';
import { can } from '#contract/roles.ts';
import { routes } from '#contract/routes.ts';
import { listActivity, readActivity, writeActivityCsv } from '#domain/users/activity.ts';
import { deleteUser } from '#domain/users/delete-user.ts';
import { setOwnName } from '#domain/users/own-account.ts';
import { setRole } from '#domain/users/roles.ts';
import { findUser, listUsers } from '#domain/users/users.ts';
import { byOf, sessionOf } from '../http/access/session-of.ts';
import { type RouteHost, serve, serveRaw } from '../http/serve.ts';

/** The users collection: read whole by administrators, and by everybody else as far as it is about them. */
export function addUserRoutes(host: RouteHost): void {
  const { pool } = host.context;

  serve(host, endpoints.listUsers, (wanted) => listUsers(pool, wanted));

  serve(host, endpoints.readUser, async ({ uid }, caller) => {
    const { user } = sessionOf(caller);
    if (uid !== user.uid && !can(user.roles, 'admin'))
      throw new Problem('forbidden', 'You can only read your own data; administrators can read everyone’s.');
    const found = await findUser(pool, uid);
    if (!found) throw new Problem('not_found', 'There is no such user. They may have been deleted.');
    return found;
  });

  serve(host, endpoints.setOwnName, async ({ uid, displayName }, caller, { request }) => {
    const { user } = sessionOf(caller);
    if (uid !== user.uid) throw new Problem('forbidden', 'You can only change your own name.');
    return await setOwnName(pool, { uid, displayName, from: request.ip });
  });

  serve(host, endpoints.setRole, (change, caller, { request }) => setRole(pool, { ...change, ...byOf(caller, request) }));

  serve(host, endpoints.deleteUser, async ({ uid }, caller, { request, reply }) => {
    await deleteUser(pool, { uid, ...byOf(caller, request) });
    reply.code(204);
    return {};
  });
}

/** Who did what to whom, for administrators: by the page, and as one table to keep. */
export function addActivityRoutes(host: RouteHost): void {
  const { pool } = host.context;

  serve(host, endpoints.listActivity, (page) => listActivity(pool, page));

  serveRaw(host, routes.activityCsv, (_caller, { reply }) =>
    reply
      .type('text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="activity-${new Date().toISOString().slice(0, 10)}.csv"`)
      .send(Readable.from(writeActivityCsv(readActivity(pool)))),
  );
}
