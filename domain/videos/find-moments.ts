import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Moment } from '../moments/moment.ts';
import { type PackedMoments, unpackMoments } from '../moments/packed-moments.ts';

/** Every moment of one video in order of time; none for a video that nothing is known of. */
export async function findMoments(db: Db, videoId: string): Promise<Moment[]> {
  const { rows } = await db.query<PackedMoments>(sql`
    select body, word_starts as "wordStarts", engines from moments where video_id = ${videoId}`);
  return unpackMoments(rows[0]?.body ?? '', rows[0]);
}
