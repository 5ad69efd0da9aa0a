import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { packedBody } from '../moments/packed-row.ts';
import { isPlayable } from '../videos/video.ts';
import type { VideoToIndex } from './index-row.ts';

/** Public videos that the index has not caught up with, oldest publication first; `isIndexed`: it holds them as they were. */
export async function findVideosToIndex(db: Db, { limit }: { limit: number }): Promise<(VideoToIndex & { isIndexed: boolean })[]> {
  const { rows } = await db.query<VideoToIndex & { isIndexed: boolean }>(sql`
    select v.id, v.revision, v.language, v.name, v.description, v.place, v.recorded_at as "recordedAt", v.owner, v.people, v.brands, v.labels,
           v.created_at as "createdAt", v.published_at as "publishedAt", ${packedBody} as body,
           ${isPlayable} as "isPlayable",
           v.indexed_revision >= 0 as "isIndexed"
      from (select * from videos where state = 'Processed' and indexed_revision <> revision order by published_at, id limit ${limit}) v
     order by v.published_at, v.id`);
  return rows;
}

/** Public videos after `afterId` in order of their ids, caught up with or not. */
export async function findVideosAfter(db: Db, { afterId, limit }: { afterId: string; limit: number }): Promise<VideoToIndex[]> {
  const { rows } = await db.query<VideoToIndex>(sql`
    select v.id, v.revision, v.language, v.name, v.description, v.place, v.recorded_at as "recordedAt", v.owner, v.people, v.brands, v.labels,
           v.created_at as "createdAt", v.published_at as "publishedAt", ${packedBody} as body,
           ${isPlayable} as "isPlayable"
      from (select * from videos where state = 'Processed' and id > ${afterId} order by id limit ${limit}) v
     order by v.id`);
  return rows;
}

/** How many videos the index should hold. */
export async function countPublicVideos(db: Db): Promise<number> {
  const { rows } = await db.query<{ n: number }>(sql`select count(*) as n from videos where state = 'Processed'`);
  return rows[0]?.n ?? 0;
}

/** How many videos the index holds, by the database: at least those it has caught up with, at most those it has ever taken in. */
export async function countIndexedVideos(db: Db): Promise<{ atLeast: number; atMost: number }> {
  const { rows } = await db.query<{ atLeast: number; atMost: number }>(sql`
    select count(*) filter (where indexed_revision = revision) as "atLeast",
           count(*) filter (where indexed_revision >= 0) + (select count(*) from index_removals) as "atMost"
      from videos where state = 'Processed'`);
  return rows[0] ?? { atLeast: 0, atMost: 0 };
}

/** A video that was deleted or withdrawn, and how often since the index last took that in. */
export interface IndexRemoval {
  readonly id: string;
  readonly times: number;
}

/** Videos that were deleted or withdrawn and may still stand in the index. */
export async function findIndexRemovals(db: Db, { limit }: { limit: number }): Promise<IndexRemoval[]> {
  const { rows } = await db.query<IndexRemoval>(sql`select video_id as id, times from index_removals order by video_id limit ${limit}`);
  return rows;
}

/** Videos that the index has yet to take in or to drop: what it holds of them may be out of date. */
export async function findPending(db: Db): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(sql`
    select id from videos where state = 'Processed' and indexed_revision <> revision
     union
    select video_id from index_removals`);
  return new Set(rows.map(({ id }) => id));
}

/** Whether the index has anything to catch up with. */
export async function indexIsBehind(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ behind: boolean }>(sql`
    select exists (select from videos where state = 'Processed' and indexed_revision <> revision)
        or exists (select from index_removals) as behind`);
  return rows[0]?.behind ?? false;
}

/** Notes that the index holds these revisions, and that these videos have left it. */
export async function recordIndexed(
  db: Db,
  done: { videos: readonly { id: string; revision: number }[]; removed: readonly IndexRemoval[] },
): Promise<void> {
  await db.query(sql`
    update videos v set indexed_revision = done.revision
      from unnest(${done.videos.map(({ id }) => id)}::text[], ${done.videos.map(({ revision }) => revision)}::bigint[]) as done (id, revision)
     where v.id = done.id`);
  await db.query(sql`
    update videos set indexed_revision = -1
     where id = any(${done.removed.map(({ id }) => id)}) and not (id = any(${done.videos.map(({ id }) => id)}))`);
  // What left once more in the meantime stays noted.
  await db.query(sql`
    delete from index_removals noted
     using unnest(${done.removed.map(({ id }) => id)}::text[], ${done.removed.map(({ times }) => times)}::bigint[]) as done (id, times)
     where noted.video_id = done.id and noted.times = done.times`);
}
