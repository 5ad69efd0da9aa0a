import { randomUUID } from 'node:crypto';
import type { ForgottenPerson } from '#contract/corrections.ts';
import { Problem } from '#contract/problem.ts';
import { tellBackups } from '../../backup/tell-backups.ts';
import { type Db, inTransaction, type Pool } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { ArchiveFiles } from '../../files/open-archive-files.ts';
import type { Erasure } from '../../moments/erasures.ts';
import { faceMark } from '../../moments/faces.ts';
import type { NamedFace } from '../../moments/name-faces.ts';
import { isMarkedName, markName } from '../../moments/name-mark.ts';
import { recordFilmActivity } from '../../users/audit.ts';
import { lockVideo } from '../recompose-video.ts';
import { applyErasures } from './apply-erasures.ts';
import { findFaces } from './name-person.ts';

export interface Forgetting {
  readonly videoId: string;
  /** Of the face, as it was found last; null for somebody whom the film names and no face shows. */
  readonly mark: string | null;
  /** What they were called when the administrator saw it. */
  readonly name: string;
  /** Whether this name is forgotten in every film, with every face that has it. */
  readonly everywhere: boolean;
  readonly actorUid: string;
  readonly from: string;
}

/**
 * Forgets a person for good: the groups of faces that are theirs with their pictures, their name as a person, the corrections that say it
 * and the texts of the audit; and keeps, by when and where they were seen and a mark of the name, that no other look at the film, no import
 * and no restore brings them back. Once it is noted, a call that was cut off is ended by the next start. Throws a Problem for a face or name that is
 * not there or has another name by now, for somebody unnamed in every film, and while a worker looks for faces in one of the films.
 */
export async function forgetPerson(archive: ArchiveFiles & { pool: Pool }, forgetting: Forgetting): Promise<ForgottenPerson> {
  const films = await inTransaction(archive.pool, (db) => noteErasures(db, forgetting));
  await applyErasures(archive);
  return { films, untoldBackups: await tellBackups(archive.pool) };
}

/** Returns in how many films their face is known. */
async function noteErasures(db: Db, { videoId, mark, name, everywhere, actorUid, from }: Forgetting): Promise<number> {
  if (!(await lockVideo(db, videoId))) throw new Problem('not_found', 'There is no such video.');
  const isNamed = mark === null ? await isPersonOf(db, videoId, name) : await isFaceNamed(db, videoId, { mark, name });
  if (everywhere && !isNamed) throw new Problem('invalid_parameter', 'Nobody has named this face: it can be forgotten in this film only.');
  const nameMark = isNamed ? markName(name) : null;
  const isTheirs = (one: NamedFace) => faceMark(one) === mark || (one.isNamed && nameMark !== null && isMarkedName(one.name, nameMark));
  const videoIds = everywhere ? await findFilmsNaming(db, (said) => nameMark !== null && isMarkedName(said, nameMark)) : [videoId];
  await refuseWhileLookedAt(db, videoIds);
  const noted: Omit<Erasure, 'id'>[] = everywhere ? [{ videoId: null, nameMark, tracks: [] }] : [];
  for (const id of videoIds) {
    const tracks = (await findFaces(db, id)).filter(isTheirs).flatMap((one) => one.tracks);
    if (tracks.length > 0) noted.push({ videoId: id, nameMark, tracks });
  }
  if (noted.length === 0) noted.push({ videoId, nameMark, tracks: [] });
  for (const one of noted)
    await db.query(sql`
      insert into erasures (id, video_id, name_mark, tracks, made_by, made_at)
      values (${randomUUID()}, ${one.videoId}, ${one.nameMark && JSON.stringify(one.nameMark)}::jsonb, ${JSON.stringify(one.tracks)}::jsonb,
              ${actorUid}, now())`);
  await recordFilmActivity(db, { action: 'person-forgotten', actorUid, videoId, before: '', detail: '', from });
  return noted.filter(({ tracks }) => tracks.length > 0).length;
}

async function isFaceNamed(db: Db, videoId: string, { mark, name }: { mark: string; name: string }): Promise<boolean> {
  const face = (await findFaces(db, videoId)).find((one) => faceMark(one) === mark);
  if (!face) throw new Problem('not_found', 'There is no such face: the film may have been looked at anew.');
  if (face.name !== name) throw new Problem('version_mismatch', `Somebody named this face meanwhile: it is “${face.name}” now.`);
  return face.isNamed;
}

async function isPersonOf(db: Db, videoId: string, name: string): Promise<true> {
  const { rowCount } = await db.query(sql`select from videos where id = ${videoId} and ${name} = any (people)`);
  if (rowCount === 1) return true;
  throw new Problem('not_found', 'The film names nobody like that.');
}

/** Films in which somebody gave this name to a face, whether that counts still or not. */
async function findFilmsNaming(db: Db, isName: (said: string) => boolean): Promise<string[]> {
  const { rows } = await db.query<{ videoId: string; says: string }>(sql`
    select distinct video_id as "videoId", says from corrections where kind = 'Person' and says is not null`);
  return [...new Set(rows.filter(({ says }) => isName(says)).map((row) => row.videoId))].toSorted();
}

/** A worker that is looking would put pictures of them into the store after they were forgotten. */
async function refuseWhileLookedAt(db: Db, videoIds: readonly string[]): Promise<void> {
  const { rows } = await db.query<{ name: string }>(sql`
    select v.name from ingest_steps i join videos v on v.id = i.video_id
     where i.video_id = any (${videoIds}::text[]) and i.step = 'people' and i.state = 'running'`);
  const [film] = rows;
  if (film)
    throw new Problem(
      'conflict',
      `A worker is looking for faces in “${film.name}” right now. Wait until it has, or cancel its step “people”.`,
    );
}
