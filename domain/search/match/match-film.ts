import type { SearchedFor } from '#contract/video-service.ts';
import { planSearch } from '../query/plan-search.ts';
import type { SearchRun } from '../search-parts.ts';
import { answeringPlans } from './answering.ts';
import { searchedFor } from './explain-answer.ts';
import { toFoundVideo } from './found-video.ts';
import type { MatchCounts } from './match-counts.ts';
import { matchVideos } from './match-videos.ts';
import { answersAnyPlan } from './meets-conditions.ts';
import type { MomentMatch } from './moment-match.ts';

/** Nobody steps through more of them, and a browser draws them all. */
const matchesOfFilmMax = 10_000;

/** Every match of one film. */
export interface FilmMatches {
  /** In order of time; what belongs to the film as a whole stands at its beginning. */
  readonly matches: readonly MomentMatch[];
  readonly matchesTotal: number;
  readonly counts: MatchCounts;
  /** What was searched for in place of words that occur nowhere. */
  readonly searchedFor?: SearchedFor;
}

/**
 * All that a card tells of this film for this query, and the matches that it leaves out. A film that the query does not find has none;
 * neither has one that nobody may see. Throws `query_too_long` and `SearchTimeout`.
 */
export async function matchFilm(search: SearchRun, { videoId, query }: { videoId: string; query: string }): Promise<FilmMatches> {
  const { texts, plans } = await planSearch(search, { query: [query], purpose: 'results' });
  const showing = { answering: answeringPlans(plans), accepts: () => true, limit: matchesOfFilmMax };
  const [matched] = plans.length === 0 ? [] : await matchVideos(search, [videoId], showing);
  const [text, plan] = [texts[0], plans[0]];
  if (!matched || text === undefined || !plan || !answersAnyPlan({ id: matched.video.id, film: matched.film }, plans))
    return { matches: [], matchesTotal: 0, counts: {} };
  const { matches, matchesTotal, counts } = toFoundVideo(matched, showing);
  const inTime = matches.toSorted((a, b) => a.startMs - b.startMs || Number(a.isTimed) - Number(b.isTimed));
  const taken = searchedFor(text, plan);
  return { matches: inTime, matchesTotal, counts, ...(taken ? { searchedFor: taken } : {}) };
}
