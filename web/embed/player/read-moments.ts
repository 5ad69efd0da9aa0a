import { call } from '#web/api/call.ts';
import type { EmbedAddress } from '../embed-address.ts';
import type { ParentPage } from '../parent-page.ts';
import { listMoments, type VideoMoment } from '../video-moments.ts';

/** Reads every moment of the video, once and only when something is searched, with the newest token. */
export function momentsReader({ accountId, videoId, location, accessToken }: EmbedAddress, page: ParentPage): () => Promise<VideoMoment[]> {
  let token = accessToken;
  let reading: Promise<VideoMoment[]> | undefined;
  page.listen((message) => {
    if (message.accessToken !== undefined) token = message.accessToken;
  });

  const read = async () => {
    const asked = { location, account: accountId, id: videoId, includeStreamingUrls: 'false' };
    const index = await call('videoIndex', asked, { accessToken: token });
    return index.videos.flatMap((video) => listMoments(video.insights));
  };
  return () => {
    reading ??= read().catch((reason: unknown) => {
      console.error('The moments of this video could not be read; it plays without ticks.', reason);
      reading = undefined;
      return [];
    });
    return reading;
  };
}
