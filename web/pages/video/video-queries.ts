import { queryOptions } from '@tanstack/react-query';
import type { SearchItem, VideoIndex } from '#contract/video-service/answers.ts';
import { call } from '#web/api/call.ts';
import { CallFailed, isOffline } from '#web/api/call-failed.ts';
import { toFactsKey, toFilmKey, watchKey } from '#web/api/query-client.ts';
import { askAgainMs } from '#web/api/search/search-pages.ts';
import { fixedSearch } from '#web/api/search/search-request.ts';
import { accountToken, videoTokenOf, withToken } from '#web/api/tokens.ts';
import { parseTimeCode } from '#web/components/text/time-code.ts';
import type { EmbedAddress } from '#web/embed/embed-address.ts';
import { listMoments } from '#web/embed/video-moments.ts';
import { accountPath } from '#web/page-settings.ts';

/** The page promises that what the connection is away for comes when it is back; a browser is not told when it was the server that was away. */
const untilConnected = { retry: (_count: number, reason: Error) => isOffline(reason), retryDelay: askAgainMs };

/** The video of an id: looked up by a search, whose answer counts only when it is exactly one. */
export function videoById(id: string) {
  return queryOptions({
    queryKey: toFilmKey(id),
    queryFn: async ({ signal }): Promise<SearchItem | null> => {
      const { results } = await withToken(accountToken, (accessToken) => searchById(id, { accessToken, signal }));
      return results.length === 1 ? (results[0] ?? null) : null;
    },
    ...untilConnected,
  });
}

/**
 * What the page shows of a video, and the token that the frames begin with. Never asked for again while the page is open:
 * another token in a frame's address would start the film anew.
 */
export function watchableVideoOf(id: string) {
  return queryOptions({
    queryKey: watchKey(id),
    queryFn: ({ signal }) =>
      withToken(videoTokenOf(id), async (accessToken) => {
        const index = await call('videoIndex', { ...accountPath, id, includeStreamingUrls: 'false' }, { accessToken, signal });
        const lines = index.videos
          .flatMap(({ insights }) => listMoments(insights))
          .filter(({ kind }) => kind === 'Transcript' || kind === 'Ocr');
        return {
          name: index.name,
          // The other number of it is a whole one.
          durationInSeconds: parseTimeCode(index.duration),
          views: index.social?.views ?? null,
          lines,
          lacks: lacksOf(index),
          accessToken,
        };
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    ...untilConnected,
  });
}

/** What is known of a film as a whole; asked for with its token. */
export function filmFactsOf(id: string) {
  return queryOptions({
    queryKey: toFactsKey(id),
    queryFn: ({ signal }) => withToken(videoTokenOf(id), (bearer) => call('filmFacts', { id }, { bearer, signal })),
    // Editors change it.
    staleTime: 0,
  });
}

function lacksOf({ videos }: VideoIndex): EmbedAddress['lacks'] {
  if (videos.every(({ streamingPreset }) => streamingPreset === 'NoStreaming')) return 'media';
  return videos.some(({ insights }) => insights.transcript) ? null : 'captions';
}

/** Whether a failed call says that the visitor may no longer watch, rather than that something broke. */
export function isRefusal(reason: unknown): boolean {
  return reason instanceof CallFailed && (reason.status === 401 || reason.status === 403);
}

function searchById(id: string, options: { accessToken: string; signal: AbortSignal }) {
  return call('searchVideos', { ...accountPath, id, ...fixedSearch, skip: '0' }, options);
}
