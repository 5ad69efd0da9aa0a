import { Readable } from 'node:stream';
import { endpoints } from '#contract/endpoints.ts';
import { routes } from '#contract/routes.ts';
import { activityCsv } from '#domain/users/activity-csv.ts';
import { listActivity, readActivity } from '#domain/users/list-activity.ts';
import { type Site, serve, serveRaw } from '../http/serve.ts';

/** Who did what to whom, for administrators: by the page, and as one table to keep. */
export function activityRoutes(site: Site): void {
  const { pool } = site.context;

  serve(site, endpoints.listActivity, (page) => listActivity(pool, page));

  serveRaw(site, routes.activityCsv, (_caller, { reply }) =>
    reply
      .type('text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="activity-${new Date().toISOString().slice(0, 10)}.csv"`)
      .send(Readable.from(activityCsv(readActivity(pool)))),
  );
}
