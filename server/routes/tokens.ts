import { endpoints } from '#contract/endpoints.ts';
import { Problem } from '#contract/problem.ts';
import { mintAccountToken } from '#domain/tokens/account-token.ts';
import { mintVideoToken } from '#domain/tokens/video-token.ts';
import { findVideos } from '#domain/videos/find-videos.ts';
import { keepCallerId } from '../http/access/caller.ts';
import { type Site, serve } from '../http/serve.ts';

/** The two functions that hand out access tokens. */
export function tokenRoutes(site: Site): void {
  const { pool, secrets } = site.context;

  serve(site, endpoints.accountToken, async (_input, { callerId, adminFields, sid }, exchange) => {
    keepCallerId(site.context, exchange, callerId);
    return { accessToken: await mintAccountToken(secrets, { caller: callerId, adminFields, sid: sid ?? undefined }) };
  });

  serve(site, endpoints.videoToken, async ({ id }, { user, sid, by }) => {
    // A cookie is sent by the browser on its own; this call wants the user's say-so.
    if (by !== 'user bearer' || !user || !sid) throw new Problem('unauthenticated', "This call needs the user's bearer token.");
    const [video] = /^[0-9a-f]{10}$/.test(id) ? await findVideos(pool, [id]) : [];
    if (video?.state !== 'Processed') throw new Problem('not_found', 'There is no such video.');
    return { accessToken: await mintVideoToken(secrets, { videoId: id, uid: user.uid, sid, authVersion: user.authVersion }) };
  });
}
