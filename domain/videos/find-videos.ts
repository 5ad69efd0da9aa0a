import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { isVideoId } from '../files/video-keys.ts';
import { cleanText } from './clean-text.ts';
import type { Video } from './video.ts';
import { isHiddenFrom, type Sight } from './visibility.ts';

/** The videos with these ids that exist, in the order of the ids. */
export async function findVideos(db: Db, ids: readonly string[]): Promise<Video[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<Video>(sql`
    select v.id, v.state, v.name, v.external_id as "externalId", v.description, v.owner, v.recorded_at as "recordedAt",
           v.place, v.language, v.rights, v.people, v.labels, v.brands, v.origin,
           v.duration_seconds as "durationInSeconds", v.width, v.height, v.has_video as "hasVideo", v.has_audio as "hasAudio",
           v.streaming_preset as "streamingPreset", v.failure_code as "failureCode", v.failure_message as "failureMessage",
           v.processing_percent as "processingPercent", v.views, v.poster_ms as "posterMs", v.poster_version as "posterVersion",
           v.created_at as "createdAt", v.modified_at as "modifiedAt", v.published_at as "publishedAt"
      from unnest(${ids}::text[]) with ordinality as wanted (id, rank)
      join videos v using (id)
     order by wanted.rank`);
  return rows;
}

/** The processed video with this id that somebody with this sight is shown; undefined for any other, whatever the id may be. */
export async function findShownVideo(db: Db, id: string, sight: Sight): Promise<Video | undefined> {
  const [video] = isVideoId(id) ? await findVideos(db, [id]) : [];
  return video?.state === 'Processed' && !(await isHiddenFrom(db, id, sight)) ? video : undefined;
}

const lengthMax = 100;

/** What these videos are called, by id, fit to be printed to a terminal. */
export async function namesOfVideos(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; name: string }>(sql`select id, name from videos where id = any (${[...ids]}::text[])`);
  return new Map(rows.map(({ id, name }) => [id, cleanText(name, lengthMax)]));
}
