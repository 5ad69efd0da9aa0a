import { minidenticon } from 'minidenticons';
import { z } from 'zod';
import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { routes } from '#contract/routes.ts';
import { readFrame } from '#domain/files/frame-pack.ts';
import { readStored } from '#domain/files/read-stored.ts';
import { posterKey, videoKeys } from '#domain/files/video-keys.ts';
import { faceMark } from '#domain/moments/faces.ts';
import { countedNetworks } from '#domain/networks/counted-networks.ts';
import { readThumbnailId, type Thumbnail } from '#domain/tokens/thumbnail-ids.ts';
import { findShownVideo } from '#domain/videos/find-videos.ts';
import { findFaces } from '#domain/videos/people/name-person.ts';
import type { Video } from '#domain/videos/video.ts';
import type { Context } from '../context.ts';
import type { Admitted } from '../http/access/caller.ts';
import { hourlyBudget } from '../http/rate-limits.ts';
import { pathText } from '../http/request-text.ts';
import { type Site, serveRaw } from '../http/serve.ts';
import { readerOf, readsWords } from '../video-service/reader.ts';
import { requireAccount, requireVideo, VideoPath } from '../video-service/video-path.ts';
import { VideoServiceProblem } from '../video-service/video-service-problem.ts';

const ThumbnailPath = VideoPath.extend({ thumbnailId: z.string() });
const Format = z.object({ format: z.stringFormat('format', /^(jpeg|base64)$/i).optional() });

/** Posters, stills and the frames that an answer named to this caller; whoever holds the video's own token sees every frame. */
export function thumbnailRoutes(site: Site): void {
  const { context } = site;
  const mayOpen = hourlyBudget(context.config.framesPerVideoHour);

  serveRaw(site, routes.thumbnail, async (caller, { request, reply }) => {
    const path = ThumbnailPath.parse(request.params);
    requireAccount(context.config, path);
    const format = Format.safeParse(request.query);
    if (!format.success) throw new Problem('invalid_parameter', 'format must be Jpeg or Base64.');
    const reader = await readerOf(context, caller);
    const video = await requireVideo(context.pool, path.id, reader.sight);
    const thumbnail = thumbnailOf(context, path, caller);
    if (!thumbnail) throw noThumbnail();
    if (thumbnail.kind === 'frame') {
      // An id that was named to somebody who may not read any more opens nothing.
      if (!readsWords(reader)) throw noThumbnail();
      const asked = { networks: countedNetworks(request.ip), videoId: path.id, things: [thumbnail.frame] };
      if (!reader.mayWatch && !mayOpen(asked)) throw new Problem('rate_limited', enough, { retryAfterSeconds: 3_600 });
    }
    // A person's face is for those who may see the film.
    if (thumbnail.kind === 'face' && !reader.mayWatch) throw noThumbnail();
    const picture = await readPicture(context, video, thumbnail);
    if (!picture) throw noThumbnail();
    // A face may be taken out of the archive for good.
    reply.header('cache-control', thumbnail.kind === 'face' ? 'private, no-cache' : 'private, max-age=604800, immutable');
    if (format.data.format?.toLowerCase() === 'base64') return reply.type('text/plain; charset=utf-8').send(picture.toString('base64'));
    return reply.type('image/jpeg').send(picture);
  });
}

const enough = 'That is enough of this film for now. Sign in to watch it.';

function noThumbnail(): VideoServiceProblem {
  return new VideoServiceProblem('not_found', 'NOT_FOUND', 'There is no such thumbnail.');
}

function thumbnailOf({ secrets }: Context, { id, thumbnailId }: z.infer<typeof ThumbnailPath>, caller: Admitted): Thumbnail | null {
  const named = readThumbnailId(secrets, { videoId: id, thumbnailId, caller: caller.callerId });
  if (named || !caller.video) return named;
  // The id begins with the frame's number; this caller may see any of them.
  const frame = /^[0-9a-f]{8}-/i.test(thumbnailId) ? Number.parseInt(thumbnailId.slice(0, 8), 16) : undefined;
  return frame === undefined ? null : { kind: 'frame', frame };
}

async function readPicture({ pool, store }: Context, video: Video, thumbnail: Thumbnail): Promise<Buffer | null> {
  const { framePack, faces } = videoKeys(video.id);
  if (thumbnail.kind === 'face') {
    const picture = await readStored(store, `${faces}/${thumbnail.mark}.jpg`);
    if (picture) return picture;
    // Of appearances that an editor told from the rest of their group there is none of their own.
    const face = (await findFaces(pool, video.id)).find((one) => faceMark(one) === thumbnail.mark);
    return face ? await readFrame(store, framePack, Math.round(face.clearest.atMs / 1_000 / limits.frameIntervalSeconds)) : null;
  }
  if (thumbnail.kind !== 'poster') return await readFrame(store, framePack, thumbnail.frame);
  return await readStored(store, posterKey(video));
}

/** Posters of processed videos for whoever holds no token: previews of links, and feed readers. Guests see the same pictures in search. */
export function posterRoutes(site: Site): void {
  const { pool, store } = site.context;
  serveRaw(site, routes.poster, async (_caller, { request, reply }) => {
    const id = pathText(request, 'id');
    const video = await findShownVideo(pool, id, 'guest');
    const poster = video ? await readStored(store, posterKey(video)) : null;
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

/** The picture of a person, drawn from the hash of their e-mail; no request leaves for a third party. */
export function avatarRoutes(site: Site): void {
  serveRaw(site, routes.avatar, (_caller, { request, reply }) => {
    const hash = pathText(request, 'hash');
    if (!/^[0-9a-f]{32}$/.test(hash)) throw new Problem('not_found', 'There is no such picture.');
    return reply
      .type('image/svg+xml; charset=utf-8')
      .headers({
        'cache-control': 'private, max-age=86400',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      })
      .send(minidenticon(hash, 60, 58));
  });
}
