import { serverLimits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import type { SearchExamples, SearchFacets } from '#contract/search-facets.ts';
import type { Pool } from '../db/database.ts';
import type { MeaningProcess } from '../meaning/meaning-process.ts';
import { Deadline } from '../scheduling/deadline.ts';
import type { SearchWork } from '../scheduling/search-time-slice.ts';
import { SearchTimeout } from '../scheduling/search-timeout.ts';
import { findBuiltPercent } from '../search-index/built-percent.ts';
import { IndexNotReady } from '../search-index/index-not-ready.ts';
import { openSearchIndex, type SearchIndex } from '../search-index/search-index.ts';
import { openListedFacets } from './list/list-facets.ts';
import { countFacets, surveyBytes } from './list/survey.ts';
import { surveyOf } from './list/survey-cache.ts';
import { type FilmMatches, matchFilm } from './match-film.ts';
import { openVocabulary } from './query/load-vocabulary.ts';
import { planSearch } from './query/plan-search.ts';
import { planBytes } from './query/search-plan.ts';
import { type CachedRanking, measureJoined, measureRanking } from './rank/ranking.ts';
import { SearchCache } from './search-cache.ts';
import type { SearchParts, SearchRun } from './search-parts.ts';
import type { AskedInFilm, SearchAnswer, SearchRequest } from './search-request.ts';
import { searchVideos } from './search-videos.ts';
import { openNames } from './suggest/load-names.ts';
import { pickExamples } from './suggest/pick-examples.ts';
import { type SuggestedName, type SuggestRequest, suggest, suggestNames } from './suggest/suggest.ts';

/*
 * The door of the search. Its rooms, each using those before it: query (texts to plans), match (which lines answer), rank (in which order),
 * list (lists, filters, counts), meaning (where words answer badly), suggest (while somebody types).
 */

/** When a search has to end, and where what it works is counted; five seconds after it began where nothing is said. */
export interface SearchTime {
  readonly deadline?: Deadline | undefined;
  readonly work?: SearchWork | undefined;
}

/**
 * The search of one archive, with everything that it keeps for the next question. Whatever needs the index throws `index_not_ready` while
 * there is none to read, and `unavailable` when it takes too long; texts throw `query_too_long`.
 */
export interface Search {
  readonly index: SearchIndex;
  /** One page of videos with their matching moments; without a query all videos, newest first. */
  answer(request: SearchRequest, time?: SearchTime): Promise<SearchAnswer>;
  /** What an answer comes to, group by group. */
  facets(request: SearchRequest, time?: SearchTime): Promise<SearchFacets>;
  /** Every match of one film, whatever a card leaves out. */
  film(request: AskedInFilm, time?: SearchTime): Promise<FilmMatches>;
  /** What somebody may mean who has typed so far. */
  suggest(request: SuggestRequest, time?: SearchTime): Promise<SearchAnswer>;
  suggestNames(asked: { typed: string; hidden?: SearchRequest['hidden'] }, time?: SearchTime): Promise<SuggestedName[]>;
  /** Words and names that a search finds. */
  examples(asked: Pick<SearchRequest, 'hidden'>, time?: SearchTime): Promise<SearchExamples>;
  /** Does something of one's own with the parts of the search, in the time of one. */
  run<T>(work: (search: SearchRun) => Promise<T>, time?: SearchTime): Promise<T>;
  /** Empties every cache. */
  forget(): void;
  close(): void;
}

/**
 * Of what may be kept, in bytes, what the lists of the index get: what is read of them serves every query, and answers only those who ask
 * the same.
 */
export function listsBytesOf(budgetBytes: number): number {
  return Math.floor(budgetBytes * 0.6);
}

interface ArchiveToSearch {
  readonly pool: Pool;
  readonly budgetBytes: number;
  /** What finds films by their meaning, and ends with the search; words answer alone without it. */
  readonly meaning?: MeaningProcess | null | undefined;
}

/** Opens the search of an archive with the index under `indexFolder`. What both keep takes about `budgetBytes` at most; words, names, recent rows and what the index has in memory come on top. */
export function openArchiveSearch({ pool, indexFolder, budgetBytes, meaning }: ArchiveToSearch & { indexFolder: string }): Search {
  const listsBytes = listsBytesOf(budgetBytes);
  const index = openSearchIndex(indexFolder, { cacheBytes: listsBytes });
  return openSearch({ pool, index, budgetBytes: budgetBytes - listsBytes, meaning });
}

/** Opens the search of the archive in this database. What it keeps takes about `budgetBytes` at most; the words and names come on top. */
export function openSearch({ pool, index, budgetBytes, meaning = null }: ArchiveToSearch & { index: SearchIndex }): Search {
  const cache = new SearchCache(budgetBytes);
  const parts: SearchParts = {
    pool,
    index,
    vocabulary: openVocabulary(pool, index),
    names: openNames(pool, index),
    listed: openListedFacets(pool),
    plans: cache.of('plan', planBytes),
    rankings: cache.of<CachedRanking>('ranking', measureRanking),
    firstRankings: cache.of<CachedRanking>('first ranking', measureRanking),
    surveys: cache.of('survey', () => surveyBytes),
    meaning,
    joined: cache.of('joined', measureJoined),
  };

  async function run<T>(work: (search: SearchRun) => Promise<T>, { deadline, work: worked }: SearchTime = {}): Promise<T> {
    try {
      return await work({ ...parts, deadline: deadline ?? new Deadline(serverLimits.searchMaxMs, undefined, worked) });
    } catch (error) {
      if (error instanceof SearchTimeout)
        throw new Problem('unavailable', 'The search took too long. Try again in a moment.', { retryAfterSeconds: 2, cause: error });
      if (error instanceof IndexNotReady) throw await makeNotReadyProblem(pool, error);
      throw error;
    }
  }

  const forget = () => {
    cache.forget();
    parts.vocabulary.forget();
    parts.names.forget();
  };
  return {
    index,
    answer: (request, time) => run((search) => searchVideos(search, request), time),
    facets: (request, time) => run((search) => searchFacets(search, request), time),
    film: (request, time) => run((search) => matchFilm(search, request), time),
    suggest: (request, time) => run((search) => suggest(search, request), time),
    suggestNames: (asked, time) => run((search) => suggestNames(search, asked), time),
    examples: ({ hidden }, time) => run((search) => pickExamples(search, hidden), time),
    run,
    forget,
    close: () => {
      forget();
      meaning?.close();
      index.close();
    },
  };
}

const askAgainSeconds = 3;

async function makeNotReadyProblem(pool: Pool, error: IndexNotReady): Promise<Problem> {
  const percent = await findBuiltPercent(pool);
  const sofar = percent === null ? '' : `: ${percent}% so far`;
  const what = error.state === 'building' ? 'Search is being prepared' : 'Search is being repaired';
  const message = `${what}${sofar}. Lists and videos still work.`;
  return new Problem('index_not_ready', message, { retryAfterSeconds: askAgainSeconds, cause: error });
}

/**
 * Counts what a search comes to, group by group; without a query, what the whole archive comes to. Skip and page size of the
 * request change nothing. Throws `query_too_long` and `SearchTimeout`.
 */
async function searchFacets(search: SearchRun, request: SearchRequest): Promise<SearchFacets> {
  const { texts, plans } = await planSearch(search, request);
  if (texts.length === 0) return await search.listed.count(request);
  return countFacets(await surveyOf(search, request, plans), request.narrowing ?? {});
}

/** With fewer videos the first questions take hardly longer than others. */
const preparedFrom = 1_000;

/**
 * Asks what nobody waits for yet, so that nobody who asks after a start waits until words and lists are read and what goes through them is
 * compiled. Nothing in a small archive. Throws as searches do.
 */
export async function prepareSearch(search: Search, { from = preparedFrom } = {}): Promise<void> {
  const vocabulary = await search.run((parts) => parts.vocabulary.for());
  if (vocabulary.videos < from) return;
  const common = vocabulary.completions('', 8).map(({ term }) => term);
  const examples = await search.examples({});
  const title = examples.title ?? '';
  const said = examples.said ?? title;
  for (const words of [common.slice(0, 4), common.slice(4)])
    for (const query of queriesOf([...words, said], title)) {
      const request: SearchRequest = { query: [query], skip: 0, pageSize: 12, purpose: 'results' };
      await search.answer(request);
      await search.facets(request);
    }
  await search.suggest({ query: [said.slice(0, 3)] });
}

/** What a query may look like, in words that an archive holds. */
function queriesOf(words: readonly string[], title: string): string[] {
  const [first = '', second = '', third = '', ...others] = words;
  const plain = [`${first} ${second}`, words.join(' '), `${third} ${title}`, `"${first} ${second}"`, others.map(misspell).join(' ')];
  const begun = `${second} ${third.slice(0, 3)}`;
  const marked = [`+${first} +${third}`, `${second} -${third}`, `said:${second} title:${title}`, words.join(' OR ')];
  return [...plain, begun, ...marked];
}

/** What is looked for among words nearly alike: two letters of a word the wrong way round. */
function misspell(word: string): string {
  return `${word.slice(0, 1)}${word.slice(2, 3)}${word.slice(1, 2)}${word.slice(3)}`;
}
