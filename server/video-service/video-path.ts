import { z } from 'zod';
import type { Pool } from '#domain/db/database.ts';
import { findKnownVideo, findShownVideo } from '#domain/videos/find-videos.ts';
import type { Video } from '#domain/videos/video.ts';
import type { Sight } from '#domain/videos/visibility.ts';
import type { Config } from '../config.ts';
import { VideoServiceProblem } from './video-service-problem.ts';

/** The beginning of every path of the video service. */
export const AccountPath = z.object({ location: z.string(), account: z.string() });
export const VideoPath = AccountPath.extend({ id: z.string() });

/** This archive has one location and one account; others do not exist. */
export function requireAccount({ videoService }: Config, { location, account }: z.infer<typeof AccountPath>): void {
  if (location.toLowerCase() !== videoService.location)
    throw new VideoServiceProblem('not_found', 'LOCATION_NOT_FOUND', 'There is no such location.');
  if (account.toLowerCase() !== videoService.accountId)
    throw new VideoServiceProblem('not_found', 'ACCOUNT_NOT_FOUND', 'There is no such account.');
}

/** The processed video with this id that somebody with this sight is shown; whatever else the id may be, the answer is the same. */
export async function requireVideo(pool: Pool, id: string, sight: Sight): Promise<Video> {
  const video = await findShownVideo(pool, id, sight);
  if (!video) throw new VideoServiceProblem('not_found', 'BREAKDOWN_NOT_FOUND', 'There is no such video.');
  return video;
}

/** The video with this id in whatever state, for editors' scripts; one that is deleted is not there. */
export async function requireFilm(pool: Pool, id: string): Promise<Video> {
  const video = await findKnownVideo(pool, id);
  if (!video) throw new VideoServiceProblem('not_found', 'BREAKDOWN_NOT_FOUND', 'There is no such video.');
  return video;
}
