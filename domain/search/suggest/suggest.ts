import { limits } from '#contract/limits.ts';
import { IndexNotReady } from '../../search-index/index-not-ready.ts';
import { SearchTimeout } from '../../turns/search-timeout.ts';
import { searchedFor } from '../match/explain-answer.ts';
import type { MomentMatch } from '../match/moment-match.ts';
import { expandQuery } from '../query/expand-query.ts';
import { parseQuery } from '../query/parse-query.ts';
import type { Query } from '../query/query.ts';
import type { SearchRun } from '../search-parts.ts';
import type { FoundVideo, SearchAnswer } from '../search-request.ts';
import { searchVideos } from '../search-videos.ts';
import { findNames } from './find-names.ts';
import { suggestedMoments } from './suggested-moments.ts';
import { namedVideos } from './suggested-names.ts';

/** What somebody has typed so far, and how many titles, people, brands and moments each to offer at most. */
export interface SuggestRequest {
  readonly query: readonly string[];
  readonly perKind?: number | undefined;
  readonly withoutMoments?: boolean;
}

/**
 * What somebody may mean who has typed so far: titles, people and brands that hold all of it, then the best moments. One
 * page, with no counts but those of the names' videos. A text with conditions is searched as such. Throws `query_too_long` and `SearchTimeout`.
 */
export async function suggest(search: SearchRun, request: SuggestRequest): Promise<SearchAnswer> {
  const { perKind = limits.suggestionsPerKind, withoutMoments = false } = request;
  const [typed = ''] = request.query.filter((text) => text.trim() !== '');
  const query = parseQuery(typed, { suggesting: true });
  if (hasConditions(query)) {
    return await searchVideos(search, { query: [typed], skip: 0, pageSize: 2 * perKind, purpose: 'suggestions' });
  }
  const words = query.concepts.flatMap(({ anyOf }) => anyOf.flatMap(({ tokens }) => tokens));
  if (words.length === 0) return onePage([]);
  const vocabulary = await search.vocabulary.for(words);
  const plan = expandQuery(query, vocabulary);
  const [names, moments] = await Promise.all([
    search.names.current().then((known) => namedVideos(search.pool, { query, plan }, findNames(known, { query, plan }, perKind))),
    withoutMoments ? [] : suggestedMoments(search, { plan, vocabulary }, perKind).catch(noneMeanwhile),
  ]);
  const taken = searchedFor(typed, plan);
  const answer = onePage([...names, ...withoutNames(moments, names, perKind)]);
  return taken && answer.results.length > 0 ? { ...answer, searchedFor: taken } : answer;
}

/** Names are of use without moments: these come too late, or there is no index to ask for them. */
function noneMeanwhile(error: unknown): FoundVideo[] {
  if (error instanceof SearchTimeout || error instanceof IndexNotReady) return [];
  throw error;
}

/** Who speaks is often among the names already, or one too many. */
function withoutNames(moments: readonly FoundVideo[], names: readonly FoundVideo[], perKind: number): FoundVideo[] {
  const given = names.flatMap(({ matches }) => matches);
  const isNew = (match: MomentMatch) => {
    if (match.kind !== 'Face' && match.kind !== 'Brand') return true;
    const others = given.filter(({ kind }) => kind === match.kind);
    if (others.length >= perKind || others.some(({ text }) => text === match.text)) return false;
    given.push(match);
    return true;
  };
  return moments.map((found) => ({ ...found, matches: found.matches.filter(isNew) })).filter(({ matches }) => matches.length > 0);
}

function hasConditions({ concepts, not, ids, notIds }: Query): boolean {
  return not.length + ids.length + notIds.length > 0 || concepts.some(({ must }) => must);
}

/** A video stands there once for each of its names, so that names keep their order. */
function onePage(results: readonly FoundVideo[]): SearchAnswer {
  return { results, nextPage: { pageSize: Math.max(1, results.length), skip: results.length, done: true } };
}
