import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { isVideoId } from '../files/video-keys.ts';
import { cleanText } from './clean-text.ts';
import { makeNoVideoProblem, type Video, videoColumns } from './video.ts';
import { isHiddenFrom, type Sight } from './visibility.ts';

/** The videos with these ids that exist, in the order of the ids. */
export async function findVideos(db: Db, ids: readonly string[]): Promise<Video[]> {
  if (ids.length === 0) return [];
  const statement = sql`
    select ${videoColumns}
      from unnest(${ids}::text[]) with ordinality as wanted (id, rank)
     cross join lateral (select * from videos where id = wanted.id limit 1) v
     order by wanted.rank`;
  // Named: every suggestion and every page of a video asks it, so it is read once per connection. Lateral, so that it goes by key.
  const { rows } = await db.query<Video>({ name: 'videos-by-id', ...statement });
  return rows;
}

/** The processed video with this id that somebody with this sight is shown; undefined for any other, whatever the id may be. */
export async function findShownVideo(db: Db, id: string, sight: Sight): Promise<Video | undefined> {
  const [video] = isVideoId(id) ? await findVideos(db, [id]) : [];
  return video?.state === 'Processed' && !(await isHiddenFrom(db, id, sight)) ? video : undefined;
}

/** The same. Throws a Problem for any other. */
export async function requireShownVideo(db: Db, id: string, sight: Sight): Promise<Video> {
  const video = await findShownVideo(db, id, sight);
  if (!video) throw makeNoVideoProblem();
  return video;
}

/** The video with this id in whatever state; undefined where there is none and for one that is deleted, whatever the id may be. */
export async function findKnownVideo(db: Db, id: string): Promise<Video | undefined> {
  const [video] = isVideoId(id) ? await findVideos(db, [id]) : [];
  return video?.state === 'Quarantined' ? undefined : video;
}

/** The same. Throws a Problem for any other. */
export async function requireKnownVideo(db: Db, id: string): Promise<Video> {
  const video = await findKnownVideo(db, id);
  if (!video) throw makeNoVideoProblem();
  return video;
}

/** The ids of the films in whatever state that bear this external id; of none that is deleted. */
export async function findByExternalId(db: Db, externalId: string): Promise<string[]> {
  if (externalId === '') return [];
  const { rows } = await db.query<{ id: string }>(sql`
    select id from videos where external_id = ${externalId} and state <> 'Quarantined' order by created_at`);
  return rows.map(({ id }) => id);
}

const lengthMax = 100;

/** What these videos are called, by id, fit to be printed to a terminal. */
export async function namesOfVideos(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; name: string }>(sql`select id, name from videos where id = any (${[...ids]}::text[])`);
  return new Map(rows.map(({ id, name }) => [id, cleanText(name, lengthMax)]));
}
