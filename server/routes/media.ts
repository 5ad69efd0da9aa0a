import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Problem } from '#contract/problem.ts';
import { routes } from '#contract/routes.ts';
import { readFrame } from '#domain/files/frame-pack.ts';
import type { ByteRange, FileStore, StoredFile } from '#domain/files/store.ts';
import { posterKey, type VideoKeys, videoKeys } from '#domain/files/video-keys.ts';
import { findCorrectedCaptions } from '#domain/videos/moments-of-video.ts';
import { findStreamVersion } from '#domain/videos/record-step.ts';
import { sightOf } from '#domain/videos/visibility.ts';
import { setMediaCookie } from '../http/access/media-access.ts';
import { type Site, serveRaw } from '../http/serve.ts';
import { requireVideo } from '../video-service/video-path.ts';

const MediaPath = z.object({ id: z.string(), '*': z.string() });

/** The files of one video, for whoever holds its cookie or its token. */
export function mediaRoutes(site: Site): void {
  const { context } = site;

  serveRaw(site, routes.media, async ({ video, user }, { request, reply }) => {
    if (!video) throw new Error('admitted without a video');
    const name = MediaPath.parse(request.params)['*'];
    const shown = await requireVideo(context.pool, video.videoId, sightOf(user?.roles));
    const keys = videoKeys(video.videoId);
    const frame = /^frame\/(\d{1,6})\.jpg$/.exec(name)?.[1];
    if (frame !== undefined) return sendFrame(reply, context.store, { key: keys.framePack, n: Number(frame) });
    const file = fileOf({ ...keys, poster: posterKey(shown) }, name);
    if (!file) throw new Problem('not_found', 'This video has no such file.');
    reply.type(file.type).header('cache-control', 'private, max-age=3600');
    const { store } = context;
    if (file.key !== keys.captions) return await sendStoredFile({ request, reply }, { store, key: file.key });
    // They change with every line that somebody corrects.
    reply.header('cache-control', 'private, no-cache');
    const corrected = await findCorrectedCaptions(context.pool, video.videoId);
    if (corrected !== null) return await reply.send(corrected);
    // What came with a film goes before what was heard in it.
    const key = (await store.stat(keys.captions)) ? keys.captions : keys.heardCaptions;
    return await sendStoredFile({ request, reply }, { store, key });
  });

  serveRaw(site, routes.mediaVerdict, async ({ video, user }, { reply }) => {
    if (!video) throw new Error('admitted without a video');
    await requireVideo(context.pool, video.videoId, sightOf(user?.roles));
    return reply
      .code(204)
      .header('x-stream-version', await findStreamVersion(context.pool, video.videoId))
      .send();
  });

  serveRaw(site, routes.mediaSession, async ({ video, user }, { request, reply }) => {
    if (!video) throw new Error('admitted without a video');
    await requireVideo(context.pool, video.videoId, sightOf(user?.roles));
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

async function sendFrame(reply: FastifyReply, store: FileStore, { key, n }: { key: string; n: number }): Promise<FastifyReply> {
  const frame = await readFrame(store, key, n);
  if (!frame) throw new Problem('not_found', 'This video has no such frame.');
  return reply.type('image/jpeg').header('cache-control', 'private, max-age=3600').send(frame);
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
  const range = askedRange(exchange, file, version);
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end - 1}/${file.sizeBytes}`);
  reply.header('content-length', range ? range.end - range.start : file.sizeBytes);
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  const found = await store.openRange(key, range);
  if (!found) throw new Problem('not_found', 'This video has no such file.');
  return reply.send(found.stream());
}

function hasSameVersion({ headers }: FastifyRequest, version: string): boolean {
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known?.some((tag) => tag === version || tag === '*') ?? false;
}

/** The stretch to answer with; undefined for the whole file. */
function askedRange(
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
  throw new Problem('range_not_satisfiable', `The file has ${sizeBytes} bytes; the part that was asked for lies outside of it.`);
}
