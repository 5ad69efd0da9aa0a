import { endpoints } from '#contract/endpoints.ts';
import { deleteFilm, listDeletedFilms, restoreFilm } from '#domain/videos/deletions.ts';
import { findLines } from '#domain/videos/desk/find-lines.ts';
import { listFilms } from '#domain/videos/desk/list-films.ts';
import { eraseFilm } from '#domain/videos/erase-film.ts';
import { findVisibility, listKeptBack, setVisibility } from '#domain/videos/visibility.ts';
import { sessionOf } from '../http/access/session-of.ts';
import { type Site, serve } from '../http/serve.ts';
import { withQueue } from '../http/with-queue.ts';
import { requireKnown } from './desk.ts';

/** Films as editors look for them, and what they say. */
export function filmRoutes(site: Site): void {
  const { pool } = site.context;
  serve(site, endpoints.listFilms, (asked) => listFilms(pool, asked));
  serve(site, endpoints.findLines, (asked) => findLines(pool, asked));
}

/** Deleting films, bringing them back, and erasing them before their time. */
export function deletionRoutes(site: Site): void {
  const { pool, store } = site.context;
  const queued = withQueue(site.context);

  serve(site, endpoints.deleteFilm, async ({ id, ...deleting }, caller, { request, reply }) => {
    await deleteFilm(pool, { videoId: id, ...deleting, actorUid: sessionOf(caller).user.uid, from: request.ip });
    reply.code(204);
    return {};
  });

  serve(site, endpoints.listDeletions, async () => ({ films: await listDeletedFilms(pool) }));

  serve(site, endpoints.restoreFilm, async ({ id }, caller, { request, reply }) => {
    const restoring = { videoId: id, actorUid: sessionOf(caller).user.uid, from: request.ip };
    await queued((queue) => restoreFilm({ pool, queue }, restoring));
    reply.code(204);
    return {};
  });

  serve(site, endpoints.eraseFilm, async ({ id, name }, caller, { request, reply }) => {
    await eraseFilm({ pool, store }, { videoId: id, name, actorUid: sessionOf(caller).user.uid, from: request.ip });
    reply.code(204);
    return {};
  });
}

/** Who sees which films. */
export function visibilityRoutes(site: Site): void {
  const { pool } = site.context;

  serve(site, endpoints.filmVisibility, async ({ id }) => {
    await requireKnown(pool, id);
    return await findVisibility(pool, id);
  });

  serve(site, endpoints.setVisibility, ({ id, until, ...asked }, caller, { request }) =>
    setVisibility(pool, {
      ...asked,
      videoId: id,
      until: until === null ? null : new Date(until),
      actorUid: sessionOf(caller).user.uid,
      from: request.ip,
    }),
  );

  serve(site, endpoints.listKeptBack, async () => ({ films: await listKeptBack(pool) }));
}
