import type { SearchedFor } from '#contract/video-service/answers.ts';
import { meantInFilm } from '../meaning/meant-in-film.ts';
import { planSearch } from '../query/plan-search.ts';
import type { SearchRun } from '../search-parts.ts';
import { answeringPlans } from './answering.ts';
import { searchedFor } from './explain-answer.ts';
import { toFoundVideo } from './found-video.ts';
import { addCounts, countByKind, type MatchCounts } from './match-counts.ts';
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
 * All that a card tells of this film for this query, and the matches that it leaves out. A film that neither its words nor their meaning find has none;
 * neither has one that nobody may see. Throws `query_too_long` and `SearchTimeout`.
 */
export async function matchFilm(search: SearchRun, { videoId, query }: { videoId: string; query: string }): Promise<FilmMatches> {
  const { texts, plans } = await planSearch(search, { query: [query], purpose: 'results' });
  const showing = { answering: answeringPlans(plans), accepts: () => true, limit: matchesOfFilmMax };
  const [matched] = plans.length === 0 ? [] : await matchVideos(search, [videoId], showing);
  const [text, plan] = [texts[0], plans[0]];
  if (!matched || text === undefined || !plan) return { matches: [], matchesTotal: 0, counts: {} };
  const isAnswer = answersAnyPlan({ id: matched.video.id, film: matched.film }, plans);
  const { matches, matchesTotal, counts } = isAnswer ? toFoundVideo(matched, showing) : { matches: [], matchesTotal: 0, counts: {} };
  const shown = new Set(matches.flatMap(({ lines }) => lines ?? []));
  const meant = (await meantInFilm(search, { videoId, text, plan })).filter(({ lines }) => !lines?.some((line) => shown.has(line)));
  const taken = isAnswer ? searchedFor(text, plan) : undefined;
  return {
    matches: [...matches, ...meant].sort((a, b) => a.startMs - b.startMs || Number(a.isTimed) - Number(b.isTimed)),
    matchesTotal: matchesTotal + meant.length,
    counts: addCounts(counts, countByKind(meant)),
    ...(taken ? { searchedFor: taken } : {}),
  };
}
