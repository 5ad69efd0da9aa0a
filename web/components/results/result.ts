import { toDisplayName } from '#contract/display-name.ts';
import { type MatchKind, matchKindOf } from '#contract/match-kinds.ts';
import type { SearchItem, SearchResponse } from '#contract/video-service/answers.ts';
import { parseTimeCode } from '#web/components/text/time-code.ts';
import { type FoundMoment, toFoundMoment } from './found-moment.ts';

interface Still {
  seconds: number;
  thumbnailId: string;
}

/** A result as a page shows it. */
export interface Result {
  id: string;
  name: string;
  /** That it is spoken in, by its code; null where nobody knows. */
  language: string | null;
  durationInSeconds: number;
  posterId: string | null;
  stills: Still[];
  isTall: boolean;
  /** Whether there is no film here to play, but what is said in one. */
  isTranscriptOnly: boolean;
  /** When it was recorded, as far as that is known: `1969-07-20`, `1969-07` or `1969`. */
  recorded: string | null;
  /** Best first. */
  moments: FoundMoment[];
  /** How many moments there are in truth; the service sends the best hundred. */
  momentsTotal: number;
  /** How many moments are counted that this visitor is not shown: they have read as much of this film as visitors may for now. */
  momentsWithheld: number;
  /** How many of each kind, as far as the service says. */
  momentCounts: [kind: MatchKind, count: number][];
  /** What this visitor is told of a moment in the place of its words; null for who reads these. */
  reading: NonNullable<SearchResponse['reading']> | null;
  /** What was asked for that the video holds nowhere. */
  lacks: string[];
  /** It says what was asked for in other words. */
  isByMeaning: boolean;
}

/** A result as the pages show it, out of the service's own words. */
export function toResult(item: SearchItem, reading: Result['reading'] = null): Result {
  const all = (item.searchMatches ?? []).map(toFoundMoment);
  const moments = reading === null ? all : oneOfEachPlace(all);
  const momentsTotal = item.searchMatchesTotal ?? moments.length;
  return {
    id: item.id,
    name: toDisplayName(item.name),
    language: item.sourceLanguage || null,
    durationInSeconds: item.durationInSeconds,
    posterId: item.thumbnailId,
    stills: (item.stills ?? []).map(({ startTime, thumbnailId }) => ({ seconds: parseTimeCode(startTime), thumbnailId })),
    isTall: (item.aspectRatio ?? 16 / 9) < 1,
    isTranscriptOnly: item.isPlayable === false,
    recorded: item.recorded ?? null,
    moments,
    momentsTotal,
    momentsWithheld: item.searchMatchesWithheld ? Math.max(0, momentsTotal - moments.length) : 0,
    momentCounts: countsOf(item),
    reading,
    lacks: item.lacks ?? [],
    isByMeaning: item.byMeaning === true,
  };
}

/** Without words, two moments of a kind at one second are the same. */
function oneOfEachPlace(moments: readonly FoundMoment[]): FoundMoment[] {
  return [...new Map(moments.map((moment) => [`${moment.seconds} ${moment.kind}`, moment])).values()];
}

function countsOf({ searchMatchCounts = {} }: SearchItem): Result['momentCounts'] {
  const counts = new Map<MatchKind, number>();
  for (const [type, count] of Object.entries(searchMatchCounts)) {
    const kind = matchKindOf(type);
    counts.set(kind, (counts.get(kind) ?? 0) + count);
  }
  return [...counts].sort(([, one], [, other]) => other - one);
}

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** `Recorded 20 July 1969`, or month and year, or the year alone: as far as it is known. `recorded` is `1969-07-20`, `1969-07` or `1969`. */
export function formatRecordedDate(recorded: string | null): string | null {
  const day = dayInWords(recorded);
  return day && `Recorded ${day}`;
}

/** The same without that word; null for what is no such day. */
export function dayInWords(recorded: string | null): string | null {
  const [, year, month, day] = recorded?.match(/^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?:T|$)/) ?? [];
  if (!year) return null;
  const name = months[Number(month) - 1];
  return [day && name && String(Number(day)), name, year].filter(Boolean).join(' ');
}
