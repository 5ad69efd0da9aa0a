import { routes } from '#contract/routes.ts';
import type { Storyboard } from '#contract/video-service/storyboard.ts';
import { buildRequest } from './build-request.ts';
import { askArchive } from './call.ts';

/** Addresses of one video's media; the stream cookie of the player's document opens them. */
export function mediaAddressesOf(videoId: string) {
  const id = { id: videoId };
  const file = (name: string) => buildRequest({ method: 'GET', path: routes.media.path.replace('*', name) }, id).path;
  return {
    stream: file('hls/master.m3u8'),
    captions: file('captions.vtt'),
    poster: file('poster.jpg'),
    /** Of the small frames, one every two seconds. */
    frame: (n: number) => file(`frame/${n}.jpg`),
    storyboard: file('storyboard.json'),
    storyboardPicture: file('storyboard.jpg'),
    session: buildRequest(routes.mediaSession, id).path,
    cdnCookie: buildRequest(routes.cdnCookie, id).path,
  };
}

/** How the storyboard is cut, or null when the video has none. */
export async function loadStoryboard(videoId: string): Promise<Storyboard | null> {
  const response = await fetch(mediaAddressesOf(videoId).storyboard).catch(() => null);
  return response?.ok ? await response.json() : null;
}

/** Renews the stream cookie with a fresh video token. */
export async function renewMediaSession(videoId: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  await askArchive(mediaAddressesOf(videoId).session, { method: 'POST', headers, body: '{}' });
}

/** Renews the cookie that a content delivery network reads. Where that fails, the network refuses, and the player hears of it there. */
export async function renewCdnCookie(videoId: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch(mediaAddressesOf(videoId).cdnCookie, { method: 'POST', headers, body: '{}' }).catch(() => null);
}
