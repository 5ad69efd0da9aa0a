import { queryOptions } from '@tanstack/react-query';
import { limits } from '#contract/limits.ts';
import { accountPath } from '#web/page-settings.ts';
import { call } from './call.ts';
import { accountToken, videoTokenOf, withToken } from './tokens.ts';
import type { AskPage } from './video-listing.ts';

/** A page of the list of all videos in every state, newest first; an administrator's account token opens it. */
export const askAllVideos: AskPage = (start, signal) =>
  withToken(accountToken, (accessToken) =>
    call(
      'listVideos',
      {
        ...accountPath,
        pageSize: String(limits.pageSizeMax),
        skip: String(start.skip),
        createdBefore: start.createdBefore,
        createdBeforeSignature: start.createdBeforeSignature,
        after: start.after,
      },
      { accessToken, signal },
    ),
  );

/** What is said or written before a moment, and after it; asked for with the token of that video, which only those have who may watch it. */
export function linesAround(id: string, { kind, seconds }: { kind: 'Transcript' | 'Ocr'; seconds: number }) {
  return queryOptions({
    queryKey: ['lines-around', id, kind, seconds],
    queryFn: ({ signal }) =>
      withToken(videoTokenOf(id), (accessToken) =>
        call('linesAround', { ...accountPath, id, type: kind, atMs: String(Math.round(seconds * 1_000)) }, { accessToken, signal }),
      ),
    staleTime: 300_000,
  });
}

/** Lets a film that failed be ingested again. Throws a `CallFailed` with the server's words where somebody else must act first. */
export async function retryVideo(id: string): Promise<void> {
  await call('retryVideo', { id });
}
