import { toDisplayName } from '#contract/display-name.ts';
import { quotationMarks } from '#contract/find-words.ts';
import { limits } from '#contract/limits.ts';
import { type MatchKind, matchKindOf } from '#contract/match-kinds.ts';
import type { SearchItem, SearchMatch, SearchResponse, TextRange } from '#contract/video-service/answers.ts';
import { formatTimeCode, parseTimeCode } from '#web/components/text/time-code.ts';
import { paths } from '#web/paths.ts';
import type { IconName } from '#web/ui/icon.tsx';
import { rangesOf } from '../results/found-moment.ts';
import { kindIconOf } from '../results/kind-icon.ts';
import { nameCount } from '../text/count-wording.ts';
import { formatWholeMinutes } from '../text/whole-minutes.ts';

export interface Suggestion {
  /** Where choosing it leads. */
  to: string;
  text: string;
  marks: readonly TextRange[];
  /** Right-hand side: length, number of videos where the archive tells, or time code. */
  detail: string;
  picture: { videoId: string; thumbnailId: string } | null;
  icon: IconName | null;
}

export interface SuggestionGroup {
  name: 'Recent searches' | 'Titles' | 'People' | 'Brands' | 'Moments';
  suggestions: Suggestion[];
}

/** Sorts an answer of the video service into the groups of the search box. */
export function groupSuggestions({ results }: SearchResponse, query: string): SuggestionGroup[] {
  const found = (results ?? []).flatMap((video) =>
    (video.searchMatches ?? []).map((match) => ({ video, match, kind: matchKindOf(match.type), marks: rangesOf(match) })),
  );
  const ofKind = (...kinds: readonly MatchKind[]) => found.filter(({ kind }) => kinds.includes(kind));
  // A description counts as a title elsewhere; here the name is shown, and its ranges are of another text.
  const titles = ofKind('Title').filter(({ match }) => match.type === 'Title');
  const groups: SuggestionGroup[] = [
    { name: 'Titles', suggestions: firstOfEach(titles.map(titleOf)) },
    {
      name: 'People',
      suggestions: firstOfEach(
        ofKind('Face').map((one) => nameOf(one, 'person')),
        'text',
      ),
    },
    {
      name: 'Brands',
      suggestions: firstOfEach(
        ofKind('Brand').map((one) => nameOf(one, 'brand')),
        'text',
      ),
    },
    {
      name: 'Moments',
      suggestions: firstOfEach(firstOfSameText(ofKind('Transcript', 'Ocr', 'Annotations')).map((one) => momentOf(one, query))),
    },
  ];
  return groups.filter((group) => group.suggestions.length > 0);
}

interface Found {
  video: SearchItem;
  match: SearchMatch;
  marks: readonly TextRange[];
}

/** What is offered before anything is typed. */
export function groupRecent(searches: readonly string[]): SuggestionGroup[] {
  if (searches.length === 0) return [];
  const suggestions = searches
    .slice(0, limits.suggestionsPerKind)
    .map((text): Suggestion => ({ to: paths.search(text), text, marks: [], detail: '', picture: null, icon: 'history' }));
  return [{ name: 'Recent searches', suggestions }];
}

function firstOfEach(all: Suggestion[], key: 'to' | 'text' = 'to'): Suggestion[] {
  const different = new Map(all.toReversed().map((suggestion) => [suggestion[key], suggestion]));
  return [...different.values()].toReversed().slice(0, limits.suggestionsPerKind);
}

/** A label that a video carries at many places is one suggestion, at its first. */
function firstOfSameText(found: Found[]): Found[] {
  const seen = new Set<string>();
  return found.filter(({ video, match }) => {
    const key = `${video.id} ${match.type} ${match.text}`;
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}

function titleOf({ video, marks }: Found): Suggestion {
  return {
    to: paths.video(video.id),
    text: toDisplayName(video.name),
    marks,
    detail: formatWholeMinutes(video.durationInSeconds),
    picture: video.thumbnailId ? { videoId: video.id, thumbnailId: video.thumbnailId } : null,
    icon: null,
  };
}

const aQuotationMark = new RegExp(`[${quotationMarks}]`, 'g');

/** Only an archive that tells the number of videos knows the field words. */
function nameOf({ match: { text, videos }, marks }: Found, field: 'person' | 'brand'): Suggestion {
  const phrase = `"${text.replaceAll(aQuotationMark, ' ')}"`;
  return {
    to: paths.search(videos === undefined ? phrase : `${field}:${phrase}`),
    text,
    marks,
    detail: videos === undefined ? '' : nameCount(videos, 'video'),
    picture: null,
    icon: field === 'brand' ? 'stamp' : 'user-round',
  };
}

function momentOf({ video, match, marks }: Found, query: string): Suggestion {
  const seconds = parseTimeCode(match.startTime);
  const thumbnailId = match.thumbnailId ?? video.thumbnailId;
  return {
    to: paths.video(video.id, { seconds, query }),
    text: match.text,
    marks,
    detail: formatTimeCode(seconds),
    picture: thumbnailId ? { videoId: video.id, thumbnailId } : null,
    icon: kindIconOf(matchKindOf(match.type)),
  };
}
