import { endpoints } from '#contract/endpoints.ts';
import { dismissUnfound, listUnfound } from '#domain/unfound/unfound-queries.ts';
import { type Site, serve } from '../http/serve.ts';

/** Queries that failed visitors, for those who can do something about it; and how a page tells that one did not. */
export function unfoundRoutes(site: Site): void {
  const { pool, unfound } = site.context;

  serve(site, endpoints.listUnfound, (page) => listUnfound(pool, page));

  serve(site, endpoints.dismissUnfound, async ({ text }, _caller, { reply }) => {
    // What waits in memory failed before this.
    await unfound.write();
    await dismissUnfound(pool, text);
    reply.code(204);
    return {};
  });

  serve(site, endpoints.searchOpened, ({ query }, _caller, { reply }) => {
    unfound.opened(query);
    reply.code(204);
    return {};
  });
}
