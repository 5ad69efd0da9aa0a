import { z } from 'zod';
import { advisoryLocks } from '../db/advisory-locks.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { clearestTrackOf, type FaceGroup, FaceTrack, isSameTrack } from './faces.ts';
import { isMarkedName, NameMark } from './name-mark.ts';

/** What keeps somebody who was forgotten out of a film, or a name out of every film. */
export const Erasure = z.object({
  id: z.guid(),
  /** Null for every film. */
  videoId: z.string().nullable(),
  nameMark: NameMark.nullable(),
  tracks: z.array(FaceTrack),
});
export type Erasure = z.infer<typeof Erasure>;

/**
 * The erasures that are about these films, with those that are about every film; oldest first. Until the transaction of `db` has ended, nobody
 * who is forgotten meanwhile is looked for: what it writes by these is found then.
 */
export async function findErasures(db: Db, videoIds: readonly string[]): Promise<Erasure[]> {
  await db.query(sql`select pg_advisory_xact_lock_shared(${advisoryLocks.namingPeople})`);
  const { rows } = await db.query(sql`
    select id, video_id as "videoId", name_mark as "nameMark", tracks from erasures
     where video_id is null or video_id = any (${videoIds}::text[]) order by made_at, id`);
  return rows.map((row) => Erasure.parse(row));
}

/** Whether this name is one that was forgotten. */
export function isForgottenName(name: string, erasures: readonly Erasure[]): boolean {
  return erasures.some(({ nameMark }) => nameMark !== null && isMarkedName(name, nameMark));
}

/** Groups of faces without those who were forgotten: a group whose clearest sighting is theirs goes, another one loses what is theirs. */
export function withoutForgottenFaces<G extends Pick<FaceGroup, 'clearest' | 'tracks'>>(
  groups: readonly G[],
  erasures: readonly Erasure[],
): G[] {
  const forgotten = erasures.flatMap(({ tracks }) => tracks);
  if (forgotten.length === 0) return [...groups];
  return groups.flatMap((group) => {
    const tracks = group.tracks.filter((track) => !forgotten.some((one) => isSameTrack(one, track)));
    const clearest = clearestTrackOf(group);
    return tracks.some((track) => track === clearest) ? [{ ...group, tracks }] : [];
  });
}
