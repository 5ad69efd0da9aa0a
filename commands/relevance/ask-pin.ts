import { limits } from '#contract/limits.ts';
import type { Pool } from '#domain/db/database.ts';
import type { Search } from '#domain/search/open-search.ts';
import type { FoundVideo } from '#domain/search/search-request.ts';
import { findVideos } from '#domain/videos/find-videos.ts';
import type { LastPlaces } from './last-places.ts';
import { keyOfPin, type Pin, placesMax, secondsOf } from './pin.ts';

/** A pin with its place now and its place when it was last asked; undefined when it never was. */
interface AskedPin extends Standing {
  readonly pin: Pin;
  readonly before: number | null | undefined;
  readonly holds: boolean;
  readonly moved: boolean;
}

/** Asks every pin in the order of the file. */
export async function askPins(archive: AskedArchive, pins: readonly Pin[], last: LastPlaces): Promise<AskedPin[]> {
  const asked: AskedPin[] = [];
  for (const pin of pins) {
    const standing = await askPin(archive, pin);
    const { place } = standing;
    const before = last[keyOfPin(pin)];
    asked.push({ ...standing, pin, before, holds: place !== null && place <= pin.within, moved: before !== undefined && before !== place });
  }
  return asked;
}

/** One line for people: `FAILS  place 5, was 1 (within 3)  "harbour lights" → 0123456789 at 00:00:12`. */
export function lineOf({ pin, place, why, before, holds, moved }: AskedPin): string {
  const was = moved ? `, was ${before ?? 'not found'}` : before === undefined ? ', new' : '';
  const wanted = `${JSON.stringify(pin.query)} → ${pin.video}${pin.at === undefined ? '' : ` at ${pin.at}`}`;
  return `${holds ? 'holds' : 'FAILS'}  ${place === null ? why : `place ${place}`}${was} (within ${pin.within})  ${wanted}`;
}

/** The same for programs: one JSON object. */
export function recordOf({ pin, place, why, before, holds, moved }: AskedPin): string {
  const { query, video, at, within } = pin;
  return JSON.stringify({ query, video, at, within, rank: place, before, ok: holds, moved, why });
}

/** A match counts that begins this near to the pinned time. */
const toleranceMs = 8_000;

/** Where a pin stands. */
interface Standing {
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
