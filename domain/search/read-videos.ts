import type { Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Video } from '../videos/video.ts';
import { withTimeout } from './with-timeout.ts';

/** A video with its packed row of moments. */
export interface VideoWithBody extends Video {
  readonly body: string;
  /** When the words of its lines begin, as `foldBody` takes it; null where nobody knows or nobody asked. */
  readonly wordStarts: string | null;
}

/**
 * The videos with these ids that can be seen, in the order of the ids: one statement, one packed row per video. Word starts
 * come along for those who show where a match begins.
 */
export async function readVideos(
  pool: Pool,
  ids: readonly string[],
  { withWordStarts = false }: { withWordStarts?: boolean } = {},
): Promise<VideoWithBody[]> {
  if (ids.length === 0) return [];
  // Named: every search asks it, so it is planned once per connection. Lateral, so that it goes by key, video by video: after
  // a large import the planner knows too little, and would read all videos.
  const { rows } = await pool.query<VideoWithBody>({
    name: 'search-page',
    ...withTimeout(sql`
    select v.id, v.state, v.name, v.external_id as "externalId", v.description, v.owner, v.recorded_at as "recordedAt",
           v.place, v.language, v.rights, v.people, v.labels, v.brands, v.origin,
           v.duration_seconds as "durationInSeconds", v.width, v.height, v.has_video as "hasVideo", v.has_audio as "hasAudio",
           v.streaming_preset as "streamingPreset", v.failure_code as "failureCode", v.failure_message as "failureMessage",
           v.processing_percent as "processingPercent", v.views,
           v.created_at as "createdAt", v.modified_at as "modifiedAt", v.published_at as "publishedAt",
           coalesce(m.body, '') as body, case when ${withWordStarts}::boolean then m.word_starts end as "wordStarts"
      from unnest(${ids}::text[]) with ordinality as wanted (id, rank)
     cross join lateral (select * from videos where id = wanted.id limit 1) v
      left join lateral (select * from moments where video_id = v.id limit 1) m on true
     where v.state = 'Processed'
     order by wanted.rank`),
  });
  return rows;
}
