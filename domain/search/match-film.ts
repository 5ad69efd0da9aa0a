import { serverLimits } from '#contract/limits.ts';
import type { SearchedFor } from '#contract/video-service/answers.ts';
import { IndexNotReady } from '../search-index/index-not-ready.ts';
import { makeAnswering } from './match/answering.ts';
import { addMeant, type MatchCounts } from './match/count-matches.ts';
import { searchedFor } from './match/explain-answer.ts';
import { toFoundVideo } from './match/found-video.ts';
import { matchVideos } from './match/match-videos.ts';
import { answersAnyPlan } from './match/meets-conditions.ts';
import type { MomentMatch } from './match/moment-match.ts';
import { meantInFilm } from './meaning/show-meant.ts';
import { planSearch } from './query/plan-search.ts';
import type { SearchRun } from './search-parts.ts';
import type { AskedInFilm } from './search-request.ts';

/** Every match of one film. */
export interface FilmMatches {
  /** In order of time; what belongs to the film as a whole stands at its beginning. */
  readonly matches: readonly MomentMatch[];
  readonly counts: MatchCounts;
  /** What was searched for in place of words that occur nowhere. */
  readonly searchedFor?: SearchedFor;
}

/**
 * All that a card says of this film for this query, and the matches that it leaves out. A film that neither its words nor their meaning find has none;
 * neither has one that nobody may see. Throws `query_too_long`, `SearchTimeout`, and `IndexNotReady` as long as the archive's words are not known.
 */
export async function matchFilm(search: SearchRun, asked: AskedInFilm): Promise<FilmMatches> {
  const { videoId, query, hidden } = asked;
  // Its lines are there all the same, but not what may stand for a word: it would be told that there is nothing.
  if ((await search.index.batch()) === 0) throw new IndexNotReady('building');
  const { texts, plans } = await planSearch(search, { query: [query], purpose: 'results' });
  const showing = { answering: makeAnswering(plans), accepts: () => true, limit: serverLimits.matchesOfFilmMax };
  const [matched] = plans.length === 0 ? [] : await matchVideos(search, [videoId], showing);
  const [text, plan] = [texts[0], plans[0]];
  if (!matched || text === undefined || !plan) return { matches: [], counts: {} };
  const isAnswer = answersAnyPlan({ id: matched.video.id, film: matched.film }, plans);
  const byWords = isAnswer ? toFoundVideo(matched, showing) : { matches: [], counts: {} };
  const meant = await meantInFilm(search, asked, { text, plan, byWords });
  const taken = isAnswer ? searchedFor(text, plan, { matches: byWords.matches, hidden }) : undefined;
  return {
    matches: [...byWords.matches, ...meant].sort((a, b) => a.startMs - b.startMs || Number(a.isTimed) - Number(b.isTimed)),
    counts: addMeant(byWords.counts, meant),
    ...(taken ? { searchedFor: taken } : {}),
  };
}
