import { sql } from '#domain/db/sql.ts';
import type { TestIngest } from '#testing/test-ingest.ts';

/** Seconds of film for a second of the step, over all of these films. */
export async function realTimeFactor({ context }: TestIngest, videoIds: readonly string[], step: string): Promise<number> {
  const { rows } = await context.pool.query<{ factor: number }>(sql`
    select sum(v.duration_seconds) / sum(extract(epoch from s.ended_at - s.started_at)::float8) as factor
      from ingest_steps s join videos v on v.id = s.video_id where s.video_id = any (${videoIds}::text[]) and s.step = ${step}`);
  return Math.round((rows[0]?.factor ?? 0) * 10) / 10;
}
