import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { minidenticon } from 'minidenticons';
import { z } from 'zod';
import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { routes } from '#contract/routes.ts';
import { readFrame, readFrameAt } from '#domain/files/frame-pack.ts';
import { readStored } from '#domain/files/read-stored.ts';
import type { ByteRange, FileStore, StoredFile } from '#domain/files/store.ts';
import { toPosterKey, toVideoKeys, type VideoKeys } from '#domain/files/video-keys.ts';
import { findCorrectedCaptions } from '#domain/moments/captions.ts';
import { faceMarkOf } from '#domain/moments/faces.ts';
import { countedNetworksOf } from '#domain/networks/counted-networks.ts';
import { frameOfShot, pictureOfFrame, readThumbnailId, type Thumbnail } from '#domain/tokens/thumbnail-ids.ts';
import { findShownVideo } from '#domain/videos/find-videos.ts';
import { findFaces } from '#domain/videos/people/name-person.ts';
import { findStreamVersion } from '#domain/videos/record-step.ts';
import { findCaptionsWithoutRough } from '#domain/videos/rough-speech.ts';
import type { Video } from '#domain/videos/video.ts';
import { sightOf } from '#domain/videos/visibility.ts';
import type { Context } from '../context.ts';
import type { Admitted } from '../http/access/caller.ts';
import { renewCdnCookies } from '../http/access/cdn-cookies.ts';
import { setMediaCookie } from '../http/access/media-access.ts';
import { videoOf } from '../http/access/session-of.ts';
import { etagOf, hasSameVersion } from '../http/etag.ts';
import { makeHourlyBudget } from '../http/rate-limits.ts';
import { readPathText } from '../http/request-text.ts';
import { type Exchange, type RouteHost, serveRaw } from '../http/serve.ts';
import { readerOf, readsWords } from '../video-service/reader.ts';
import { requireAccount, requireVideo, VideoPath } from '../video-service/video-path.ts';
import { VideoServiceProblem } from '../video-service/video-service-problem.ts';

const MediaPath = z.object({ id: z.string(), '*': z.string() });

/** The files of one video, for whoever holds its cookie or its token. */
export function addMediaRoutes(host: RouteHost): void {
  const { context } = host;

  serveRaw(host, routes.media, async (caller, { request, reply }) => {
    const video = videoOf(caller);
    const name = MediaPath.parse(request.params)['*'];
    const shown = await requireVideo(context.pool, video.videoId, sightOf(caller.user?.roles));
    const keys = toVideoKeys(video.videoId);
    const frame = /^frame\/(\d{1,6})\.jpg$/.exec(name)?.[1];
    if (frame !== undefined)
      return sendFrame({ request, reply }, context.store, { key: keys.framePack, n: Number(frame), version: shown.picturesVersion });
    const file = fileOf({ ...keys, poster: toPosterKey(shown) }, name);
    if (!file) throw new Problem('not_found', 'This video has no such file.');
    // Segments are named with their version; pictures are drawn anew under the names that they had.
    reply.type(file.type).header('cache-control', name.startsWith('hls/') ? 'private, max-age=3600' : 'private, no-cache');
    const { store } = context;
    if (file.type === streamTypes.m3u8) return await sendPlaylist({ request, reply }, context, { key: file.key, videoId: video.videoId });
    if (file.key !== keys.captions) return await sendStoredFile({ request, reply }, { store, key: file.key });
    const corrected = await findCorrectedCaptions(context.pool, video.videoId);
    if (corrected !== null) return await reply.send(corrected);
    // What came with a film goes before what was read in it, and that before what was heard.
    let key = keys.heardCaptions;
    for (const written of [keys.readCaptions, keys.captions]) if (await store.stat(written)) key = written;
    const withoutRough = key === keys.heardCaptions ? await findCaptionsWithoutRough(context.pool, video.videoId) : null;
    return withoutRough === null ? await sendStoredFile({ request, reply }, { store, key }) : await reply.send(withoutRough);
  });

  serveRaw(host, routes.mediaVerdict, async (caller, { reply }) => {
    const video = videoOf(caller);
    await requireVideo(context.pool, video.videoId, sightOf(caller.user?.roles));
    return reply
      .code(204)
      .header('x-stream-version', await findStreamVersion(context.pool, video.videoId))
      .send();
  });

  serveRaw(host, routes.cdnCookie, async (caller, { request, reply }) => {
    const video = videoOf(caller);
    await requireVideo(context.pool, video.videoId, sightOf(caller.user?.roles));
    await renewCdnCookies(context, { request, reply }, video);
    return reply.code(204).send();
  });

  serveRaw(host, routes.mediaSession, async (caller, { request, reply }) => {
    const video = videoOf(caller);
    await requireVideo(context.pool, video.videoId, sightOf(caller.user?.roles));
    await setMediaCookie(context, { request, reply }, video);
    return reply.code(204).send();
  });
}

const streamTypes = { m3u8: 'application/vnd.apple.mpegurl', m4s: 'video/iso.segment', mp4: 'video/mp4' } as const;

/** Only names that ingest gives; nothing else that a caller writes becomes a key. */
function fileOf(keys: VideoKeys, name: string): { key: string; type: string } | null {
  const known: Record<string, { key: string; type: string }> = {
    'poster.jpg': { key: keys.poster, type: 'image/jpeg' },
    'captions.vtt': { key: keys.captions, type: 'text/vtt; charset=utf-8' },
    'storyboard.jpg': { key: keys.storyboard, type: 'image/jpeg' },
    'storyboard.json': { key: keys.storyboardIndex, type: 'application/json; charset=utf-8' },
  };
  if (Object.hasOwn(known, name)) return known[name] ?? null;
  const stream = /^hls\/((?:[a-z0-9-]{1,40}\/)?[a-z0-9_-]{1,40}\.(m3u8|m4s|mp4))$/.exec(name);
  const [, path, extension] = stream ?? [];
  if (!path || !(extension === 'm3u8' || extension === 'm4s' || extension === 'mp4')) return null;
  return { key: `${keys.hls}/${path}`, type: streamTypes[extension] };
}

/** It is asked for each time, and small; its segments are kept. */
async function sendPlaylist(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { store, pool }: Pick<Context, 'store' | 'pool'>,
  { key, videoId }: { readonly key: string; readonly videoId: string },
): Promise<FastifyReply> {
  const [stored, version] = [await readStored(store, key), await findStreamVersion(pool, videoId)];
  if (!stored) throw new Problem('not_found', 'This video has no such file.');
  const playlist = withVersion(stored.toString(), version);
  const tag = etagOf(playlist);
  reply.header('cache-control', 'private, no-cache').header('etag', tag);
  return hasSameVersion(request, tag) ? reply.code(304).send() : reply.send(playlist);
}

/** A name of a segment, or of what segments begin with, as it stands in a playlist: on a line of its own, or as the address of a tag. */
const segmentName = /(?<=^|URI=")[a-z0-9_-]+\.(?:m4s|mp4)(?=$|")/gm;

/**
 * A playlist whose segments are named with the version that they are of: those of a step that runs again keep their names, and whoever kept the
 * former ones, a browser or a network between, must not mix them with those of a playlist that is opened now.
 */
function withVersion(playlist: string, version: string): string {
  return playlist.replace(segmentName, (name) => `${name}?v=${version}`);
}

async function sendFrame(
  { request, reply }: Exchange,
  store: FileStore,
  { key, n, version }: { key: string; n: number; version: number },
): Promise<FastifyReply> {
  const tag = `"${version}-${n}"`;
  reply.header('cache-control', 'private, no-cache').header('etag', tag);
  if (hasSameVersion(request, tag)) return reply.code(304).send();
  const frame = await readFrame(store, key, n);
  if (!frame) throw new Problem('not_found', 'This video has no such frame.');
  return reply.type('image/jpeg').send(frame);
}

/**
 * Sends a stored file, or the one stretch of it that the request asks for (RFC 9110, 14): a browser that holds the same version already
 * gets 304, several stretches at once are answered with the whole file. Throws `not_found` and `range_not_satisfiable`.
 */
async function sendStoredFile(
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { store, key }: { readonly store: FileStore; readonly key: string },
): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const file = await store.stat(key);
  if (!file) throw new Problem('not_found', 'This video has no such file.');
  const version = `"${file.sizeBytes.toString(36)}-${file.modifiedAt.getTime().toString(36)}"`;
  reply.header('accept-ranges', 'bytes').header('etag', version).header('last-modified', file.modifiedAt.toUTCString());
  if (hasSameVersion(request, version)) return reply.code(304).send();
  const range = readAskedRange(exchange, file, version);
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end - 1}/${file.sizeBytes}`);
  reply.header('content-length', range ? range.end - range.start : file.sizeBytes);
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  const found = await store.openRange(key, range);
  if (!found) throw new Problem('not_found', 'This video has no such file.');
  return reply.send(found.stream());
}

/** The stretch to answer with; undefined for the whole file. */
function readAskedRange(
  { request: { headers }, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { sizeBytes, modifiedAt }: StoredFile,
  version: string,
): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  // Part of another version would not fit what the browser holds.
  const heldVersion = headers['if-range'];
  if (heldVersion !== undefined && heldVersion !== version && heldVersion !== modifiedAt.toUTCString()) return undefined;
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1);
  if (start < end) return { start, end };
  reply.header('content-range', `bytes */${sizeBytes}`);
  throw new Problem('range_not_satisfiable', `The file has ${sizeBytes} bytes; the requested range is outside it.`);
}

const ThumbnailPath = VideoPath.extend({ thumbnailId: z.string() });
const Format = z.object({ format: z.stringFormat('format', /^(jpeg|base64)$/i).optional() });

/** Posters, stills and the frames that an answer named to this caller; whoever holds the video's own token sees every frame. */
export function addThumbnailRoutes(host: RouteHost): void {
  const { context } = host;
  const mayOpen = makeHourlyBudget(context.config.framesPerVideoHour);

  serveRaw(host, routes.thumbnail, async (caller, { request, reply }) => {
    const path = ThumbnailPath.parse(request.params);
    requireAccount(context.config, path);
    const format = Format.safeParse(request.query);
    if (!format.success) throw new Problem('invalid_parameter', 'format must be Jpeg or Base64.');
    const reader = await readerOf(context, caller);
    const video = await requireVideo(context.pool, path.id, reader.sight);
    const thumbnail = thumbnailOf(context, { path, video, caller });
    if (!thumbnail) throw makeNoThumbnailProblem();
    if (thumbnail.kind === 'frame' || thumbnail.kind === 'shot') {
      // An id that was named to somebody who may not read any more opens nothing.
      if (!readsWords(reader)) throw makeNoThumbnailProblem();
      const thing = thumbnail.kind === 'shot' ? frameOfShot(thumbnail.atMs) : thumbnail.frame;
      const asked = { networks: countedNetworksOf(request.ip), videoId: path.id, things: [thing] };
      if (!reader.mayWatch && !mayOpen(asked)) throw new Problem('rate_limited', enough, { retryAfterSeconds: 3_600 });
    }
    // A person's face is for those who may see the film.
    if (thumbnail.kind === 'face' && !reader.mayWatch) throw makeNoThumbnailProblem();
    const picture = await readPicture(context, video, thumbnail);
    if (!picture) throw makeNoThumbnailProblem();
    // A face may be taken out of the archive for good; and an id of before shows what stands there now.
    const isKept = thumbnail.kind !== 'face' && !('isOfBefore' in thumbnail);
    reply.header('cache-control', isKept ? 'private, max-age=604800, immutable' : 'private, no-cache');
    if (format.data.format?.toLowerCase() === 'base64') return reply.type('text/plain; charset=utf-8').send(picture.toString('base64'));
    return reply.type('image/jpeg').send(picture);
  });
}

const enough = 'You have reached the preview limit for this video. Sign in to watch it.';

function makeNoThumbnailProblem(): VideoServiceProblem {
  return new VideoServiceProblem('not_found', 'NOT_FOUND', 'There is no such thumbnail.');
}

interface AskedThumbnail {
  readonly path: z.infer<typeof ThumbnailPath>;
  readonly video: Video;
  readonly caller: Admitted;
}

function thumbnailOf({ secrets }: Context, { path: { id, thumbnailId }, video, caller }: AskedThumbnail): Thumbnail | null {
  const named = readThumbnailId(secrets, { videoId: id, thumbnailId, caller: caller.callerId, version: video.picturesVersion });
  if (named || !caller.video) return named;
  // The id begins with the frame's number; this caller may see any of them.
  const frame = /^[0-9a-f]{8}-/i.test(thumbnailId) ? Number.parseInt(thumbnailId.slice(0, 8), 16) : undefined;
  return frame === undefined ? null : pictureOfFrame(frame);
}

async function readPicture({ pool, store }: Context, video: Video, thumbnail: Thumbnail): Promise<Buffer | null> {
  const { framePack, shotPack, faces } = toVideoKeys(video.id);
  if (thumbnail.kind === 'face') {
    const picture = await readStored(store, `${faces}/${thumbnail.mark}.jpg`);
    if (picture) return picture;
    // Of appearances that an editor told from the rest of their group there is none of their own.
    const face = (await findFaces(pool, video.id)).find((one) => faceMarkOf(one) === thumbnail.mark);
    return face ? await readFrame(store, framePack, Math.round(face.clearest.atMs / 1_000 / limits.frameIntervalSeconds)) : null;
  }
  if (thumbnail.kind === 'shot') return await readFrameAt(store, shotPack, thumbnail.atMs);
  if (thumbnail.kind !== 'poster') return await readFrame(store, framePack, thumbnail.frame);
  return await readStored(store, toPosterKey(video));
}

/** Posters of processed videos for whoever holds no token: previews of links, and feed readers. Guests see the same pictures in search. */
export function addPosterRoutes(host: RouteHost): void {
  const { pool, store } = host.context;
  serveRaw(host, routes.poster, async (_caller, { request, reply }) => {
    const id = readPathText(request, 'id');
    const video = await findShownVideo(pool, id, 'guest');
    const poster = video ? await readStored(store, toPosterKey(video)) : null;
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
export function addAvatarRoutes(host: RouteHost): void {
  serveRaw(host, routes.avatar, (_caller, { request, reply }) => {
    const hash = readPathText(request, 'hash');
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
