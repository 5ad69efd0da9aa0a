import type { SearchIndex } from '../../search-index/search-index.ts';
import type { SearchPlan } from '../query/search-plan.ts';
import type { SearchRun } from '../search-parts.ts';
import type { SearchRequest } from '../search-request.ts';
import { isFiltered, rankAlternatives } from './rank-alternatives.ts';
import type { CachedRanking, Ranking } from './ranking.ts';

/*
 * This room puts videos in order, and keeps the order for the pages of an answer: what a query may mean is ranked each by itself (rank-alternatives.ts), the index
 * offers rows (rank-plan.ts), and the words in them decide (rank-rows.ts).
 */

/**
 * The order of the whole answer. Pages of one search share it, so that no video comes twice or is missed while the archive
 * changes; when it is no longer kept, it is made again as of the time of the first page.
 */
export async function findRanking(
  search: SearchRun,
  request: SearchRequest & { createdBefore: Date },
  { plans, isFirstPage, atLeast }: { plans: readonly SearchPlan[]; isFirstPage: boolean; atLeast: number },
): Promise<CachedRanking> {
  const { rankings } = search;
  const key = answerKey(request);
  const known = rankings.get(key);
  if (known && (known.isComplete || known.videos.length >= atLeast)) return known;
  const asNow = { ...request, createdBefore: undefined };
  const ranked = isFirstPage
    ? await rankForFirstPage(search, asNow, { plans, atLeast })
    : { ...(await rankAlternatives(search, request, { plans, atLeast })), meetsConditions: new Map<string, boolean>() };
  // What the first pages showed stays in front.
  const ranking = known ? { ...ranked, meetsConditions: known.meetsConditions, videos: continueRanking(known, ranked) } : ranked;
  rankings.set(key, ranking);
  return ranking;
}

/** The order of an answer as of now: the one of an earlier search as long as nothing in the index has changed since. */
async function rankForFirstPage(
  search: SearchRun,
  request: SearchRequest,
  { plans, atLeast }: { plans: readonly SearchPlan[]; atLeast: number },
): Promise<CachedRanking> {
  const { index, firstRankings } = search;
  // What the database filters by may change before the index does.
  const isShared = !isFiltered(request) && plans.every(({ ids }) => ids.length === 0);
  const key = await makeFirstPageKey(index, request, plans);
  const known = isShared ? firstRankings.get(key) : undefined;
  if (known && (known.isComplete || known.videos.length >= atLeast)) return known;
  const meetsConditions = known?.meetsConditions ?? new Map<string, boolean>();
  const ranking = { ...(await rankAlternatives(search, request, { plans, atLeast })), meetsConditions };
  if (isShared) firstRankings.set(key, ranking);
  return ranking;
}

function continueRanking(known: Ranking, fresh: Ranking): Ranking['videos'] {
  const shown = new Set(known.videos.map(({ id }) => id));
  return [...known.videos, ...fresh.videos.filter(({ id }) => !shown.has(id))];
}

/**
 * What first pages share that are asked before anything in the index changes. The words of their plans belong to it: until those of the
 * last batch are there, plans are made with those of the one before.
 */
export async function makeFirstPageKey(index: SearchIndex, request: SearchRequest, plans: readonly SearchPlan[]): Promise<string> {
  return `${await index.batch()} ${plans.map(({ batch }) => batch).join()} ${answerKey(request)}`;
}

/** What two requests share that ask for pages, orders and filters of one answer. */
export function answerKey({ skip: _skip, pageSize: _pageSize, narrowing: _narrowing, ...request }: SearchRequest): string {
  return JSON.stringify(request);
}
