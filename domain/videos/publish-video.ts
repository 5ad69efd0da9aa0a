import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { namesLayers } from '../moments/layers.ts';
import { lockVideo, recomposeVideo } from './recompose-video.ts';

export interface PublishedFacts {
  readonly videoId: string;
  readonly durationInSeconds: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
  readonly streamingPreset: 'SingleBitrate' | 'AdaptiveBitrate' | 'NoStreaming';
}

/** Makes a video public to search and player: its facts, and with them all that its layers come to, at once. One that was deleted meanwhile stays so. */
export async function publishVideo(pool: Pool, facts: PublishedFacts): Promise<void> {
  await inTransaction(pool, async (db) => {
    await lockVideo(db, facts.videoId);
    const { rowCount } = await db.query(sql`
      with published as (
        update videos
           set state = 'Processed', duration_seconds = ${facts.durationInSeconds}, width = ${facts.width}, height = ${facts.height},
               has_video = ${facts.hasVideo}, has_audio = ${facts.hasAudio}, streaming_preset = ${facts.streamingPreset},
               processing_percent = 100, failure_code = null, failure_message = null,
               published_at = coalesce(published_at, now()), modified_at = now(), revision = revision + 1
         where id = ${facts.videoId} and state <> 'Quarantined'
        returning id)
      select pg_notify('videos_to_index', id) from published`);
    // It may end before somebody is placed in it.
    if (rowCount === 1 && (await namesSomebody(db, facts.videoId))) await recomposeVideo(db, facts.videoId);
  });
}

async function namesSomebody(db: Db, videoId: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`select from layers where video_id = ${videoId} and name = any (${[...namesLayers]}::text[])`);
  return (rowCount ?? 0) > 0;
}

/** How long a film on its way seems to be, for those who wait for it; a published one keeps the length that players see. */
export async function noteLength(db: Db, videoId: string, durationInSeconds: number): Promise<void> {
  await db.query(sql`update videos set duration_seconds = ${durationInSeconds} where id = ${videoId} and state <> 'Processed'`);
}
