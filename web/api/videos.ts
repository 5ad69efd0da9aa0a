import { limits } from '#contract/limits.ts';
import { pageSettings } from '#web/page-settings.ts';
import { call } from './call.ts';
import { accountToken, withToken } from './tokens.ts';
import type { AskPage } from './video-listing.ts';

/** A page of the list of all videos in every state, newest first; an administrator's account token opens it. */
export const askAllVideos: AskPage = (start, signal) =>
  withToken(accountToken, (accessToken) =>
    call(
      'listVideos',
      {
        location: pageSettings.location,
        account: pageSettings.accountId,
        pageSize: String(limits.pageSizeMax),
        skip: String(start.skip),
        createdBefore: start.createdBefore,
        createdBeforeSignature: start.createdBeforeSignature,
      },
      { accessToken, signal },
    ),
  );

/** Lets a film that failed be ingested again. Throws a `CallFailed` with the server's words where somebody else must act first. */
export async function retryVideo(id: string): Promise<void> {
  await call('retryVideo', { id });
}
