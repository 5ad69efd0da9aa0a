import { endpoints } from '#contract/endpoints.ts';
import { Problem } from '#contract/problem.ts';
import { isVideoId } from '#domain/files/video-keys.ts';
import { correctTitle } from '#domain/videos/correct-title.ts';
import { listCorrections, undoCorrection } from '#domain/videos/corrections.ts';
import { findVideos } from '#domain/videos/find-videos.ts';
import { sessionOf } from '../http/access/session-of.ts';
import { type Site, serve } from '../http/serve.ts';

/** What editors change of what is known of a film, and take back. */
export function correctionRoutes(site: Site): void {
  const { pool } = site.context;

  serve(site, endpoints.listCorrections, async ({ id }) => {
    const [video] = isVideoId(id) ? await findVideos(pool, [id]) : [];
    if (!video) throw new Problem('not_found', 'There is no such video.');
    return { name: video.name, corrections: await listCorrections(pool, id) };
  });

  serve(site, endpoints.correctTitle, async ({ id, replaces, title }, caller, { request }) => {
    const { uid } = sessionOf(caller).user;
    return { name: await correctTitle(pool, { videoId: id, replaces, title, actorUid: uid, from: request.ip }) };
  });

  serve(site, endpoints.undoCorrection, async ({ id, correction }, caller, { request }) => {
    const { uid } = sessionOf(caller).user;
    return { name: await undoCorrection(pool, { videoId: id, correction, actorUid: uid, from: request.ip }) };
  });
}
