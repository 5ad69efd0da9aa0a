import { serverLimits } from '#contract/limits.ts';
import type { Pool } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { SearchTimeout } from '../../scheduling/search-timeout.ts';
import type { FoundRow } from '../../search-index/ask/found-row.ts';
import type { CodeRoom } from '../../search-index/code-room.ts';
import { textKinds } from '../../search-index/films/film-text.ts';
import type { SearchIndex } from '../../search-index/search-index.ts';
import type { Language } from '../../words/languages/language.ts';
import { isStopWord } from '../../words/languages/languages.ts';
import { skipToTokenEnd } from '../../words/tokens.ts';
import { acceptedIn, someHitInFilm } from '../match/film-hits.ts';
import { type HitListener, seekWordHit } from '../match/find-word-hits.ts';
import { planMatcher } from '../match/plan-matcher.ts';
import { toAskedCondition } from '../query/list-conditions.ts';
import { type Alternative, type SearchPlan, significantConceptsOf } from '../query/search-plan.ts';
import type { SearchRun } from '../search-parts.ts';
import type { SearchRequest } from '../search-request.ts';
import { listRows } from '../search-statement.ts';
import { fit, tiers } from '../weights.ts';
import { type RankOptions, rankPlan } from './rank-plan.ts';
import { rankRowsInSlices } from './rank-rows.ts';
import { limitRanked, type RankedVideo, type Ranking } from './ranking.ts';

/** The order of an answer as of now, or as of the time that the request names; nothing is kept. */
export async function rankAlternatives(
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
  return joinRankings([...each.values()], limitRanked(plans));
}

async function rankFiltered(
  { pool, index, deadline }: SearchRun,
  request: SearchRequest,
  { plan, plans, atLeast }: { plan: SearchPlan; plans: readonly SearchPlan[]; atLeast: number },
): Promise<Ranking> {
  const { createdAfter, createdBefore, createdUntil, hidden } = request;
  const ids = await findFilteredIds(pool, request, plan.ids);
  const isAllThere = ids === undefined || ids.length < serverLimits.filteredVideosMax;
  if (plan.concepts.length === 0 && ids) return { ...allOf(ids, plan), isComplete: isAllThere };
  const without = hidden ? new Set([...plan.notIds, ...hidden.ids]) : new Set(plan.notIds);
  const options = { atLeast, without, createdAfter, createdBefore, createdUntil, ids, deadline, plans };
  const ranking = await rankPlan(index, plan, options);
  const { videos, isComplete } = withThose(await rankAcross(index, plan, { options, ranking }), ranking, limitRanked(plans));
  return { videos, isComplete: isComplete && isAllThere };
}

/** Three lines stand together in a row of the index wherever they are; a phrase of more words may have more lines. */
const acrossRows = { wordsMin: 4, wordsOfLong: 12, phrases: 2, rowsOfPart: 128, films: 40 };

/**
 * The videos in which a phrase of the plan runs from one row of the index on into the next, so that none holds it: rows with its parts
 * say which they may be, and the films which they are. Where there is plenty without them, only for a long phrase. An order that is
 * there already is not lost because there is no time for them; then these are not all.
 */
async function rankAcross(
  index: SearchIndex,
  plan: SearchPlan,
  { options, ranking }: { options: RankOptions; ranking: Ranking },
): Promise<Ranking> {
  const wordsMin = ranking.isComplete ? acrossRows.wordsMin : acrossRows.wordsOfLong + 1;
  const parts = listPhrasesAcross(plan, wordsMin).flatMap(({ tokens }) => partsOf(tokens, plan.languages));
  if (parts.length === 0) return { videos: [], isComplete: true };
  if (options.deadline.isOver) return { videos: [], isComplete: false };
  try {
    const across = { options, ranking, parts, wordsMin };
    return { videos: await index.rooms.use((room) => findAcross(index, plan, { ...across, room })), isComplete: true };
  } catch (error) {
    if (error instanceof SearchTimeout) return { videos: [], isComplete: false };
    throw error;
  }
}

/** The phrases of a plan that may run over rows. A word of a script without blanks is a row of letters, and none that lines part. */
function listPhrasesAcross(plan: SearchPlan, wordsMin: number): readonly Alternative[] {
  return significantConceptsOf(plan)
    .flatMap((n) => plan.concepts[n]?.alternatives ?? [])
    .filter((one) => one.fit === fit.exact && one.tokens.length >= wordsMin && one.videos !== 0)
    .filter(({ field = 'said' }) => field === 'said' || field === 'written')
    .filter(({ tokens }) => !tokens.every(isUnspacedLetter))
    .slice(0, acrossRows.phrases);
}

/** Whether a token is a letter of a script without blanks: it ends there, whatever letter follows. */
function isUnspacedLetter(token: string): boolean {
  return skipToTokenEnd(`${token}a`, 0) === token.length;
}

async function findAcross(
  index: SearchIndex,
  plan: SearchPlan,
  {
    options,
    ranking,
    parts,
    wordsMin,
    room,
  }: { options: RankOptions; ranking: Ranking; parts: readonly (readonly string[])[]; wordsMin: number; room: CodeRoom },
): Promise<readonly RankedVideo[]> {
  const { work } = options.deadline;
  const asking = { words: [], others: [], only: options, limit: acrossRows.rowsOfPart, room, work };
  const found = await Promise.all(parts.map((part) => index.find('passages', { ...asking, phrases: [part] })));
  const rowOf = new Map(found.flat().map((row) => [row.video, row]));
  const videosOf = found.map((rows) => new Set(rows.map(({ video }) => video)));
  const partsIn = (id: string) => videosOf.filter((videos) => videos.has(id)).length;
  const { significant } = planMatcher(plan);
  const isPhrase: HitListener = ({ tokens }) => tokens.length >= wordsMin;
  const holdsPhrase = (row: FoundRow) => seekWordHit(row.words, significant, { accepts: acceptedIn(row), isEnough: isPhrase });
  const inOneRow = new Set(found.flatMap((rows) => rows.filter(holdsPhrase)).map(({ video }) => video));
  // Films that have all of the very words close together cannot stand better, and those with the phrase in one row are mostly found by it.
  const placed = new Set(ranking.videos.filter(({ tier }) => tier === tiers.exact).map(({ id }) => id));
  const isLookedAt = (id: string) => !placed.has(id) && options.without?.has(id) !== true;
  const isKnown = (id: string) => Number(inOneRow.has(id));
  const ids = [...rowOf.keys()].filter(isLookedAt).sort((a, b) => isKnown(a) - isKnown(b) || partsIn(b) - partsIn(a));
  const films = await index.films(ids.slice(0, acrossRows.films), { room, work });
  const passages = films.flatMap((film, n) => {
    const row = rowOf.get(ids[n] ?? '');
    if (!film || !row || !someHitInFilm(film, significant, isPhrase)) return [];
    return textKinds.map((kind) => ({ ...row, kind, words: film.lines[kind], score: 0 }));
  });
  return await rankRowsInSlices(plan, { passages, heads: [] }, work);
}

/** A phrase in parts, of which the border between two rows cuts one at most; without those of stop words alone, which stand everywhere. */
function partsOf(tokens: readonly string[], languages: readonly Language[]): (readonly string[])[] {
  const count = tokens.length > acrossRows.wordsOfLong ? 4 : 2;
  const border = (n: number) => Math.floor((n * tokens.length) / count);
  return Array.from({ length: count }, (_, n) => tokens.slice(border(n), border(n + 1))).filter(
    (part) => !part.every((word) => isStopWord(word, languages)),
  );
}

/** A ranking with further videos, each before the first that stands worse; the others keep their order, as that of wider windows is one of its own. */
function withThose(further: Ranking, ranking: Ranking, most: number): Ranking {
  const known = new Map(ranking.videos.map((video) => [video.id, video]));
  const isBefore = (a: RankedVideo, b: RankedVideo | undefined) =>
    b === undefined || a.tier > b.tier || (a.tier === b.tier && a.score > b.score);
  const raised = further.videos.filter((video) => isBefore(video, known.get(video.id)));
  const ids = new Set(raised.map(({ id }) => id));
  const videos: RankedVideo[] = [];
  let next = 0;
  for (const video of ranking.videos) {
    if (ids.has(video.id)) continue;
    for (let one = raised[next]; one && isBefore(one, video); one = raised[next]) {
      videos.push(one);
      next++;
    }
    videos.push(video);
  }
  videos.push(...raised.slice(next));
  return { videos: videos.slice(0, most), isComplete: ranking.isComplete && further.isComplete && videos.length <= most };
}

/** Videos that are asked for by their ids alone. */
function allOf(ids: readonly string[], { notIds }: SearchPlan): Pick<Ranking, 'videos'> {
  const wanted = ids.filter((id) => !notIds.includes(id));
  return { videos: wanted.map((id) => ({ id, tier: tiers.lacking, score: 0 })) };
}

/** A video that several alternatives find has the best of its places. */
function joinRankings(rankings: readonly Ranking[], most: number): Ranking {
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

/** The videos that the filters beside the query, and the ids in it, leave; undefined without any. */
async function findFilteredIds(pool: Pool, request: SearchRequest, named: readonly string[]): Promise<string[] | undefined> {
  if (!isFiltered(request) && named.length === 0) return undefined;
  const isNamed = named.length > 0 ? sql`v.id = any(${named})` : sql`true`;
  const rows = await listRows<{ id: string }>(
    pool,
    sql`select v.id from videos v where ${toAskedCondition(request)} and ${isNamed} order by v.created_at desc limit ${serverLimits.filteredVideosMax}`,
  );
  return rows.map(({ id }) => id);
}

/** Whether the database is asked which videos may answer. */
export function isFiltered({ ids, externalIds, faces, owners }: Pick<SearchRequest, 'ids' | 'externalIds' | 'faces' | 'owners'>): boolean {
  return [ids, externalIds, faces, owners].some((filter) => filter !== undefined);
}
