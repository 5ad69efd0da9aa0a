import type { ListedLast } from '#contract/paging-input.ts';
import type { NearestQuery, SearchedFor } from '#contract/video-service/answers.ts';
import type { TextScope } from '#contract/video-service/input.ts';
import type { Video } from '../videos/video.ts';
import type { HiddenFilms } from '../videos/visibility.ts';
import type { Narrowing } from './list/narrowing.ts';
import type { MatchCounts } from './match/count-matches.ts';
import type { MomentMatch } from './match/moment-match.ts';

export interface SearchRequest {
  /** Several texts are alternatives of each other; none, or only blank ones, ask for everything. */
  readonly query: readonly string[];
  readonly ids?: readonly string[] | undefined;
  readonly externalIds?: readonly string[] | undefined;
  readonly faces?: readonly string[] | undefined;
  readonly owners?: readonly string[] | undefined;
  /** Where the query may be found. Which films are left is said by the kinds of `narrowing`. */
  readonly textScope?: readonly TextScope[] | undefined;
  readonly narrowing?: Narrowing | undefined;
  /** Films that the reader does not see; whatever is kept of an answer is kept for those alone who do not see the same ones. */
  readonly hidden?: HiddenFilms | undefined;
  readonly createdAfter?: Date | undefined;
  /** Films that were there and could be seen by then: what a further page brings along, so that what was published since does not shift it. */
  readonly createdBefore?: Date | undefined;
  /** Films that were there by then, whenever they could be seen first: what a script asks for. */
  readonly createdUntil?: Date | undefined;
  readonly skip: number;
  readonly pageSize: number;
  /** In the list of all videos, the last one of the page before: what goes meanwhile shifts nothing. It goes before `skip`. */
  readonly after?: ListedLast | undefined;
  /** Whether what means the same may answer where words answer badly. */
  readonly allowsMeaning?: boolean | undefined;
  /** In suggestions the last word is taken as one that is still being typed. */
  readonly purpose: 'results' | 'suggestions';
  /** The list for administrators: videos in every state. Only without a query. */
  readonly allStates?: boolean | undefined;
}

/** What is looked for in which film. Of the archive's other films those count that the reader sees. */
export interface AskedInFilm {
  readonly videoId: string;
  readonly query: string;
  readonly hidden?: HiddenFilms | undefined;
}

export interface FoundVideo {
  readonly video: Video;
  /** Best first. */
  readonly matches: readonly MomentMatch[];
  /** How many matches are left out for whoever has read as much of this video as they may for now. */
  readonly withheld?: number;
  /** The true number of each kind; none for names that are suggested. */
  readonly counts: MatchCounts;
  /** What was asked for that the video holds nowhere, as it was typed. */
  readonly lacks: readonly string[];
  /** It is found by what it means and not by its words. */
  readonly isByMeaning?: boolean;
}

export interface SearchAnswer {
  /** What was searched for in place of words that occur nowhere. */
  readonly searchedFor?: SearchedFor;
  /** Queries that would find something, when nothing was found. */
  readonly nearest?: readonly NearestQuery[];
  /** How many of the best videos an order, a filter or words that must or must not be there were applied to, when there are more of them. */
  readonly arrangedAmong?: number;
  readonly results: readonly FoundVideo[];
  readonly nextPage: {
    readonly pageSize: number;
    /** Where the next page begins. */
    readonly skip: number;
    readonly done: boolean;
    /** Only where it is known for certain. */
    readonly totalCount?: number;
    readonly createdBefore?: Date;
    /** In the list of all videos, its last one here, where there are more. */
    readonly after?: ListedLast;
  };
}
