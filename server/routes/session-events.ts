import { routes } from '#contract/routes.ts';
import { pageSessionOf } from '../http/access/page-session-of.ts';
import { type Site, serveRaw } from '../http/serve.ts';
import type { LiveSessions } from '../live/live-sessions.ts';

/** Tells an open page at once when the roles of its user change, or their session ends. */
export function sessionEventRoutes(site: Site, live: LiveSessions): void {
  serveRaw(site, routes.sessionEvents, (caller, { request, reply }) => {
    const { user, sid } = pageSessionOf(caller, request);
    // Proxies are told to pass on every event as it comes. Nothing else is asked for over this connection.
    reply.type('text/event-stream; charset=utf-8').headers({ 'x-accel-buffering': 'no', connection: 'close' });
    return reply.send(request.method === 'HEAD' ? '' : live.follow({ sid, uid: user.uid }));
  });
}
