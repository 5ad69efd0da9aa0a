import { limits } from '#contract/limits.ts';
import { errorMessage } from '../../db/error-message.ts';
import type { MeantPlace } from '../../meaning/meant-film.ts';
import { addMeant, totalOf } from '../match/count-matches.ts';
import type { MomentMatch } from '../match/moment-match.ts';
import type { CachedRanking } from '../rank/ranking.ts';
import type { SearchRun } from '../search-parts.ts';
import type { FoundVideo } from '../search-request.ts';
import { ofMeaning } from '../weights.ts';
import type { JoinedRanking } from './join-meaning.ts';

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
  const places = await meantPlaces(
    { meaning },
    ranking,
    found.map(({ video }) => video.id),
  ).catch((error: unknown) => {
    process.emitWarning(`What is meant could not be shown: ${errorMessage(error)}`);
    return [];
  });
  const ofVideo = Map.groupBy(places, ({ videoId }) => videoId);
  return found
    .map((one) => withPlaces(one, ofVideo.get(one.video.id) ?? [], { isByMeaning: ranking.byMeaning.has(one.video.id) }))
    .filter(({ matches, isByMeaning }) => matches.length > 0 || !isByMeaning);
}

/** Of these films what is said in them that means what was asked; nothing of films that are not near enough. */
export async function meantPlaces(
  { meaning }: Pick<SearchRun, 'meaning'>,
  { text, meant }: Pick<JoinedRanking, 'text' | 'meant'>,
  ids: readonly string[],
): Promise<MeantPlace[]> {
  const near = ids.flatMap((id) => meant.get(id) ?? []).filter(({ score }) => score >= ofMeaning.nearMin);
  return near.length > 0 ? ((await meaning?.places(text, near)) ?? []) : [];
}

/**
 * The matches that these places of a film add to those by its words. Of a film that has as many of these as are told of one, meaning adds
 * none, unless it is there for its meaning.
 */
export function meantMatches(
  { matches, counts }: Pick<FoundVideo, 'matches' | 'counts'>,
  places: readonly MeantPlace[],
  { isByMeaning }: { isByMeaning: boolean },
): MomentMatch[] {
  if (!isByMeaning && totalOf(counts) + places.length > limits.matchesPerVideoMax) return [];
  const shown = new Set(matches.flatMap(({ lines }) => lines ?? []));
  return places.filter(({ lines }) => !lines.some((line) => shown.has(line))).map(matchOfPlace);
}

function withPlaces(found: FoundVideo, places: readonly MeantPlace[], { isByMeaning }: { isByMeaning: boolean }): FoundVideo {
  const meant = meantMatches(found, places, { isByMeaning });
  const matches = (isByMeaning ? inTurns(meant, found.matches) : inTurns(found.matches, meant)).slice(0, limits.matchesPerVideoMax);
  const all = { ...found, matches, counts: addMeant(found.counts, meant) };
  // That it lacks words is what everybody knows who is told that it is there for its meaning.
  return isByMeaning ? { ...all, isByMeaning, lacks: [] } : all;
}

/** A place as a match, of which no word is marked. */
function matchOfPlace({ startMs, text, lines, ofKind, score }: MeantPlace): MomentMatch {
  return { kind: 'Transcript', isTimed: true, startMs, text, lines, ofKind, ranges: [], score, isByMeaning: true };
}

/** One of each list in turns, as long as both have any. */
function inTurns(first: readonly MomentMatch[], second: readonly MomentMatch[]): MomentMatch[] {
  return Array.from({ length: Math.max(first.length, second.length) }).flatMap((_, n) => [
    ...first.slice(n, n + 1),
    ...second.slice(n, n + 1),
  ]);
}
