import { z } from 'zod';
import { endpoints } from '#contract/endpoints.ts';
import { Problem } from '#contract/problem.ts';
import { rawRoutes } from '#contract/raw-routes.ts';
import { posterThumbnailId } from '#domain/tokens/thumbnail-ids.ts';
import { captionText, captionTypes } from '#domain/videos/caption-text.ts';
import { findMoments } from '#domain/videos/find-moments.ts';
import { videoIndexDocument } from '#domain/videos/video-index-document.ts';
import { type Site, serve, serveRaw } from '../http/serve.ts';
import { requireAccount, requireVideo, VideoPath } from '../http/video-path.ts';

const CaptionsQuery = z.object({
  format: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['vtt', 'srt', 'txt']))
    .default('vtt'),
});

/** What is known of one video: its index document and its captions. */
export function videoRoutes(site: Site): void {
  const { config, pool, secrets } = site.context;

  serve(site, endpoints.videoIndex, async (input) => {
    requireAccount(config, input);
    const video = await requireVideo(pool, input.id);
    const { accountId } = config.videoService;
    return videoIndexDocument(video, await findMoments(pool, video.id), { accountId, thumbnailId: posterThumbnailId(secrets, video.id) });
  });

  serveRaw(site, rawRoutes.captions, async (_caller, { request, reply }) => {
    const path = VideoPath.parse(request.params);
    requireAccount(config, path);
    const query = CaptionsQuery.safeParse(request.query);
    if (!query.success) throw new Problem('invalid_parameter', 'format must be Vtt, Srt or Txt.');
    const video = await requireVideo(pool, path.id);
    const { format } = query.data;
    return reply.type(`${captionTypes[format]}; charset=utf-8`).send(captionText(await findMoments(pool, video.id), format));
  });
}
