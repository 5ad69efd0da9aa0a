import type { Pool } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { textKinds } from '../../search-index/films/film-text.ts';
import type { SearchIndex } from '../../search-index/search-index.ts';
import { someHitInFilm } from '../match/film-hits.ts';
import { planMatcher } from '../match/plan-matcher.ts';
import { askedCondition } from '../query/list-conditions.ts';
import { type SearchPlan, significantConcepts } from '../query/search-plan.ts';
import type { SearchRun } from '../search-parts.ts';
import type { SearchRequest } from '../search-request.ts';
import { listRows } from '../search-statement.ts';
import { fit } from '../weights.ts';
import { type RankOptions, rankedMax, rankPlan } from './rank-plan.ts';
import { rankRowsInSlices } from './rank-rows.ts';
import { type CachedRanking, type RankedVideo, type Ranking, tiers } from './ranking.ts';

/*
 * This room puts videos in order: the index offers rows (rank-plan.ts), and the words in them decide (rank-rows.ts).
 */

/** Videos that a filter may name before it is cut off. */
const filteredMax = 5_000;

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
    : { ...(await rankPlans(search, request, { plans, atLeast })), meetsConditions: new Map<string, boolean>() };
  // What the first pages showed stays in front.
  const ranking = known ? { ...ranked, meetsConditions: known.meetsConditions, videos: continued(known, ranked) } : ranked;
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
  const key = await firstKey(index, request, plans);
  const known = isShared ? firstRankings.get(key) : undefined;
  if (known && (known.isComplete || known.videos.length >= atLeast)) return known;
  const meetsConditions = known?.meetsConditions ?? new Map<string, boolean>();
  const ranking = { ...(await rankPlans(search, request, { plans, atLeast })), meetsConditions };
  if (isShared) firstRankings.set(key, ranking);
  return ranking;
}

/** The order of an answer as of now, or as of the time that the request names; nothing is kept. */
export async function rankPlans(
  search: SearchRun,
  request: SearchRequest,
  { plans, atLeast }: { plans: readonly SearchPlan[]; atLeast: number },
): Promise<Ranking> {
  const [only] = plans;
  if (only && plans.length === 1) return await rankFiltered(search, request, { plan: only, plans, atLeast });
  const each = new Map<string, Ranking>();
  // One after the other: together they would take the index from everybody else. What differs in its conditions alone has one order.
  for (const plan of plans) {
    const key = JSON.stringify([plan.concepts, plan.ids, plan.notIds], (name, value) => (name === 'must' ? undefined : value));
    if (!each.has(key)) each.set(key, await rankFiltered(search, request, { plan, plans, atLeast }));
  }
  return oneRanking([...each.values()], rankedMax(plans));
}

async function rankFiltered(
  { pool, index, deadline }: SearchRun,
  request: SearchRequest,
  { plan, plans, atLeast }: { plan: SearchPlan; plans: readonly SearchPlan[]; atLeast: number },
): Promise<Ranking> {
  const { createdAfter, createdBefore, hidden } = request;
  const ids = await filteredIds(pool, request, plan.ids);
  if (plan.concepts.length === 0 && ids) return allOf(ids, plan);
  const without = hidden ? new Set([...plan.notIds, ...hidden.ids]) : new Set(plan.notIds);
  const options = { atLeast, without, createdAfter, createdBefore, ids, deadline, plans };
  const ranking = await rankPlan(index, plan, options);
  const across = await rankAcross(index, plan, { options, isAll: ranking.isComplete });
  if (across.length === 0) return ranking;
  return oneRanking([ranking, { videos: across, isComplete: true }], rankedMax(plans));
}

/** Three lines stand together in a row of the index wherever they are; a phrase of more words may have more lines. */
const acrossRows = { wordsMin: 4, wordsOfLong: 12, phrases: 2, rowsOfPart: 128, films: 40 };

/**
 * The videos in which a phrase of the plan runs from one row of the index on into the next, so that none holds it: rows with its parts
 * say which they may be, and the films which they are. Where there is plenty without them, only for a long phrase.
 */
async function rankAcross(
  index: SearchIndex,
  plan: SearchPlan,
  { options, isAll }: { options: RankOptions; isAll: boolean },
): Promise<readonly RankedVideo[]> {
  const wordsMin = isAll ? acrossRows.wordsMin : acrossRows.wordsOfLong + 1;
  const phrases = significantConcepts(plan)
    .flatMap((n) => plan.concepts[n]?.alternatives ?? [])
    .filter((one) => one.fit === fit.exact && one.tokens.length >= wordsMin && one.videos !== 0)
    .filter(({ field = 'said' }) => field === 'said' || field === 'written')
    .slice(0, acrossRows.phrases);
  if (phrases.length === 0) return [];
  const { work } = options.deadline;
  const asking = { words: [], others: [], only: options, limit: acrossRows.rowsOfPart, work };
  const parts = phrases.flatMap(({ tokens }) => partsOf(tokens));
  const found = await Promise.all(parts.map((part) => index.find('passages', { ...asking, phrases: [part] })));
  const rowOf = new Map(found.flat().map((row) => [row.video, row]));
  const videosOf = found.map((rows) => new Set(rows.map(({ video }) => video)));
  const partsIn = (id: string) => videosOf.filter((videos) => videos.has(id)).length;
  const ids = [...rowOf.keys()].filter((id) => !options.without?.has(id)).sort((a, b) => partsIn(b) - partsIn(a));
  const films = await index.films(ids.slice(0, acrossRows.films), { work });
  const { significant } = planMatcher(plan);
  const passages = films.flatMap((film, n) => {
    const row = rowOf.get(ids[n] ?? '');
    if (!film || !row || !someHitInFilm(film, significant, ({ tokens }) => tokens.length >= wordsMin)) return [];
    return textKinds.map((kind) => ({ ...row, kind, words: film.lines[kind], score: 0 }));
  });
  return await rankRowsInSlices(plan, { passages, heads: [] }, work);
}

/** A phrase in parts, of which the border between two rows cuts one at most. */
function partsOf(tokens: readonly string[]): (readonly string[])[] {
  const count = tokens.length > acrossRows.wordsOfLong ? 4 : 2;
  const border = (n: number) => Math.floor((n * tokens.length) / count);
  return Array.from({ length: count }, (_, n) => tokens.slice(border(n), border(n + 1)));
}

/** Videos that are asked for by their ids alone. */
function allOf(ids: readonly string[], { notIds }: SearchPlan): Ranking {
  const wanted = ids.filter((id) => !notIds.includes(id));
  return { videos: wanted.map((id) => ({ id, tier: tiers.lacking, score: 0 })), isComplete: true };
}

/** A video that several alternatives find has the best of its places. */
function oneRanking(rankings: readonly Ranking[], most: number): Ranking {
  const [only] = rankings;
  if (only && rankings.length === 1) return only;
  const best = new Map<string, { tier: number; score: number }>();
  for (const { id, tier, score } of rankings.flatMap(({ videos }) => videos)) {
    const known = best.get(id);
    if (!known || tier > known.tier || (tier === known.tier && score > known.score)) best.set(id, { tier, score });
  }
  const videos = [...best]
    .map(([id, found]) => ({ id, ...found }))
    .sort((a, b) => b.tier - a.tier || b.score - a.score || (a.id < b.id ? -1 : 1));
  // However many alternatives there are, no more are looked at than for one.
  return { videos: videos.slice(0, most), isComplete: rankings.every(({ isComplete }) => isComplete) && videos.length <= most };
}

function continued(known: Ranking, fresh: Ranking): Ranking['videos'] {
  const shown = new Set(known.videos.map(({ id }) => id));
  return [...known.videos, ...fresh.videos.filter(({ id }) => !shown.has(id))];
}

/** The videos that the filters beside the query, and the ids in it, leave; undefined without any. */
async function filteredIds(pool: Pool, request: SearchRequest, named: readonly string[]): Promise<string[] | undefined> {
  if (!isFiltered(request) && named.length === 0) return undefined;
  const isNamed = named.length > 0 ? sql`v.id = any(${named})` : sql`true`;
  const rows = await listRows<{ id: string }>(
    pool,
    sql`select v.id from videos v where ${askedCondition(request)} and ${isNamed} order by v.created_at desc limit ${filteredMax}`,
  );
  return rows.map(({ id }) => id);
}

/** Whether the database is asked which videos may answer. */
export function isFiltered({ ids, externalIds, faces, owners }: Pick<SearchRequest, 'ids' | 'externalIds' | 'faces' | 'owners'>): boolean {
  return [ids, externalIds, faces, owners].some((filter) => filter !== undefined);
}

/**
 * What first pages share that are asked before anything in the index changes. Plans belong to it: until the words of the last
 * batch are there, they are made with those of the one before.
 */
export async function firstKey(index: SearchIndex, request: SearchRequest, plans: readonly SearchPlan[]): Promise<string> {
  return `${await index.batch()} ${JSON.stringify(plans)} ${answerKey(request)}`;
}

/** What two requests share that ask for pages, orders and filters of one answer. */
export function answerKey({ skip: _skip, pageSize: _pageSize, narrowing: _narrowing, ...request }: SearchRequest): string {
  return JSON.stringify(request);
}
