import { z } from 'zod';
import { endpoints } from '#contract/endpoints.ts';
import { Problem } from '#contract/problem.ts';
import { routes } from '#contract/routes.ts';
import { isVideoId } from '#domain/files/video-keys.ts';
import { findPlacedTexts } from '#domain/moments/layers.ts';
import { findVideos } from '#domain/videos/find-videos.ts';
import { retryFootage } from '#domain/videos/footage.ts';
import {
  captionText,
  captionTypes,
  findKeywordsOf,
  findMoments,
  findShotStarts,
  findSpeech,
  linesAround,
} from '#domain/videos/moments-of-video.ts';
import { findFaces } from '#domain/videos/people/name-person.ts';
import { sightOf } from '#domain/videos/visibility.ts';
import { type Site, serve, serveRaw } from '../http/serve.ts';
import { withQueue } from '../http/with-queue.ts';
import { presentIndex } from '../video-service/present-index.ts';
import { readerOf } from '../video-service/reader.ts';
import { requireAccount, requireFilm, requireVideo, VideoPath } from '../video-service/video-path.ts';

const CaptionsQuery = z.object({
  format: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['vtt', 'srt', 'txt']))
    .default('vtt'),
});

/** What is known of one video: its index document and its captions; and another try for one that failed. */
export function videoRoutes(site: Site): void {
  const { context } = site;
  const { config, pool, store, secrets } = context;

  serve(site, endpoints.videoIndex, async (input, caller) => {
    requireAccount(config, input);
    const reader = await readerOf(context, caller);
    // A script waits for its film by looking how far it is.
    const video = caller.video ? await requireVideo(pool, input.id, reader.sight) : await requireFilm(pool, input.id);
    const [moments, shotStartsMs, speechMs, keywords, placedTexts, faces] = await Promise.all([
      findMoments(pool, video.id),
      findShotStarts(pool, video.id),
      findSpeech(pool, video.id),
      findKeywordsOf(pool, video.id),
      findPlacedTexts(pool, video.id),
      findFaces(pool, video.id),
    ]);
    const presenting = { reader, secrets, accountId: config.videoService.accountId };
    const isSummarized = input.includeSummarizedInsights === 'true';
    return presentIndex({ video, moments, shotStartsMs, speechMs, keywords, placedTexts, faces, isSummarized }, presenting);
  });

  serve(site, endpoints.linesAround, async ({ id, type, atMs, ...path }, caller) => {
    requireAccount(config, path);
    const video = await requireVideo(pool, id, (await readerOf(context, caller)).sight);
    const { before, after } = linesAround(await findMoments(pool, video.id), { kind: type, atMs });
    return { before, after: [...after] };
  });

  serve(site, endpoints.retryVideo, async ({ id }, _caller, { reply }) => {
    const [video] = isVideoId(id) ? await findVideos(pool, [id]) : [];
    if (!video) throw new Problem('not_found', 'There is no such video.');
    await withQueue(context)((queue) => retryFootage({ pool, store, queue }, id));
    reply.code(202);
    return {};
  });

  serveRaw(site, routes.captions, async ({ user }, { request, reply }) => {
    const path = VideoPath.parse(request.params);
    requireAccount(config, path);
    const query = CaptionsQuery.safeParse(request.query);
    if (!query.success) throw new Problem('invalid_parameter', 'format must be Vtt, Srt or Txt.');
    const video = await requireVideo(pool, path.id, sightOf(user?.roles));
    const { format } = query.data;
    return reply.type(`${captionTypes[format]}; charset=utf-8`).send(captionText(await findMoments(pool, video.id), format));
  });
}
