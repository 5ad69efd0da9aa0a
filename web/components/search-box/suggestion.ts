import { displayName } from '#contract/display-name.ts';
import { matchKindOf } from '#contract/match-kinds.ts';
import type { SearchItem, SearchMatch, SearchResponse } from '#contract/video-service.ts';
import { formatTimeCode, parseTimeCode } from '#web/embed/time-code.ts';
import { paths } from '#web/paths.ts';
import type { IconName } from '#web/ui/icon.tsx';
import { exactTextsOf } from '../results/found-moment.ts';
import { kindIcon } from '../results/kind-icon.ts';
import { wholeMinutes } from '../whole-minutes.ts';

export interface Suggestion {
  /** Where choosing it leads. */
  to: string;
  text: string;
  marks: string[];
  /** Right-hand side: length, number of videos or time code. */
  detail: string;
  picture: { videoId: string; thumbnailId: string } | null;
  icon: IconName | null;
}

export interface SuggestionGroup {
  name: 'Recent searches' | 'Titles' | 'People' | 'Moments';
  suggestions: Suggestion[];
}

const perGroup = 3;

/** Sorts an answer of the video service into the groups of the search box. */
export function groupSuggestions({ results }: SearchResponse, query: string): SuggestionGroup[] {
  const found = (results ?? []).flatMap((video) =>
    (video.searchMatches ?? []).map((match) => ({ video, match, kind: matchKindOf(match.type) })),
  );
  const titles = found.filter(({ kind }) => kind === 'Title').map(({ video, match }) => titleOf(video, match));
  const people = found.filter(({ kind }) => kind === 'Face');
  const names = [...new Set(people.map(({ match }) => match.text))];
  const moments = firstOfSameText(found.filter(({ kind }) => kind !== 'Title' && kind !== 'Face' && kind !== 'Owner'));
  const groups: SuggestionGroup[] = [
    { name: 'Titles', suggestions: firstOfEach(titles) },
    {
      name: 'People',
      suggestions: names.slice(0, perGroup).map((name) =>
        personOf(
          name,
          people.filter(({ match }) => match.text === name),
        ),
      ),
    },
    { name: 'Moments', suggestions: firstOfEach(moments.map((moment) => momentOf(moment, query))) },
  ];
  return groups.filter((group) => group.suggestions.length > 0);
}

/** What is offered before anything is typed. */
export function groupRecent(searches: readonly string[]): SuggestionGroup[] {
  if (searches.length === 0) return [];
  const suggestions = searches
    .slice(0, perGroup)
    .map((text): Suggestion => ({ to: paths.search(text), text, marks: [], detail: '', picture: null, icon: 'history' }));
  return [{ name: 'Recent searches', suggestions }];
}

function firstOfEach(all: Suggestion[]): Suggestion[] {
  const byAddress = new Map(all.toReversed().map((suggestion) => [suggestion.to, suggestion]));
  return [...byAddress.values()].toReversed().slice(0, perGroup);
}

/** A label that a video carries at many places is one suggestion, at its first. */
function firstOfSameText<T extends { video: SearchItem; match: SearchMatch }>(found: T[]): T[] {
  const seen = new Set<string>();
  return found.filter(({ video, match }) => {
    const key = `${video.id} ${match.type} ${match.text}`;
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}

function titleOf(video: SearchItem, match: SearchMatch): Suggestion {
  return {
    to: paths.video(video.id),
    text: displayName(video.name),
    marks: exactTextsOf(match),
    detail: wholeMinutes(video.durationInSeconds),
    picture: video.thumbnailId ? { videoId: video.id, thumbnailId: video.thumbnailId } : null,
    icon: null,
  };
}

function personOf(name: string, places: ReadonlyArray<{ video: SearchItem; match: SearchMatch }>): Suggestion {
  const videos = new Set(places.map(({ video }) => video.id)).size;
  return {
    to: paths.search(`"${name}"`),
    text: name,
    marks: places.flatMap(({ match }) => exactTextsOf(match)),
    detail: `${videos} ${videos === 1 ? 'video' : 'videos'}`,
    picture: null,
    icon: null,
  };
}

function momentOf({ video, match }: { video: SearchItem; match: SearchMatch }, query: string): Suggestion {
  const seconds = parseTimeCode(match.startTime);
  const thumbnailId = match.thumbnailId ?? video.thumbnailId;
  return {
    to: paths.video(video.id, { seconds, query }),
    text: match.text,
    marks: exactTextsOf(match),
    detail: formatTimeCode(seconds),
    picture: thumbnailId ? { videoId: video.id, thumbnailId } : null,
    icon: kindIcon(matchKindOf(match.type)),
  };
}
