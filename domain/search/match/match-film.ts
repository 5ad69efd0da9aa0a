import type { SearchedFor } from '#contract/video-service/answers.ts';
import { errorMessage } from '#domain/db/error-message.ts';
import { holdsMeaning } from '#domain/meaning/film-meaning.ts';
import { wordsAnswerBadly } from '../meaning/join-meaning.ts';
import { matchOfPlace } from '../meaning/show-meant.ts';
import { planSearch } from '../query/plan-search.ts';
import type { SearchPlan } from '../query/search-plan.ts';
import { rankPlans } from '../rank/find-ranking.ts';
import type { SearchRun } from '../search-parts.ts';
import { ofMeaning } from '../weights.ts';
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

/**
 * What is said in one film that means what was asked, where its words answer that as badly as those of the archive do for `joinMeaning`; what it
 * finds here is what a card that meaning brought has shown. None where meaning cannot be asked.
 */
async function meantInFilm(
  search: SearchRun,
  { videoId, text, plan }: { videoId: string; text: string; plan: SearchPlan },
): Promise<MomentMatch[]> {
  const { meaning, pool } = search;
  if (!meaning) return [];
  const request = { query: [text], ids: [videoId], skip: 0, pageSize: 1, purpose: 'results' } as const;
  const ranking = await rankPlans(search, request, { plans: [plan], atLeast: 1 });
  if (!wordsAnswerBadly(text, plan, ranking)) return [];
  try {
    if (!(await holdsMeaning(pool))) return [];
    const films = (await meaning.find(text, { limit: 0, among: [videoId] })).filter(({ score }) => score >= ofMeaning.nearMin);
    search.deadline.check();
    return films.length === 0 ? [] : (await meaning.places(text, films)).map(matchOfPlace);
  } catch (error) {
    process.emitWarning(`A search inside a film went on without meaning: ${errorMessage(error)}`);
    return [];
  }
}
