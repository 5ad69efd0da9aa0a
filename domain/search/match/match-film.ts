import { limits } from '#contract/limits.ts';
import type { SearchedFor } from '#contract/video-service/answers.ts';
import { errorMessage } from '#domain/db/error-message.ts';
import { SearchTimeout } from '../../scheduling/search-timeout.ts';
import type { HiddenFilms } from '../../videos/visibility.ts';
import { joinMeaning, wordsAnswerBadly } from '../meaning/join-meaning.ts';
import { meantMatches, meantPlaces } from '../meaning/show-meant.ts';
import { planSearch } from '../query/plan-search.ts';
import type { SearchPlan } from '../query/search-plan.ts';
import { findRanking, rankPlans } from '../rank/find-ranking.ts';
import type { SearchRun } from '../search-parts.ts';
import { answeringPlans } from './answering.ts';
import { addMeant, type MatchCounts } from './count-matches.ts';
import { searchedFor } from './explain-answer.ts';
import { toFoundVideo } from './found-video.ts';
import { matchVideos } from './match-videos.ts';
import { answersAnyPlan } from './meets-conditions.ts';
import type { MomentMatch } from './moment-match.ts';

/** Nobody steps through more of them, and a browser draws them all. */
const matchesOfFilmMax = 10_000;

/** Every match of one film. */
export interface FilmMatches {
  /** In order of time; what belongs to the film as a whole stands at its beginning. */
  readonly matches: readonly MomentMatch[];
  readonly counts: MatchCounts;
  /** What was searched for in place of words that occur nowhere. */
  readonly searchedFor?: SearchedFor;
}

/** What is looked for in which film. Of the archive's other films those count that the asker sees. */
export interface AskedInFilm {
  readonly videoId: string;
  readonly query: string;
  readonly hidden?: HiddenFilms | undefined;
}

/**
 * All that a card tells of this film for this query, and the matches that it leaves out. A film that neither its words nor their meaning find has none;
 * neither has one that nobody may see. Throws `query_too_long` and `SearchTimeout`.
 */
export async function matchFilm(search: SearchRun, asked: AskedInFilm): Promise<FilmMatches> {
  const { videoId, query } = asked;
  const { texts, plans } = await planSearch(search, { query: [query], purpose: 'results' });
  const showing = { answering: answeringPlans(plans), accepts: () => true, limit: matchesOfFilmMax };
  const [matched] = plans.length === 0 ? [] : await matchVideos(search, [videoId], showing);
  const [text, plan] = [texts[0], plans[0]];
  if (!matched || text === undefined || !plan) return { matches: [], counts: {} };
  const isAnswer = answersAnyPlan({ id: matched.video.id, film: matched.film }, plans);
  const byWords = isAnswer ? toFoundVideo(matched, showing) : { matches: [], counts: {} };
  const meant = await meantInFilm(search, asked, { text, plan, byWords });
  const taken = isAnswer ? searchedFor(text, plan) : undefined;
  return {
    matches: [...byWords.matches, ...meant].sort((a, b) => a.startMs - b.startMs || Number(a.isTimed) - Number(b.isTimed)),
    counts: addMeant(byWords.counts, meant),
    ...(taken ? { searchedFor: taken } : {}),
  };
}

const keepsNothing = { get: () => undefined, set: () => {}, delete: () => {} };

/** Videos of the first page of results, with the one that tells whether there is another. */
const rankedForFirstPage = limits.searchPageSize + 1;

/**
 * What is said in one film that means what was asked, where a search of the archive would show it on the film's card: by the same ranking, joined
 * with meaning as that is. None where meaning cannot be asked, or the film's own words answer. Throws `SearchTimeout`.
 */
async function meantInFilm(
  search: SearchRun,
  { videoId, query, hidden }: AskedInFilm,
  { text, plan, byWords }: { text: string; plan: SearchPlan; byWords: Pick<FilmMatches, 'matches' | 'counts'> },
): Promise<MomentMatch[]> {
  if (!search.meaning) return [];
  // Nobody goes on from it to another page.
  const unkept = { ...search, rankings: keepsNothing, joined: keepsNothing };
  const request = { query: [query], skip: 0, pageSize: limits.searchPageSize, purpose: 'results', hidden, allowsMeaning: true } as const;
  try {
    // Where this film has the words, the best film of the archive has them too: nothing else needs to be ranked.
    const own = await rankPlans(search, { ...request, ids: [videoId] }, { plans: [plan], atLeast: 1 });
    if (!wordsAnswerBadly(text, plan, own)) return [];
    const asked = { ...request, createdBefore: new Date() };
    const ranked = await findRanking(unkept, asked, { plans: [plan], isFirstPage: true, atLeast: rankedForFirstPage });
    const joined = await joinMeaning(unkept, ranked, { plans: [plan], request: asked });
    if (!('meant' in joined)) return [];
    return meantMatches(byWords, await meantPlaces(search, joined, [videoId]), { isByMeaning: joined.byMeaning.has(videoId) });
  } catch (error) {
    if (error instanceof SearchTimeout) throw error;
    process.emitWarning(`A search inside a film went on without meaning: ${errorMessage(error)}`);
    return [];
  }
}
