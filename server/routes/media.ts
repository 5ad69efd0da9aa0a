import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { Problem } from '#contract/problem.ts';
import { routes } from '#contract/routes.ts';
import { readFrame } from '#domain/files/frame-pack.ts';
import type { FileStore } from '#domain/files/store.ts';
import { type VideoKeys, videoKeys } from '#domain/files/video-keys.ts';
import { setMediaCookie } from '../http/access/media-access.ts';
import { sendStoredFile } from '../http/send-stored-file.ts';
import { type Site, serveRaw } from '../http/serve.ts';
import { requireVideo } from '../video-service/video-path.ts';

const MediaPath = z.object({ id: z.string(), '*': z.string() });

/** The files of one video, for whoever holds its cookie or its token. */
export function mediaRoutes(site: Site): void {
  const { context } = site;

  serveRaw(site, routes.media, async ({ video }, { request, reply }) => {
    if (!video) throw new Error('admitted without a video');
    const name = MediaPath.parse(request.params)['*'];
    await requireVideo(context.pool, video.videoId);
    const keys = videoKeys(video.videoId);
    const frame = /^frame\/(\d{1,6})\.jpg$/.exec(name)?.[1];
    if (frame !== undefined) return sendFrame(reply, context.store, { key: keys.framePack, n: Number(frame) });
    const file = fileOf(keys, name);
    if (!file) throw new Problem('not_found', 'This video has no such file.');
    reply.type(file.type).header('cache-control', 'private, max-age=3600');
    return await sendStoredFile({ request, reply }, { store: context.store, key: file.key });
  });

  serveRaw(site, routes.mediaSession, async ({ video }, { request, reply }) => {
    if (!video) throw new Error('admitted without a video');
    await requireVideo(context.pool, video.videoId);
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
