import { limits } from '#contract/limits.ts';
import { SearchTimeSlice } from '../../scheduling/search-time-slice.ts';
import { CodeRoom } from '../../search-index/code-room.ts';
import type { SearchPlan } from '../query/search-plan.ts';
import { acceptsKind } from '../query/text-scope.ts';
import type { CachedRanking } from '../rank/ranking.ts';
import type { SearchRun } from '../search-parts.ts';
import type { FoundVideo, SearchRequest } from '../search-request.ts';
import { answeringPlans } from './answering.ts';
import { toFoundVideo } from './found-video.ts';
import { matchVideos } from './match-videos.ts';
import { hasConditions, meetsAnyPlan } from './meets-conditions.ts';
import { readFacts } from './read-facts.ts';

/** Films in memory at a time. */
const readAtOnceMax = 50;

/** Reads the videos of one page with their moments. Throws when the deadline passes before. */
export async function readPage(
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
export async function readFound(
  search: Pick<SearchRun, 'pool' | 'index' | 'deadline'>,
  ids: readonly string[],
  { plans, request }: { plans: readonly SearchPlan[]; request: SearchRequest },
): Promise<FoundVideo[]> {
  const limit = Math.min(limits.matchesPerVideoMax, Math.floor(limits.matchesPerAnswerMax / request.pageSize));
  const showing = { answering: answeringPlans(plans), accepts: acceptsKind(request), limit };
  const found: FoundVideo[] = [];
  const slice = new SearchTimeSlice(search.deadline.work);
  for (const video of await matchVideos(search, ids, showing)) {
    if (slice.isOver) await slice.next();
    found.push(toFoundVideo(video, showing));
  }
  return found;
}

/** With words that must or must not be there, a video's own words decide whether it has a place at all. */
async function readConditionalPage(
  search: SearchRun,
  ranking: CachedRanking,
  { plans, request }: { plans: readonly SearchPlan[]; request: SearchRequest },
): Promise<{ results: FoundVideo[]; done: boolean }> {
  const { skip, pageSize } = request;
  const shown: string[] = [];
  const slice = new SearchTimeSlice(search.deadline.work);
  const room = CodeRoom.ofFilms(Math.min(readAtOnceMax, ranking.videos.length));
  let place = 0;
  // As many at a time as the page and the look at the next one still lack, and more where few of them have a place.
  for (let from = 0; from < ranking.videos.length && place <= skip + pageSize; ) {
    const ids = ranking.videos.slice(from, from + Math.min(readAtOnceMax, skip + pageSize + 1 - place + from)).map(({ id }) => id);
    from += ids.length;
    const unknown = ids.filter((id) => !ranking.verdicts.has(id));
    if (unknown.length > 0) search.deadline.check();
    room.clear();
    for (const video of await readFacts(search, unknown, room)) {
      if (slice.isOver) await slice.next();
      ranking.verdicts.set(video.id, meetsAnyPlan(video, plans));
    }
    for (const id of ids) {
      if (ranking.verdicts.get(id) !== true) continue;
      if (place >= skip && place < skip + pageSize) shown.push(id);
      place++;
    }
  }
  return { results: await readFound(search, shown, { plans, request }), done: place <= skip + pageSize };
}
