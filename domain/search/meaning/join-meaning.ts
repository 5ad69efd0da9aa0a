import { holdsMeaning } from '../../meaning/film-meaning.ts';
import type { MeantFilms } from '../../meaning/meant-film.ts';
import { errorMessageOf } from '../../system/error-message.ts';
import { isQuestionWord } from '../../words/languages/languages.ts';
import { isNarrowing } from '../list/narrowing.ts';
import { parseQuery } from '../query/parse-query.ts';
import { type SearchPlan, significantConceptsOf } from '../query/search-plan.ts';
import { acceptsKind } from '../query/text-scope.ts';
import { answerKey } from '../rank/find-ranking.ts';
import { isFiltered } from '../rank/rank-alternatives.ts';
import type { CachedRanking, JoinedLists, RankedVideo } from '../rank/ranking.ts';
import type { SearchRun } from '../search-parts.ts';
import type { SearchRequest } from '../search-request.ts';
import { ofMeaning, tiers } from '../weights.ts';

/*
 * This room brings meaning into an answer: join-meaning.ts into its order, show-meant.ts into its cards. How texts become vectors is the
 * business of domain/meaning.
 */

/** The order of an answer in which words and meaning have one list. */
export interface JoinedRanking extends CachedRanking, JoinedLists {
  /** What was asked. */
  readonly text: string;
}

interface Asked {
  readonly plans: readonly SearchPlan[];
  readonly request: SearchRequest & { readonly createdBefore: Date };
}

/**
 * The one place where meaning comes into a search: where words answer badly, films in which something is said that means the same get
 * their places in the list. Everywhere else, and where meaning cannot be asked, the ranking stays as it is.
 */
export async function joinMeaning(search: SearchRun, ranking: CachedRanking, asked: Asked): Promise<CachedRanking | JoinedRanking> {
  const { request, plans } = asked;
  const texts = request.query.filter((text) => text.trim() !== '');
  const [[text = ''], [plan]] = [texts, plans];
  if (!search.meaning || !plan || texts.length !== 1 || !mayAnswerByMeaning(request) || !isBadlyAnswered(text, plan, ranking))
    return ranking;
  const key = answerKey(request);
  const known = search.joined.get(key);
  const joined = known ? goOn(known, ranking.videos) : await join(search, ranking, { text, plan, request });
  if (joined && joined !== known) search.joined.set(key, joined);
  return joined && joined.meant.size > 0 ? { ...ranking, ...joined, text } : ranking;
}

/** An order with what words have found since behind it: a film that took a place in front would be on a page that was shown before. */
function goOn(known: JoinedLists, videos: readonly RankedVideo[]): JoinedLists {
  const isThere = new Set(known.videos.map(({ id }) => id));
  const further = videos.filter(({ id }) => !isThere.has(id));
  return further.length === 0 ? known : { ...known, videos: [...known.videos, ...further] };
}

/** Whoever filters asks for films that hold their words. */
function mayAnswerByMeaning(request: SearchRequest): boolean {
  const { allowsMeaning, purpose, narrowing } = request;
  const isPlain = !isNarrowing(narrowing) && !isFiltered(request) && (request.createdAfter ?? request.createdUntil) === undefined;
  return allowsMeaning === true && purpose === 'results' && isPlain && acceptsKind(request)('Transcript');
}

/**
 * Whether words answer a text so badly that what means the same should be looked for: no film has all of them close together, and the best
 * one has too little of what is significant. Of a question or a long description more may be lacking: nobody speaks like that. What
 * occurs nowhere is often a name as it is heard.
 */
export function isBadlyAnswered(text: string, plan: SearchPlan, { videos: [best] }: Pick<CachedRanking, 'videos'>): boolean {
  const wanted = significantConceptsOf(plan).flatMap((n) => plan.concepts[n] ?? []);
  const unknown = wanted.filter(({ isHeld }) => !isHeld).length;
  if (wanted.length < 2 || plan.onlyStopWords || isExact(text, plan)) return false;
  if (!best || best.tier === tiers.rough) return true;
  if (best.tier > ofMeaning.tierMax) return false;
  const words = text.trim().toLowerCase().split(/\s+/u);
  const isQuestion = isQuestionWord(words[0] ?? '', plan.languages) && words.length >= ofMeaning.question.words;
  const isDescription = words.length >= ofMeaning.description.words;
  const least = Math.max(
    unknown > 0 ? ofMeaning.withUnknown : ofMeaning.covered,
    isQuestion ? ofMeaning.question.covered : 0,
    isDescription ? ofMeaning.description.covered : 0,
  );
  const all = wanted.reduce((sum, { weight }) => sum + weight, 0);
  return best.score / all < least;
}

/** Whether somebody asks by signs what must be there, and how: then they mean these words. */
function isExact(text: string, { languages }: SearchPlan): boolean {
  const { concepts, not, ids, notIds } = parseQuery(text, { languages });
  if (not.length + ids.length + notIds.length > 0) return true;
  return concepts.some(({ must, anyOf }) => must || anyOf.length > 1 || anyOf.some(({ quoted, field }) => quoted || field !== undefined));
}

/** Both lists as one; nothing where meaning cannot be asked: whatever fails, words answer alone. */
async function join(
  search: SearchRun,
  { videos }: CachedRanking,
  { text, plan, request }: { text: string; plan: SearchPlan; request: Asked['request'] },
): Promise<JoinedLists | undefined> {
  const hidden = request.hidden?.ids;
  const among = videos.slice(0, ofMeaning.ofWords).map(({ id }) => id);
  try {
    if (!(await holdsMeaning(search.pool))) return undefined;
    const films = (await search.meaning?.find(text, { limit: ofMeaning.films, among })) ?? [];
    search.deadline.check();
    return joinLists(videos, plan, new Map(films.filter(({ videoId }) => !hidden?.has(videoId)).map((film) => [film.videoId, film])));
  } catch (error) {
    process.emitWarning(`A search went on without meaning: ${errorMessageOf(error)}`);
    return undefined;
  }
}

/** The best films of both lists in one order; behind them what else words find, and rough speech last. */
function joinLists(videos: readonly RankedVideo[], plan: SearchPlan, meant: MeantFilms): JoinedLists {
  const all = significantConceptsOf(plan).reduce((sum, n) => sum + (plan.concepts[n]?.weight ?? 0), 0);
  const covered = new Map(
    videos
      .filter(({ tier }) => tier !== tiers.rough)
      .slice(0, ofMeaning.ofWords)
      .map(({ id, score }) => [id, score / all]),
  );
  const near = [...meant.values()].filter(({ score }) => score >= ofMeaning.nearMin).map(({ videoId }) => videoId);
  const scoreOf = (id: string) => (meant.get(id)?.score ?? ofMeaning.nearMin) + ofMeaning.wordsShare * (covered.get(id) ?? 0);
  const joined = [...new Set([...covered.keys(), ...near])]
    .map((id) => ({ id, tier: tiers.lacking, score: scoreOf(id) }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  const isThere = new Set(joined.map(({ id }) => id));
  return {
    videos: [...joined, ...videos.filter(({ id }) => !isThere.has(id))],
    meant,
    byMeaning: new Set(near.filter((id) => (covered.get(id) ?? 0) < ofMeaning.byChance)),
  };
}
