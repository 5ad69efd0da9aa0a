import { isVideoId } from '../../files/video-keys.ts';

/** A condition of the index: a row of one of these videos. */
export function oneOfVideos(ids: readonly string[]): string {
  // Whatever is no id of ours never gets into the condition.
  const known = ids.filter(isVideoId);
  return known.length > 0 ? `video in (${known.map((id) => `'${id}'`).join(', ')})` : 'false';
}
