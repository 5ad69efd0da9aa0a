import { readFact } from '../db/archive-facts.ts';
import { type Db, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { type Composition, compose } from '../moments/compose.ts';
import { findCorrections } from '../moments/corrections.ts';
import { faceMarkOf } from '../moments/faces.ts';
import { findLayers, type Layer, type Maker, replaceLayers } from '../moments/layers.ts';
import { type NamedFace, nameFaces } from '../moments/name-faces.ts';
import { writePackedRows } from '../moments/write-packed-rows.ts';
import { giveLayers } from './give-layers.ts';
import { isRunning } from './record-step.ts';
import { makeNoVideoProblem } from './video.ts';

/**
 * Makes the video say what its layers and corrections come to now, within the transaction of `db`, which holds the video by `lockVideo`.
 * Search hears of it when that is something else than before.
 */
export async function recomposeVideo(db: Db, videoId: string): Promise<void> {
  await giveLayers(db, [videoId]);
  const [layers, corrections] = [await findLayers(db, videoId), await findCorrections(db, videoId)];
  await dropNameless(
    db,
    videoId,
    nameFaces(
      layers.flatMap((layer) => (layer.name === 'faces' ? layer.groups : [])),
      corrections,
    ).faces,
  );
  const composed = withoutHidden(compose(layers, corrections, await findEndMs(db, videoId)), await hidesRoughSpeech(db));
  const hasOtherMoments = (await writePackedRows(db, new Map([[videoId, composed.moments]]))).length > 0;
  await writeFacts(db, videoId, { composed, hasOtherMoments });
}

/** When a published film ends, in milliseconds; infinity for one of which that is not known. */
export async function findEndMs(db: Db, videoId: string): Promise<number> {
  const { rows } = await db.query<{ endMs: number }>(sql`
    select (duration_seconds * 1000)::float8 as "endMs" from videos
     where id = ${videoId} and origin = 'file' and state = 'Processed' and duration_seconds > 0`);
  return rows[0]?.endMs ?? Number.POSITIVE_INFINITY;
}

/** Rough speech is left out where an administrator hides it; lines that somebody has looked at are not rough any more. */
function withoutHidden(composed: Composition, hidesRough: boolean): Composition {
  return hidesRough ? { ...composed, moments: composed.moments.filter(({ isRough }) => !isRough) } : composed;
}

/** Whether an administrator hides what a recogniser heard that is mostly wrong. */
export async function hidesRoughSpeech(db: Db): Promise<boolean> {
  return (await readFact(db, 'rough_speech')) === 'hidden';
}

/** Only of faces that somebody named is anything kept that tells them from others. */
async function dropNameless(db: Db, videoId: string, faces: readonly NamedFace[]): Promise<void> {
  const named = faces.filter(({ isNamed }) => isNamed).map(faceMarkOf);
  await db.query(sql`delete from known_faces where video_id = ${videoId} and mark <> all (${named}::text[])`);
}

/** Keeps others from changing what the video says until the transaction of `db` ends; false when there is no such video. */
export async function lockVideo(db: Db, videoId: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`select from videos where id = ${videoId} for update`);
  return rowCount === 1;
}

/** The same for what somebody wants of it. Throws a Problem when there is no such video. */
export async function requireLock(db: Db, videoId: string): Promise<void> {
  if (!(await lockVideo(db, videoId))) throw makeNoVideoProblem();
}

async function writeFacts(
  db: Db,
  videoId: string,
  { composed: { facts, people, labels, brands }, hasOtherMoments }: { composed: Composition; hasOtherMoments: boolean },
): Promise<void> {
  if (!facts) throw new Error(`video ${videoId} has no layer that says what it is called`);
  const { name, externalId, description, owner, recordedAt, place, language, rights } = facts;
  await db.query(sql`
    with changed as (
      update videos v
         set name = n.name, external_id = n.external_id, description = n.description, owner = n.owner, recorded_at = n.recorded_at,
             place = n.place, language = n.language, rights = n.rights, people = n.people, labels = n.labels, brands = n.brands,
             revision = revision + 1, modified_at = now()
        from (select ${name}::text as name, ${externalId}::text as external_id, ${description}::text as description,
                     ${owner}::text as owner, ${recordedAt}::text as recorded_at, ${place}::text as place, ${language}::text as language,
                     ${rights}::text as rights, ${people}::text[] as people, ${labels}::text[] as labels, ${brands}::text[] as brands) n
       where v.id = ${videoId}
         and (${hasOtherMoments}
              or (v.name, v.external_id, v.description, v.owner, v.recorded_at, v.place, v.language, v.rights, v.people, v.labels, v.brands)
                 is distinct from (n.name, n.external_id, n.description, n.owner, n.recorded_at, n.place, n.language, n.rights,
                                   n.people, n.labels, n.brands))
      returning v.id, v.state)
    select pg_notify('videos_to_index', id) from changed where state = 'Processed'`);
}

/**
 * Puts what a step found in the place of all that it found of the video before, and makes the video say so, in one transaction. Layers of
 * others and corrections stay as they are. A video that is gone by now stays gone.
 */
export async function publishLayers(
  pool: Pool,
  videoId: string,
  made: Maker & { readonly layers: readonly Layer[]; readonly onlyWhileRunning?: boolean },
): Promise<void> {
  await inTransaction(pool, async (db) => {
    if (!(await lockVideo(db, videoId))) return;
    // Whoever cancelled the step was told that what it found before stays.
    if (made.onlyWhileRunning && !(await isRunning(db, videoId, made.madeBy))) return;
    // What it says without layers yet would be taken for this step's otherwise.
    await giveLayers(db, [videoId]);
    await replaceLayers(db, videoId, made);
    await recomposeVideo(db, videoId);
  });
}
