import { limits } from '#contract/limits.ts';
import type { Pool } from '#domain/db/database.ts';
import type { Search } from '#domain/search/open-search.ts';
import type { FoundVideo } from '#domain/search/search-request.ts';
import { findVideos } from '#domain/videos/find-videos.ts';
import { type Pin, placesMax, secondsOf } from './pin.ts';

/** A match counts that begins this near to the pinned time. */
const toleranceMs = 8_000;

/** Where a pin stands. */
export interface Standing {
  /** Place of the video from 1, if its card shows the moment; null when it is not found so. */
  readonly place: number | null;
  /** Why there is no place, in words. */
  readonly why?: string;
}

/** An archive as pins ask it. */
export interface AskedArchive {
  readonly pool: Pool;
  readonly search: Search;
}

/** Asks the archive a pin's query, page by page as people turn them. */
export async function askPin(archive: AskedArchive, pin: Pin): Promise<Standing> {
  const [video] = await findVideos(archive.pool, [pin.video]);
  if (!video) return { place: null, why: 'no such video is in the archive' };
  if (video.state !== 'Processed') return { place: null, why: 'the video is not ready' };
  const { searchPageSize: pageSize } = limits;
  let createdBefore: Date | undefined;
  for (let skip = 0; skip < placesMax; skip += pageSize) {
    const { results, nextPage } = await archive.search.answer({ query: [pin.query], skip, pageSize, purpose: 'results', createdBefore });
    const number = results.findIndex((result) => result.video.id === pin.video);
    const found = results[number];
    const place = skip + number + 1;
    if (found)
      return showsMoment(found, pin) ? { place } : { place: null, why: `the video is at place ${place}, without that moment on its card` };
    if (nextPage.done) break;
    createdBefore = nextPage.createdBefore;
  }
  return { place: null, why: `not among the first ${placesMax}` };
}

function showsMoment({ matches }: FoundVideo, { at }: Pin): boolean {
  if (at === undefined) return true;
  const wantedMs = secondsOf(at) * 1_000;
  return matches.slice(0, limits.matchesPerCard).some(({ isTimed, startMs }) => isTimed && Math.abs(startMs - wantedMs) <= toleranceMs);
}
