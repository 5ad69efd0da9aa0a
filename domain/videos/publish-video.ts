import { inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Moment } from '../moments/moment.ts';
import { packMoments } from '../moments/packed-moments.ts';

export interface PublishedFacts {
  readonly videoId: string;
  readonly moments: readonly Moment[];
  readonly durationInSeconds: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
  readonly streamingPreset: 'SingleBitrate' | 'AdaptiveBitrate' | 'NoStreaming';
}

/** Makes a video public to search and player: its moments and facts appear in one transaction, all or nothing. */
export async function publishVideo(pool: Pool, facts: PublishedFacts): Promise<void> {
  const packed = packMoments(facts.moments);
  await inTransaction(pool, async (db) => {
    await db.query(sql`
      insert into moments (video_id, body, word_starts, moment_count)
      values (${facts.videoId}, ${packed.body}, ${packed.wordStarts}, ${facts.moments.length})
      on conflict (video_id) do update
        set body = excluded.body, word_starts = excluded.word_starts, moment_count = excluded.moment_count`);
    await db.query(sql`
      update videos
         set state = 'Processed', duration_seconds = ${facts.durationInSeconds}, width = ${facts.width}, height = ${facts.height},
             has_video = ${facts.hasVideo}, has_audio = ${facts.hasAudio}, streaming_preset = ${facts.streamingPreset},
             processing_percent = 100, failure_code = null, failure_message = null,
             published_at = coalesce(published_at, now()), modified_at = now(), revision = revision + 1
       where id = ${facts.videoId}`);
    await db.query(sql`select pg_notify('videos_to_index', ${facts.videoId})`);
  });
}
