import { limits } from '#contract/limits.ts';
import type { Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Video } from '../videos/video.ts';
import { lackingWords } from './explain-answer.ts';
import { findMoments } from './find-moments.ts';
import { type FoldedBody, foldBody } from './folded-body.ts';
import { headMatches } from './head-matches.ts';
import { meetsConditions } from './meets-conditions.ts';
import { planMatcher } from './plan-matcher.ts';
import type { KeptRanking } from './ranked-videos.ts';
import type { SearchPlan } from './search-plan.ts';
import type { FoundVideo, SearchRequest } from './search-request.ts';
import { acceptsKind } from './text-scope.ts';
import { withTimeout } from './with-timeout.ts';

/** Packed rows in memory at a time. */
const readAtOnceMax = 50;

interface VideoWithBody extends Video {
  readonly body: string;
}

/** Reads the videos of one page with their moments: one statement, one packed row per video. */
export async function readPage(
  pool: Pool,
  ranking: KeptRanking,
  { plans, request }: { plans: readonly SearchPlan[]; request: SearchRequest },
): Promise<{ results: FoundVideo[]; done: boolean }> {
  const { skip, pageSize } = request;
  const all = combine(plans);
  const found = { plan: all, matcher: planMatcher(all) };
  // Of several texts one is enough, so nothing is lacking.
  const lacks = (video: Video, held: ReadonlySet<number>) => (plans.length === 1 ? lackingWords(video, found, held) : []);
  const answering = { ...found, lacks };
  const conditional = plans.some(({ concepts, not }) => not.length > 0 || concepts.some(({ must }) => must));
  if (!conditional) {
    const videos = await readVideos(
      pool,
      ranking.videos.slice(skip, skip + pageSize).map(({ id }) => id),
    );
    return {
      results: videos.map((video) => foundVideo(video, foldBody(video.body), { answering, request })),
      done: ranking.videos.length <= skip + pageSize,
    };
  }
  return await readConditionalPage(pool, ranking, { plans, answering, request });
}

interface Answering {
  readonly plan: SearchPlan;
  readonly matcher: ReturnType<typeof planMatcher>;
  lacks(video: Video, held: ReadonlySet<number>): string[];
}

/** With words that must or must not be there, a video's own text decides whether it has a place at all. */
async function readConditionalPage(
  pool: Pool,
  ranking: KeptRanking,
  { plans, answering, request }: { plans: readonly SearchPlan[]; answering: Answering; request: SearchRequest },
): Promise<{ results: FoundVideo[]; done: boolean }> {
  const { skip, pageSize } = request;
  const results: FoundVideo[] = [];
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
    for (const video of await readVideos(pool, ids)) {
      const body = foldBody(video.body);
      const passes = plans.some((plan) => meetsConditions(video, body, plan));
      ranking.verdicts.set(video.id, passes);
      if (!passes) continue;
      if (place >= skip && place < skip + pageSize) results.push(foundVideo(video, body, { answering, request }));
      place++;
    }
  }
  return { results, done: place <= skip + pageSize };
}

async function readVideos(pool: Pool, ids: readonly string[]): Promise<VideoWithBody[]> {
  if (ids.length === 0) return [];
  // Named: every search asks it, so it is planned once per connection.
  const { rows } = await pool.query<VideoWithBody>({
    name: 'search-page',
    ...withTimeout(sql`
    select v.id, v.state, v.name, v.external_id as "externalId", v.description, v.owner, v.recorded_at as "recordedAt",
           v.place, v.language, v.rights, v.people, v.labels, v.brands, v.origin,
           v.duration_seconds as "durationInSeconds", v.width, v.height, v.has_video as "hasVideo", v.has_audio as "hasAudio",
           v.streaming_preset as "streamingPreset", v.failure_code as "failureCode", v.failure_message as "failureMessage",
           v.processing_percent as "processingPercent", v.views,
           v.created_at as "createdAt", v.modified_at as "modifiedAt", v.published_at as "publishedAt",
           coalesce(m.body, '') as body
      from unnest(${ids}::text[]) with ordinality as wanted (id, rank)
      join videos v using (id) left join moments m on m.video_id = v.id
     where v.state = 'Processed'
     order by wanted.rank`),
  });
  return rows;
}

function foundVideo(
  { body: _body, ...video }: VideoWithBody,
  body: FoldedBody,
  { answering, request }: { answering: Answering; request: SearchRequest },
): FoundVideo {
  const accepts = acceptsKind(request.textScope);
  const { matches, total, held } = findMoments(body, answering, { limit: limits.matchesPerVideoMax, accepts });
  const heads = headMatches(video, answering, matches).filter(({ kind }) => accepts(kind));
  const all = [...matches, ...heads].sort((a, b) => b.score - a.score || a.startMs - b.startMs);
  return {
    video,
    matches: all.slice(0, limits.matchesPerVideoMax),
    matchesTotal: total + heads.length,
    lacks: answering.lacks(video, held),
  };
}

/** Several texts are alternatives: what any of them finds is shown. */
function combine(plans: readonly SearchPlan[]): SearchPlan {
  const [only] = plans;
  if (only && plans.length === 1) return only;
  const concepts = plans.flatMap((plan) => plan.concepts);
  return { concepts, not: [], ids: [], onlyStopWords: concepts.every(({ isStopWord }) => isStopWord) };
}
