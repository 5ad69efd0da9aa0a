import { limits } from '#contract/limits.ts';
import type { SearchItem, SearchMatch } from '#contract/video-service/answers.ts';
import { totalOf } from '#domain/search/match/count-matches.ts';
import type { MomentMatch } from '#domain/search/match/moment-match.ts';
import type { FoundVideo } from '#domain/search/search-request.ts';
import type { PictureIds } from '#domain/tokens/thumbnail-ids.ts';
import { presentCounts } from './present-counts.ts';
import type { Reader } from './reader.ts';
import { writeSearchClock } from './write-search-clock.ts';

/** What an answer is: a page of videos, the same for the search box, or for the search box a few titles, people, brands and moments. */
export type AnswerForm = 'videos' | 'suggestions' | 'choice';

type OfMatches = 'searchMatches' | 'searchMatchesTotal' | 'searchMatchesWithheld' | 'searchMatchCounts';

/** What a reader is told of the matches of a video. Without `frameId` no frame can be named. */
export function presentMatches(
  found: FoundVideo,
  form: AnswerForm,
  { reader, frameId }: { reader: Reader; frameId: PictureIds | undefined },
): Pick<SearchItem, OfMatches> {
  const { matches } = found;
  switch (reader.reading) {
    case 'admin':
    case 'words':
      // Of a choice nobody has counted what else there is.
      return { searchMatches: matches.map((match) => presentMatch(match, frameId)), ...(form === 'choice' ? {} : totalsOf(found)) };
    case 'counts':
      return form === 'videos' ? { searchMatches: [], ...totalsOf(found) } : titlesOf(found);
    case 'locked':
      return form === 'videos' ? { searchMatches: matches.map(placeOf), ...totalsOf(found) } : titlesOf(found);
  }
}

/** One match as the service writes it; without `frameId` it names no frame. */
export function presentMatch(match: MomentMatch, frameId: PictureIds | undefined): SearchMatch {
  const [[from, to] = [0, 0]] = match.ranges.toSorted((a, b) => b[1] - b[0] - (a[1] - a[0]));
  return {
    startTime: writeSearchClock(match.startMs),
    type: match.kind,
    text: match.text,
    exactText: match.text.slice(from, to),
    ranges: match.ranges.map(([start, end]) => [start, end]),
    ...(match.isEstimated ? { estimated: true } : {}),
    ...(match.isRough ? { rough: true } : {}),
    ...(match.isByMeaning ? { byMeaning: true } : {}),
    ...(match.videos === undefined ? {} : { videos: match.videos }),
    ...(frameId && match.isTimed ? { thumbnailId: frameId(Math.floor(match.startMs / 1_000 / limits.frameIntervalSeconds)) } : {}),
  };
}

/** Where a match stands, without a word or a picture of it. */
function placeOf({ startMs, kind }: MomentMatch): SearchMatch {
  return { startTime: writeSearchClock(startMs), type: kind, text: '', exactText: '' };
}

/** A title is what everybody reads; what else a video matched by is not offered to those who do not. */
function titlesOf({ matches }: FoundVideo): Pick<SearchItem, OfMatches> {
  const titles = matches.filter(({ kind }) => kind === 'Title').map((match) => presentMatch(match, undefined));
  return { searchMatches: titles, searchMatchesTotal: titles.length, searchMatchCounts: { Title: titles.length } };
}

function totalsOf({ withheld = 0, counts }: FoundVideo): Omit<Pick<SearchItem, OfMatches>, 'searchMatches'> {
  const total = totalOf(counts);
  return {
    searchMatchesTotal: total,
    ...(withheld > 0 ? { searchMatchesWithheld: withheld } : {}),
    ...(total > 0 ? { searchMatchCounts: presentCounts(counts) } : {}),
  };
}
