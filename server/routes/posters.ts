import { Problem } from '#contract/problem.ts';
import { routes } from '#contract/routes.ts';
import { readStored } from '#domain/files/read-stored.ts';
import { videoKeys } from '#domain/files/video-keys.ts';
import { findVideos } from '#domain/videos/find-videos.ts';
import { pathText } from '../http/request-text.ts';
import { type Site, serveRaw } from '../http/serve.ts';

/** Posters of processed videos for whoever holds no token: previews of links, and feed readers. Guests see the same pictures in search. */
export function posterRoutes(site: Site): void {
  const { pool, store } = site.context;
  serveRaw(site, routes.poster, async (_caller, { request, reply }) => {
    const id = pathText(request, 'id');
    const [video] = /^[0-9a-f]{10}$/.test(id) ? await findVideos(pool, [id]) : [];
    const poster = video?.state === 'Processed' ? await readStored(store, videoKeys(video.id).poster) : null;
    if (!poster) throw new Problem('not_found', 'There is no such poster.');
    return (
      reply
        .header('cache-control', 'public, max-age=3600')
        // Feed readers show it in pages of their own.
        .header('cross-origin-resource-policy', 'cross-origin')
        .type('image/jpeg')
        .send(poster)
    );
  });
}
