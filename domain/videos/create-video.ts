import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Video } from './video.ts';

type KnownAtFirst = 'id' | 'name' | 'externalId' | 'description' | 'owner' | 'recordedAt' | 'place' | 'language' | 'rights';

/** What is known of footage before it is analysed. */
export interface NewVideo extends Pick<Video, KnownAtFirst | 'people' | 'labels' | 'brands'> {
  readonly contentHash: string;
  readonly fileName: string;
  readonly sizeBytes: number;
}

/** Adds footage that waits for its analysis. One that failed before begins anew. Returns false when its content is in the archive already. */
export async function createVideo(db: Db, video: NewVideo): Promise<boolean> {
  await db.query(sql`delete from videos where content_hash = ${video.contentHash} and state = 'Failed'`);
  const { rowCount } = await db.query(sql`
    insert into videos (id, state, name, external_id, description, owner, recorded_at, place, language, rights,
                        people, labels, brands, origin, content_hash, file_name, size_bytes)
    values (${video.id}, 'Uploaded', ${video.name}, ${video.externalId}, ${video.description}, ${video.owner}, ${video.recordedAt},
            ${video.place}, ${video.language}, ${video.rights}, ${video.people}, ${video.labels}, ${video.brands}, 'file',
            ${video.contentHash}, ${video.fileName}, ${video.sizeBytes})
    on conflict (content_hash) do nothing`);
  return rowCount === 1;
}

/** The id of the video whose original has this content, unless the archive lacks it or gave it up. */
export async function findByContentHash(db: Db, contentHash: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(sql`select id from videos where content_hash = ${contentHash} and state <> 'Failed'`);
  return rows[0]?.id;
}

/** A video that failed, with this content: what could not be done may succeed in another try. */
export async function findFailedByContentHash(db: Db, contentHash: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(sql`select id from videos where content_hash = ${contentHash} and state = 'Failed'`);
  return rows[0]?.id;
}
