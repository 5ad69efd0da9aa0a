import { eachRow } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Video } from '../../videos/video.ts';
import type { SearchParts } from '../search-parts.ts';
import { askInTime } from '../search-statement.ts';
import { type FoldedBody, foldBody } from './folded-body.ts';

/** A video with its packed row of moments. */
export interface VideoWithBody extends Video {
  readonly body: FoldedBody;
}

export interface ReadOptions {
  /** For those who show where a match begins: with the words' own times. */
  readonly withWordStarts?: boolean;
  /** Whether others will soon ask for the same videos. */
  readonly keep?: boolean;
}

/**
 * The videos with these ids that can be seen, in the order of the ids: one statement, one packed row per video, which stays
 * unread where this process knows it as it is.
 */
export async function readVideos(
  { pool, bodies }: Pick<SearchParts, 'pool' | 'bodies'>,
  ids: readonly string[],
  { withWordStarts = false, keep = true }: ReadOptions = {},
): Promise<VideoWithBody[]> {
  if (ids.length === 0) return [];
  const known = ids.map((id) => bodies.get(id)).map((found) => (found && (found.hasWordStarts || !withWordStarts) ? found : undefined));
  // Named: every search asks it, so it is planned once per connection. Lateral, so that it goes by key, video by video: after
  // a large import the planner knows too little, and would read all videos.
  const statement = sql`
    select v.id, v.state, v.name, v.external_id as "externalId", v.description, v.owner, v.recorded_at as "recordedAt",
           v.place, v.language, v.rights, v.people, v.labels, v.brands, v.origin,
           v.duration_seconds as "durationInSeconds", v.width, v.height, v.has_video as "hasVideo", v.has_audio as "hasAudio",
           v.streaming_preset as "streamingPreset", v.failure_code as "failureCode", v.failure_message as "failureMessage",
           v.processing_percent as "processingPercent", v.views,
           v.created_at as "createdAt", v.modified_at as "modifiedAt", v.published_at as "publishedAt",
           v.revision, wanted.rank,
           case when v.revision <> wanted.known then coalesce(m.body, '') end as packed,
           case when v.revision <> wanted.known and ${withWordStarts}::boolean then m.word_starts end as "wordStarts"
      from unnest(${ids}::text[], ${known.map((found) => found?.revision ?? -1)}::bigint[]) with ordinality as wanted (id, known, rank)
     cross join lateral (select * from videos where id = wanted.id limit 1) v
      left join lateral (select * from moments where video_id = v.id limit 1) m on true
     where v.state = 'Processed'
     order by wanted.rank`;
  const videos: VideoWithBody[] = [];
  const take = ({ revision, rank, packed, wordStarts, ...video }: VideoRow) => {
    const unchanged = packed === null ? known[rank - 1] : undefined;
    const body = unchanged?.body ?? foldBody(packed ?? '', wordStarts);
    if (keep && !unchanged) bodies.set(video.id, { revision, body, hasWordStarts: withWordStarts });
    videos.push({ ...video, body });
  };
  await askInTime(statement, (timed) => eachRow<VideoRow>(pool, { name: 'search-page', ...timed }, take));
  return videos;
}

interface VideoRow extends Video {
  readonly revision: number;
  /** From 1. */
  readonly rank: number;
  /** Null where the row that is known is of this revision. */
  readonly packed: string | null;
  readonly wordStarts: string | null;
}
