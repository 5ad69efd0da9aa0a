import { SearchTurn } from '../../turns/search-turn.ts';
import type { SearchPlan } from '../query/search-plan.ts';
import { acceptsKind } from '../query/text-scope.ts';
import type { KeptRanking } from '../rank/ranking.ts';
import type { SearchRun } from '../search-parts.ts';
import type { FoundVideo, SearchRequest } from '../search-request.ts';
import { answeringPlans, toFoundVideo } from './found-video.ts';
import { hasConditions, meetsAnyPlan } from './meets-conditions.ts';
import { readVideos } from './read-videos.ts';

/** Packed rows in memory at a time. */
const readAtOnceMax = 50;

/** Reads the videos of one page with their moments. Throws when the deadline passes before. */
export async function readPage(
  search: SearchRun,
  ranking: KeptRanking,
  { plans, request }: { plans: readonly SearchPlan[]; request: SearchRequest },
): Promise<{ results: FoundVideo[]; done: boolean }> {
  const { skip, pageSize } = request;
  if (plans.some(hasConditions)) return await readConditionalPage(search, ranking, { plans, request });
  const ids = ranking.videos.slice(skip, skip + pageSize).map(({ id }) => id);
  return { results: await readFound(search, ids, { plans, request }), done: ranking.videos.length <= skip + pageSize };
}

/** Reads these videos with their matches, in this order. */
export async function readFound(
  search: Pick<SearchRun, 'pool' | 'bodies'>,
  ids: readonly string[],
  { plans, request }: { plans: readonly SearchPlan[]; request: SearchRequest },
): Promise<FoundVideo[]> {
  const videos = await readVideos(search, ids, { withWordStarts: true });
  const showing = { answering: answeringPlans(plans), accepts: acceptsKind(request) };
  const found: FoundVideo[] = [];
  const turn = new SearchTurn();
  for (const video of videos) {
    // A hundred films with thousands of matches each would hold everybody up for a second.
    if (turn.isOver) await turn.next();
    found.push(toFoundVideo(video, showing));
  }
  return found;
}

/** With words that must or must not be there, a video's own text decides whether it has a place at all. */
async function readConditionalPage(
  { pool, bodies, deadline }: SearchRun,
  ranking: KeptRanking,
  { plans, request }: { plans: readonly SearchPlan[]; request: SearchRequest },
): Promise<{ results: FoundVideo[]; done: boolean }> {
  const { skip, pageSize } = request;
  const showing = { answering: answeringPlans(plans), accepts: acceptsKind(request) };
  const results: FoundVideo[] = [];
  const turn = new SearchTurn(deadline.work);
  let place = 0;
  // As many at a time as the page and the look at the next one still lack.
  for (let from = 0; from < ranking.videos.length && place <= skip + pageSize; ) {
    const ids = ranking.videos.slice(from, from + Math.min(readAtOnceMax, skip + pageSize + 1 - place)).map(({ id }) => id);
    from += ids.length;
    const verdictsKnown = ids.every((id) => ranking.verdicts.has(id));
    const passing = ids.filter((id) => ranking.verdicts.get(id) === true).length;
    if (verdictsKnown && place + passing <= skip) {
      place += passing;
      continue;
    }
    deadline.check();
    for (const video of await readVideos({ pool, bodies }, ids, { withWordStarts: true })) {
      if (turn.isOver) await turn.next();
      const passes = meetsAnyPlan(video, video.body, plans);
      ranking.verdicts.set(video.id, passes);
      if (!passes) continue;
      if (place >= skip && place < skip + pageSize) results.push(toFoundVideo(video, showing));
      place++;
    }
  }
  return { results, done: place <= skip + pageSize };
}
