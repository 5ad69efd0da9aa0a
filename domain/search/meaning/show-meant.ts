import { limits } from '#contract/limits.ts';
import type { MeantPlace } from '../../meaning/meant-film.ts';
import { SearchTimeout } from '../../scheduling/search-timeout.ts';
import { IndexNotReady } from '../../search-index/index-not-ready.ts';
import { errorMessageOf } from '../../system/error-message.ts';
import { addMeant, totalOf } from '../match/count-matches.ts';
import { type MomentMatch, mergeRoundRobin } from '../match/moment-match.ts';
import type { SearchPlan } from '../query/search-plan.ts';
import { findRanking } from '../rank/find-ranking.ts';
import { rankAlternatives } from '../rank/rank-alternatives.ts';
import type { CachedRanking } from '../rank/ranking.ts';
import type { SearchRun } from '../search-parts.ts';
import type { AskedInFilm, FoundVideo } from '../search-request.ts';
import { ofMeaning } from '../weights.ts';
import { isBadlyAnswered, type JoinedRanking, joinMeaning } from './join-meaning.ts';

/**
 * Found videos with the lines that mean what was asked, where their ranking was joined with meaning. A film that is there for these alone
 * and has changed since is left out.
 */
export async function showMeant(
  { meaning }: Pick<SearchRun, 'meaning'>,
  found: readonly FoundVideo[],
  ranking: CachedRanking | JoinedRanking,
): Promise<readonly FoundVideo[]> {
  if (!meaning || !('meant' in ranking)) return found;
  const places = await findMeantPlaces(
    { meaning },
    ranking,
    found.map(({ video }) => video.id),
  ).catch((error: unknown) => {
    process.emitWarning(`What is meant could not be shown: ${errorMessageOf(error)}`);
    return [];
  });
  const ofVideo = Map.groupBy(places, ({ videoId }) => videoId);
  return found
    .map((one) => withPlaces(one, ofVideo.get(one.video.id) ?? [], { isByMeaning: ranking.byMeaning.has(one.video.id) }))
    .filter(({ matches, isByMeaning }) => matches.length > 0 || !isByMeaning);
}

const keepsNothing = { get: () => undefined, set: () => {}, delete: () => {} };

/** Videos of the first page of results, with the one by which it shows that there is another. */
const rankedForFirstPage = limits.searchPageSize + 1;

/**
 * What is said in one film that means what was asked, where a search of the archive would show it on the film's card: by the same ranking, joined
 * with meaning as that is. None where meaning cannot be asked, or the film's own words answer. Throws `SearchTimeout` and `IndexNotReady`.
 */
export async function meantInFilm(
  search: SearchRun,
  { videoId, query, hidden }: AskedInFilm,
  { text, plan, byWords }: { text: string; plan: SearchPlan; byWords: Pick<FoundVideo, 'matches' | 'counts'> },
): Promise<MomentMatch[]> {
  if (!search.meaning) return [];
  // Nobody goes on from it to another page.
  const unkept = { ...search, rankings: keepsNothing, joined: keepsNothing };
  const request = { query: [query], skip: 0, pageSize: limits.searchPageSize, purpose: 'results', hidden, allowsMeaning: true } as const;
  try {
    // Where this film has the words, the best film of the archive has them too: nothing else needs to be ranked.
    const own = await rankAlternatives(search, { ...request, ids: [videoId] }, { plans: [plan], atLeast: 1 });
    if (!isBadlyAnswered(text, plan, own)) return [];
    const asked = { ...request, createdBefore: new Date() };
    const ranked = await findRanking(unkept, asked, { plans: [plan], isFirstPage: true, atLeast: rankedForFirstPage });
    const joined = await joinMeaning(unkept, ranked, { plans: [plan], request: asked });
    if (!('meant' in joined)) return [];
    return chooseMeantMatches(byWords, await findMeantPlaces(search, joined, [videoId]), { isByMeaning: joined.byMeaning.has(videoId) });
  } catch (error) {
    if (error instanceof SearchTimeout || error instanceof IndexNotReady) throw error;
    process.emitWarning(`A search inside a film went on without meaning: ${errorMessageOf(error)}`);
    return [];
  }
}

/** Of these films what is said in them that means what was asked; nothing of films that are not near enough. */
async function findMeantPlaces(
  { meaning }: Pick<SearchRun, 'meaning'>,
  { text, meant }: Pick<JoinedRanking, 'text' | 'meant'>,
  ids: readonly string[],
): Promise<MeantPlace[]> {
  const near = ids.flatMap((id) => meant.get(id) ?? []).filter(({ score }) => score >= ofMeaning.nearMin);
  return near.length > 0 ? ((await meaning?.places(text, near)) ?? []) : [];
}

/**
 * The matches that these places of a film add to those by its words. Of a film that has as many of these as a card shows, meaning adds
 * none, unless it is there for its meaning.
 */
function chooseMeantMatches(
  { matches, counts }: Pick<FoundVideo, 'matches' | 'counts'>,
  places: readonly MeantPlace[],
  { isByMeaning }: { isByMeaning: boolean },
): MomentMatch[] {
  if (!isByMeaning && totalOf(counts) + places.length > limits.matchesPerVideoMax) return [];
  const shown = new Set(matches.flatMap(({ lines }) => lines ?? []));
  return places.filter(({ lines }) => !lines.some((line) => shown.has(line))).map(matchOfPlace);
}

function withPlaces(found: FoundVideo, places: readonly MeantPlace[], { isByMeaning }: { isByMeaning: boolean }): FoundVideo {
  const meant = chooseMeantMatches(found, places, { isByMeaning });
  const matches = (isByMeaning ? mergeRoundRobin(meant, found.matches) : mergeRoundRobin(found.matches, meant)).slice(
    0,
    limits.matchesPerVideoMax,
  );
  const all = { ...found, matches, counts: addMeant(found.counts, meant) };
  // That it lacks words is clear to everybody who reads that it is there for its meaning.
  return isByMeaning ? { ...all, isByMeaning, lacks: [] } : all;
}

/** A place as a match, of which no word is marked. */
function matchOfPlace({ startMs, text, lines, ofKind, score }: MeantPlace): MomentMatch {
  return { kind: 'Transcript', isTimed: true, startMs, text, lines, ofKind, ranges: [], score, isByMeaning: true };
}
