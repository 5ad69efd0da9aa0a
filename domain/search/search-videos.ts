import { limits } from '#contract/limits.ts';
import type { NearestQuery } from '#contract/video-service/answers.ts';
import { SearchTimeSlice } from '../scheduling/search-time-slice.ts';
import type { CodeRoom } from '../search-index/code-room.ts';
import type { FilmCodes } from '../search-index/films/film-codes.ts';
import { listVideos } from './list/list-videos.ts';
import { isNarrowing, type Narrowing } from './list/narrowing.ts';
import { arrangeSurvey } from './list/survey.ts';
import { surveyOf } from './list/survey-cache.ts';
import { makeAnswering } from './match/answering.ts';
import { searchedFor } from './match/explain-answer.ts';
import { toFoundVideo } from './match/found-video.ts';
import { type MatchedVideo, matchVideos } from './match/match-videos.ts';
import { hasConditions, meetsAnyPlan } from './match/meets-conditions.ts';
import { factsAtOnceMax, readFacts } from './match/read-facts.ts';
import { joinMeaning } from './meaning/join-meaning.ts';
import { showMeant } from './meaning/show-meant.ts';
import { piecesOf, unknownFieldsIn } from './query/parse-query.ts';
import { planSearch } from './query/plan-search.ts';
import type { SearchPlan } from './query/search-plan.ts';
import { acceptsKind } from './query/text-scope.ts';
import { findRanking } from './rank/find-ranking.ts';
import type { CachedRanking } from './rank/ranking.ts';
import { limitRanked } from './rank/ranking.ts';
import type { SearchRun } from './search-parts.ts';
import type { FoundVideo, SearchAnswer, SearchRequest } from './search-request.ts';
import { findNearestQueries } from './suggest/nearest-queries.ts';

/**
 * Answers a search with one page of videos and their matching moments, best first unless it asks for another order. Without
 * a query it lists all videos, newest first. Throws `query_too_long` and `SearchTimeout`.
 */
export async function searchVideos(search: SearchRun, request: SearchRequest): Promise<SearchAnswer> {
  const { texts, plans } = await planSearch(search, request);
  if (texts.length === 0) return await listVideos(search.pool, request);
  const { narrowing } = request;
  const answer = isNarrowing(narrowing)
    ? await answerNarrowed(search, { ...request, narrowing }, plans)
    : await answerPlans(search, request, plans);
  const [text = '', plan] = [texts[0], plans[0]];
  if (texts.length > 1 || !plan) return answer;
  const [best] = answer.results;
  // Whom meaning leads was asked for as it was typed, whatever words stand for those that occur nowhere.
  const shown = { matches: answer.results.flatMap(({ matches }) => matches), hidden: request.hidden };
  const taken = best && !best.isByMeaning ? searchedFor(text, plan, shown) : undefined;
  const nearest = await nearestTo(search, request, { text, plans, answer });
  return { ...answer, ...(taken ? { searchedFor: taken } : {}), ...(nearest.length > 0 ? { nearest } : {}) };
}

/** What else to ask: when nothing is found, or no result holds what was meant as a field. */
async function nearestTo(
  search: SearchRun,
  request: SearchRequest,
  { text, ...found }: { text: string; plans: readonly SearchPlan[]; answer: SearchAnswer },
): Promise<NearestQuery[]> {
  if (await hasFoundNothing(search, request, found)) return await findNearestQueries(search, request, { text });
  const { results } = found.answer;
  const isHeld = (surface: string) => results.some(({ lacks }) => !lacks.includes(surface));
  const mayLack = beginsAnswer(request) && results.length > 0;
  if (!mayLack || !unknownFieldsIn(piecesOf(text)).some(({ surface }) => !isHeld(surface))) return [];
  return await findNearestQueries(search, request, { text, only: 'fields' });
}

/** Whether it is the query that finds nothing, and not a filter that leaves nothing of what it finds. */
async function hasFoundNothing(
  search: SearchRun,
  request: SearchRequest,
  { plans, answer }: { plans: readonly SearchPlan[]; answer: SearchAnswer },
): Promise<boolean> {
  if (!beginsAnswer(request) || answer.results.length > 0) return false;
  return !isNarrowing(request.narrowing) || (await surveyOf(search, request, plans)).videos.length === 0;
}

function beginsAnswer({ skip, createdBefore, purpose }: SearchRequest): boolean {
  return skip === 0 && createdBefore === undefined && purpose === 'results';
}

async function answerPlans(search: SearchRun, request: SearchRequest, plans: readonly SearchPlan[]): Promise<SearchAnswer> {
  const { skip, pageSize } = request;
  const createdBefore = request.createdBefore ?? new Date();
  const asked = { ...request, createdBefore };
  const isFirstPage = request.createdBefore === undefined;
  const isConditional = plans.some(hasConditions);
  const readAmong = async (atLeast: number) => {
    const byWords = await findRanking(search, asked, { plans, isFirstPage, atLeast });
    const ranking = await joinMeaning(search, byWords, { plans, request: asked });
    return { ranking, ...(await readPage(search, ranking, { plans, request })) };
  };
  const most = limitRanked(plans);
  // One more than the page holds shows whether another one follows; a page behind the last ranked video asks for no more than these.
  const wanted = Math.min(skip + pageSize + 1, most);
  const first = await readAmong(wanted);
  // Conditions may have taken so many videos away that further ones have to be looked at: then all that may be.
  const isShort = isConditional && first.done && !first.ranking.isComplete && first.ranking.videos.length >= wanted && wanted < most;
  const { ranking, results, done } = isShort ? await readAmong(most) : first;
  const total = ranking.isComplete && !isConditional ? { totalCount: ranking.videos.length } : {};
  // Further videos may meet the conditions; so many are looked at, and no more.
  const among = isConditional && done && !ranking.isComplete ? { arrangedAmong: ranking.videos.length } : {};
  return {
    results: await showMeant(search, results, ranking),
    ...among,
    nextPage: { pageSize, skip: skip + pageSize, done, ...total, createdBefore },
  };
}

/** An order of its own, or filters, are a matter of the whole answer, as far as it is surveyed. */
async function answerNarrowed(
  search: SearchRun,
  request: SearchRequest & { narrowing: Narrowing },
  plans: readonly SearchPlan[],
): Promise<SearchAnswer> {
  const { skip, pageSize } = request;
  const survey = await surveyOf(search, request, plans);
  const ids = arrangeSurvey(survey, request.narrowing);
  return {
    results: await readFound(search, ids.slice(skip, skip + pageSize), { plans, request }),
    ...(survey.isAll ? {} : { arrangedAmong: survey.ranked }),
    nextPage: {
      pageSize,
      skip: skip + pageSize,
      done: ids.length <= skip + pageSize,
      ...(survey.isAll ? { totalCount: ids.length } : {}),
      createdBefore: survey.createdBefore,
    },
  };
}

/** Reads the videos of one page with their moments. Throws when the deadline passes before. */
async function readPage(
  search: SearchRun,
  ranking: CachedRanking,
  { plans, request }: { plans: readonly SearchPlan[]; request: SearchRequest },
): Promise<{ results: FoundVideo[]; done: boolean }> {
  const { skip, pageSize } = request;
  if (plans.some(hasConditions)) return await readConditionalPage(search, ranking, { plans, request });
  const ids = ranking.videos.slice(skip, skip + pageSize).map(({ id }) => id);
  return { results: await readFound(search, ids, { plans, request }), done: ranking.videos.length <= skip + pageSize };
}

/** Reads these videos with their matches, in this order; of a large page each has fewer of them, and the number of all. */
async function readFound(
  search: Pick<SearchRun, 'pool' | 'index' | 'deadline'>,
  ids: readonly string[],
  {
    plans,
    request,
    keeps = () => true,
  }: { plans: readonly SearchPlan[]; request: SearchRequest; keeps?: (video: MatchedVideo) => boolean },
): Promise<FoundVideo[]> {
  const limit = Math.min(limits.matchesPerVideoMax, Math.floor(limits.matchesPerAnswerMax / request.pageSize));
  const showing = { answering: makeAnswering(plans), accepts: acceptsKind(request), limit };
  return await search.index.rooms.use(async (room) => {
    const found: FoundVideo[] = [];
    const slice = new SearchTimeSlice(search.deadline.work);
    for (const video of await matchVideos(search, ids, { ...showing, room })) {
      if (slice.isOver) await slice.next();
      if (keeps(video)) found.push(toFoundVideo(video, showing));
    }
    return found;
  });
}

/**
 * With words that must or must not be there, a video's own words decide whether it has a place at all. They are looked for as the index holds
 * them; a video that has gone or changed since, and has no place by now, leaves it to another one.
 */
async function readConditionalPage(
  search: SearchRun,
  ranking: CachedRanking,
  { plans, request }: { plans: readonly SearchPlan[]; request: SearchRequest },
): Promise<{ results: FoundVideo[]; done: boolean }> {
  const keeps = ({ video, film, isAsIndexed }: MatchedVideo) => isAsIndexed || meetsAnyPlan({ id: video.id, film }, plans);
  for (;;) {
    const { shown, done } = await choosePage(search, ranking, { plans, request });
    const results = await readFound(search, shown, { plans, request, keeps });
    const found = new Set(results.map(({ video }) => video.id));
    const gone = shown.filter((id) => !found.has(id));
    if (gone.length === 0) return { results, done };
    for (const id of gone) ranking.meetsConditions.set(id, false);
  }
}

/** The videos that have a place on a page. */
async function choosePage(
  search: SearchRun,
  ranking: CachedRanking,
  asked: { plans: readonly SearchPlan[]; request: SearchRequest },
): Promise<{ shown: string[]; done: boolean }> {
  return await search.index.rooms.use((room) => choosePageIn(room, search, { ranking, ...asked }));
}

async function choosePageIn(
  room: CodeRoom,
  search: SearchRun,
  { ranking, plans, request: { skip, pageSize } }: { ranking: CachedRanking; plans: readonly SearchPlan[]; request: SearchRequest },
): Promise<{ shown: string[]; done: boolean }> {
  // The page, and one more that shows whether another one follows.
  const wanted = skip + pageSize + 1;
  const shown: string[] = [];
  const slice = new SearchTimeSlice(search.deadline.work);
  let [looked, rank] = [0, 0];
  while (looked < ranking.videos.length && rank < wanted) {
    // As many as are still lacking, and as many more as were looked at before: perhaps few of them have a place.
    const atOnce = Math.min(factsAtOnceMax, wanted - rank + looked);
    const ids = ranking.videos.slice(looked, looked + atOnce).map(({ id }) => id);
    looked += ids.length;
    const unknown = ids.filter((id) => !ranking.meetsConditions.has(id));
    if (unknown.length > 0) search.deadline.check();
    room.clear();
    for (const video of await readFilms(search, unknown, room)) {
      if (slice.isOver) await slice.next();
      ranking.meetsConditions.set(video.id, meetsAnyPlan(video, plans));
    }
    for (const id of ids) {
      if (ranking.meetsConditions.get(id) !== true) continue;
      if (rank >= skip && rank < skip + pageSize) shown.push(id);
      rank++;
    }
  }
  return { shown, done: rank < wanted };
}

/** The words of these films: as the index holds them, and of those that it lacks by their rows. */
async function readFilms(search: SearchRun, ids: readonly string[], room: CodeRoom): Promise<{ id: string; film: FilmCodes }[]> {
  const records = await search.index.films(ids, { work: search.deadline.work, room });
  const held = ids.flatMap((id, n) => (records[n] ? [{ id, film: records[n] }] : []));
  if (held.length === ids.length) return held;
  const lacking = ids.filter((_, n) => !records[n]);
  return [...held, ...(await readFacts(search, lacking, room))];
}
