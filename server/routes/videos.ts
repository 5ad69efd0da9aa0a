import { z } from 'zod';
import { endpoints } from '#contract/endpoints.ts';
import { Problem } from '#contract/problem.ts';
import { routes } from '#contract/routes.ts';
import { isVideoId } from '#domain/files/video-keys.ts';
import { openJobQueue } from '#domain/jobs/job-queue.ts';
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
import { presentIndex } from '../video-service/present-index.ts';
import { readerOf } from '../video-service/reader.ts';
import { requireAccount, requireVideo, VideoPath } from '../video-service/video-path.ts';

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
  const { config, pool, store, secrets, log } = context;

  serve(site, endpoints.videoIndex, async (input, caller) => {
    requireAccount(config, input);
    const reader = await readerOf(context, caller);
    const video = await requireVideo(pool, input.id, reader.sight);
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
    const queue = await openJobQueue(pool, { onError: (error) => log.warn('jobs', { reason: error.message }) });
    try {
      await retryFootage({ pool, store, queue }, id);
    } finally {
      await queue.stop();
    }
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
