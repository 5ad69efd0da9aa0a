import { endpoints } from '#contract/endpoints.ts';
import { routes } from '#contract/routes.ts';
import { checkAccess } from '../access-check/check-access.ts';
import { sessionOf } from '../http/access/session-of.ts';
import { type Site, serve, serveRaw } from '../http/serve.ts';
import type { Outlook } from '../status/look-outside.ts';
import { type Metrics, metricsType } from '../status/metrics.ts';
import { readStatus } from '../status/read-status.ts';

/** How the archive stands as a whole, for administrators, and who sees what of it. */
export function statusRoutes(site: Site, { metrics, outlook }: { metrics: Metrics; outlook: Outlook }): void {
  serve(site, endpoints.checkAccess, (_input, caller, { request }) =>
    checkAccess(site, { actorUid: sessionOf(caller).user.uid, from: request.ip }),
  );

  serve(site, endpoints.archiveStatus, () => readStatus(site.context, outlook.seen()));

  serveRaw(site, routes.metrics, async (_caller, { reply }) =>
    reply.type(metricsType).send(metrics.write(await readStatus(site.context, outlook.seen()))),
  );
}
