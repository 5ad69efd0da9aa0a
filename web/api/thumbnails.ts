import { useSyncExternalStore } from 'react';
import { routes } from '#contract/routes.ts';
import { accountPath, pageSettings } from '#web/page-settings.ts';
import { buildRequest } from './build-request.ts';
import { accountToken } from './tokens.ts';

/** Builds addresses of posters, stills and found frames; they change when the token does, so that no picture breaks after an hour. */
export function useThumbnailUrl(): (videoId: string, thumbnailId: string) => string | undefined {
  const token = useSyncExternalStore(accountToken.subscribe, accountToken.current);
  return (videoId, thumbnailId) => (token ? buildThumbnailUrl({ videoId, thumbnailId, token }) : undefined);
}

/** The address of the poster that everybody may see; there is none of a film that is kept back. */
export function publicPosterAddressOf(videoId: string): string {
  return buildRequest(routes.poster, { id: videoId }).path;
}

/** The address of a poster, still or frame; the token stands in it because a picture sends no header. */
export function buildThumbnailUrl({ videoId, thumbnailId, token }: { videoId: string; thumbnailId: string; token: string }): string {
  const input = { ...accountPath, id: videoId, thumbnailId, accessToken: token };
  return pageSettings.videoServiceBase + buildRequest(routes.thumbnail, input).path;
}
