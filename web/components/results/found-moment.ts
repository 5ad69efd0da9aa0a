import { type MatchKind, matchKindOf } from '#contract/match-kinds.ts';
import type { SearchMatch } from '#contract/video-service.ts';
import { parseTimeCode } from '#web/embed/time-code.ts';

/** A match as a page shows it: a moment of a video that answers the query. */
export interface FoundMoment {
  seconds: number;
  kind: MatchKind;
  text: string;
  exactTexts: string[];
  thumbnailId: string | null;
}

/** The edge between the video service and the page: a type that the page does not know borrows another's icon here, and never raises. */
export function toFoundMoment(match: SearchMatch): FoundMoment {
  return {
    seconds: parseTimeCode(match.startTime),
    kind: matchKindOf(match.type),
    text: match.text,
    exactTexts: exactTextsOf(match),
    thumbnailId: match.thumbnailId ?? null,
  };
}

/** Every stretch to mark in a match; a service that knows of one alone names that. */
export function exactTextsOf({ exactText, exactTexts }: SearchMatch): string[] {
  return exactTexts && exactTexts.length > 0 ? exactTexts : [exactText];
}

/** The best few of moments that come best first, in the order of time. */
export function bestMoments(moments: readonly FoundMoment[], count: number): FoundMoment[] {
  return moments.slice(0, count).toSorted((one, other) => one.seconds - other.seconds);
}
