import { displayName } from '#contract/display-name.ts';
import type { SearchItem } from '#contract/video-service.ts';
import { parseTimeCode } from '#web/embed/time-code.ts';
import { type FoundMoment, toFoundMoment } from './found-moment.ts';

export interface Still {
  seconds: number;
  thumbnailId: string;
}

/** A result as a page shows it. */
export interface FoundVideo {
  id: string;
  name: string;
  durationInSeconds: number;
  posterId: string | null;
  stills: Still[];
  isTall: boolean;
  /** When it was recorded, as far as that is known: `1969-07-20`, `1969-07` or `1969`. */
  recorded: string | null;
  /** Best first. */
  moments: FoundMoment[];
  /** How many moments there are in truth; the service sends the best hundred. */
  momentsTotal: number;
  /** What was asked for that the video holds nowhere. */
  lacks: string[];
}

/** A result as the pages show it, out of the service's own words. */
export function toFoundVideo(item: SearchItem): FoundVideo {
  const moments = (item.searchMatches ?? []).map(toFoundMoment);
  return {
    id: item.id,
    name: displayName(item.name),
    durationInSeconds: item.durationInSeconds,
    posterId: item.thumbnailId,
    stills: (item.stills ?? []).map(({ startTime, thumbnailId }) => ({ seconds: parseTimeCode(startTime), thumbnailId })),
    isTall: (item.aspectRatio ?? 16 / 9) < 1,
    recorded: item.recorded ?? null,
    moments,
    momentsTotal: item.searchMatchesTotal ?? moments.length,
    lacks: item.lacks ?? [],
  };
}
