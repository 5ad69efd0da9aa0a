import { toDisplayName } from '#contract/display-name.ts';
import { type MatchKind, matchKindOf } from '#contract/match-kinds.ts';
import type { SearchMatch, TextRange } from '#contract/video-service/answers.ts';
import { findRanges } from '#contract/video-service/exact-text.ts';
import { parseTimeCode } from '#web/components/text/time-code.ts';

/** A match as a page shows it: a moment of a video that answers the query. */
export interface FoundMoment {
  seconds: number;
  /** Whether that is reckoned: the words of the line have no times. */
  isEstimated: boolean;
  kind: MatchKind;
  text: string;
  /** The stretches of `text` that matched. */
  ranges: readonly TextRange[];
  thumbnailId: string | null;
  /** Speech as a recogniser heard it that gets most words wrong. */
  isRough: boolean;
}

/** The edge between the video service and the page: a type that the page does not know borrows another's icon here, and never raises. */
export function toFoundMoment(match: SearchMatch): FoundMoment {
  const kind = matchKindOf(match.type);
  return {
    seconds: parseTimeCode(match.startTime),
    isEstimated: match.estimated === true,
    kind,
    // A title only loses the code at its end, so its ranges stay true.
    text: kind === 'Title' ? toDisplayName(match.text) : match.text,
    ranges: rangesOf(match),
    thumbnailId: match.thumbnailId ?? null,
    isRough: match.rough === true,
  };
}

/** Every stretch to mark in a match; a service that names none says which text it was. */
export function rangesOf({ text, exactText, ranges }: SearchMatch): readonly TextRange[] {
  return ranges ?? findRanges(text, exactText);
}

/** The best few of moments that come best first: the one that leads, then the others in the order of time. */
export function chooseBestMoments(moments: readonly FoundMoment[], count: number): FoundMoment[] {
  const lead = leadOf(moments);
  if (!lead) return [];
  const others = moments.filter((moment) => moment !== lead).slice(0, count - 1);
  return [lead, ...others.toSorted((one, other) => one.seconds - other.seconds)];
}

/** The best of what is said, written or seen at a second; a title or an owner only where there is nothing else. */
export function leadOf(moments: readonly FoundMoment[]): FoundMoment | undefined {
  return moments.find(({ kind }) => kind !== 'Title' && kind !== 'Owner') ?? moments[0];
}
