import { randomUUID } from 'node:crypto';
import type { ForgottenPerson } from '#contract/corrections.ts';
import { Problem } from '#contract/problem.ts';
import { tellBackups } from '../../backup/tell-backups.ts';
import { advisoryLocks } from '../../db/advisory-locks.ts';
import { type Db, directOf, inTransaction, type Pool } from '../../db/database.ts';
import { type Statement, sql } from '../../db/sql.ts';
import { addKeptErasures, findErasureRows, readKeptErasures } from '../../files/kept-erasures.ts';
import type { ArchiveFiles } from '../../files/open-archive-files.ts';
import { isVideoId, toVideoKeys } from '../../files/video-keys.ts';
import { clearCorrections } from '../../moments/corrections.ts';
import { Erasure, findErasures, isForgottenName } from '../../moments/erasures.ts';
import { faceMarkOf } from '../../moments/faces.ts';
import { clearLayers, findLayers } from '../../moments/layers.ts';
import type { NamedFace } from '../../moments/name-faces.ts';
import { holdsMarkedName, isMarkedName, markName, type NameMark } from '../../moments/name-mark.ts';
import { besideOthersMs, TimeSlice } from '../../scheduling/time-slice.ts';
import { recordFilmActivity } from '../../users/audit.ts';
import { drawTitle } from '../desk/poster.ts';
import type { FilmArchive } from '../film-archive.ts';
import { giveLayers } from '../give-layers.ts';
import { lockVideo, recomposeVideo, requireLock } from '../recompose-video.ts';
import { dropPieces } from '../step-pieces.ts';
import { noteForgetting } from './index-forgets.ts';
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
 * Forgets a person for good: the groups of faces that are theirs with their pictures, their name as a person, the corrections by which people named
 * them, and the texts of the audit; and keeps, by when and where they were seen and a mark of the name, that no other look at the film, no import
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
  await requireLock(db, videoId);
  const isNamed = mark === null ? await isPersonOf(db, videoId, name) : await isFaceNamed(db, videoId, { mark, name });
  if (everywhere && !isNamed) throw new Problem('invalid_parameter', 'This face has no name: it can only be forgotten in this video.');
  const nameMark = isNamed ? markName(name) : null;
  const isTheirs = (one: NamedFace) => faceMarkOf(one) === mark || (one.isNamed && nameMark !== null && isMarkedName(one.name, nameMark));
  const videoIds = everywhere && nameMark ? await findFilmsNaming(db, nameMark) : [videoId];
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
  const face = (await findFaces(db, videoId)).find((one) => faceMarkOf(one) === mark);
  if (!face) throw new Problem('not_found', 'There is no such face: the video may have been analysed again.');
  if (face.name !== name) throw new Problem('version_mismatch', `Someone else has named this face: it is “${face.name}” now.`);
  return face.isNamed;
}

async function isPersonOf(db: Db, videoId: string, name: string): Promise<true> {
  const { rowCount } = await db.query(sql`select from videos where id = ${videoId} and ${name} = any (people)`);
  if (rowCount === 1) return true;
  throw new Problem('not_found', 'This video names nobody of that name.');
}

/** Films in which somebody gave this name to a face, whether that counts still or not. */
async function findFilmsNaming(db: Db, nameMark: NameMark): Promise<string[]> {
  const said = sql`corrections where kind = 'Person' and says is not null`;
  const names = await textsAmong(db, sql`(select says as text from ${said}) as named`, (text) => isMarkedName(text, nameMark));
  const { rows } = await db.query<{ id: string }>(sql`select distinct video_id as id from ${said} and says = any (${names}::text[])`);
  return rows.map(({ id }) => id).toSorted();
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
      `A worker is looking for faces in “${film.name}”. Wait until it has finished, or cancel its step “People”.`,
    );
}

type Archive = Pick<FilmArchive, 'pool' | 'folder' | 'store'>;

/**
 * Makes everybody who was forgotten gone from an archive, also where its database was restored, or went back to an earlier state, since:
 * the data folder remembers what the database may not. To be called before anything is served or worked on; ended at any moment, it is
 * done again by the next call. Does nothing where nothing is to be done.
 */
export async function applyErasures({ pool: asked, folder, store }: Archive): Promise<void> {
  // All films are looked through, and whoever does the same is waited for.
  const pool = directOf(asked);
  await inTransaction(pool, async (db) => {
    // One at a time: of two who write the file at once, one would write what the other had not.
    await db.query(sql`select pg_advisory_xact_lock(${advisoryLocks.keepingErasures})`);
    await takeInKept(db, await readKeptErasures(folder.root));
    await addKeptErasures(folder.root, await findErasureRows(db));
  });
  const pending = await findPending(pool);
  if (pending.length === 0) return;
  // Whoever wrote down names before these were noted has ended then, and is found.
  await inTransaction(pool, (db) => db.query(sql`select pg_advisory_xact_lock(${advisoryLocks.namingPeople})`));
  for (const videoId of await findFilmsOf(pool, pending)) await clearFilm({ pool, store }, videoId);
  await inTransaction(pool, async (db) => {
    await clearTexts(db, pending);
    await db.query(sql`update erasures set applied_at = now() where id = any (${pending.map(({ id }) => id)}::uuid[])`);
    // Old versions of the index hold their names until it is built anew.
    await noteForgetting(db);
  });
}

/** Lets the transaction of `db` delete what is kept otherwise. */
async function beginForgetting(db: Db): Promise<void> {
  await db.query(sql`select set_config('rushes.forgets', 'on', true)`);
}

async function takeInKept(db: Db, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  await db.query(sql`
    insert into erasures (id, video_id, name_mark, tracks, made_by, made_at)
    select id, video_id, name_mark, tracks, made_by, made_at
      from jsonb_populate_recordset(null::erasures, ${JSON.stringify(rows)}::jsonb)
        on conflict (id) do nothing`);
}

async function findPending(pool: Pool): Promise<Erasure[]> {
  const { rows } = await pool.query(sql`
    select id, video_id as "videoId", name_mark as "nameMark", tracks from erasures where applied_at is null order by made_at, id`);
  return rows.map((row) => Erasure.parse(row));
}

/** The films that hold anything of somebody who was forgotten, in the order in which they are locked. */
async function findFilmsOf(pool: Pool, erasures: readonly Erasure[]): Promise<string[]> {
  const films = new Set(erasures.flatMap(({ videoId }) => videoId ?? []));
  const everywhere = erasures.filter(({ videoId }) => videoId === null);
  if (everywhere.length > 0) {
    const names = sql`
      select id, unnest(people) as text from videos
       union
      select video_id, unnest(array[says, replaces]) from corrections where kind not in ('Transcript', 'Ocr')
       union
      select video_id, jsonb_path_query(lines, '$.*[*].speaker') #>> '{}' from corrections where lines is not null`;
    await inTransaction(pool, async (db) => {
      const held = await textsAmong(db, sql`(${names}) as named`, (text) => holdsAnyName(text, everywhere));
      if (held.length === 0) return;
      const { rows } = await db.query<{ id: string }>(sql`select distinct id from (${names}) as named where text = any (${held}::text[])`);
      for (const { id } of rows) films.add(id);
    });
  }
  return [...films].filter(isVideoId).toSorted();
}

/** Takes everybody who was forgotten out of a film; their pictures first, so that none is left of somebody whom no row tells of. */
async function clearFilm({ pool, store }: Pick<Archive, 'pool' | 'store'>, videoId: string): Promise<void> {
  await inTransaction(pool, async (db) => {
    if (!(await lockVideo(db, videoId))) return;
    await beginForgetting(db);
    // What it says without layers yet would come back with them.
    await giveLayers(db, [videoId]);
    await clearLayers(db, videoId);
    const layers = await findLayers(db, videoId);
    await removePictures(store, videoId, new Set(layers.flatMap((layer) => (layer.name === 'faces' ? layer.groups : [])).map(faceMarkOf)));
    const erasures = await findErasures(db, [videoId]);
    const otherNames = await clearCorrections(db, videoId, erasures);
    await db.query(sql`update audit set detail = '' where video_id = ${videoId} and detail <> '' and detail = any (${otherNames}::text[])`);
    await db.query(sql`update audit set before = '' where video_id = ${videoId} and before <> '' and before = any (${otherNames}::text[])`);
    // What tells one face from another is found anew where it is needed.
    await dropPieces(db, videoId, 'people');
    const isDescribed = layers.some(({ name }) => name === 'catalogue');
    if (isDescribed) await recomposeVideo(db, videoId);
    else await clearPeople(db, videoId, erasures);
    // A title that named them may be the picture of the film. Whoever ends before this does has cleared nothing, and begins again.
    await drawTitle(db, store, videoId);
  });
}

/** Deletes the pictures of all faces but these, for good, and all that the trash holds of earlier ones. */
async function removePictures(store: ArchiveFiles['store'], videoId: string, kept: ReadonlySet<string>): Promise<void> {
  const { faces } = toVideoKeys(videoId);
  for (const { name, key } of await store.trash.list(videoId))
    if (key === faces || key.startsWith(`${faces}/`)) await store.trash.purge(name);
  for (const { key } of await Array.fromAsync(store.list(faces)))
    if (!kept.has(/([0-9a-f]+)\.jpg$/.exec(key)?.[1] ?? '')) await store.erase(key);
}

/** A film that has only come in has no layers yet. */
async function clearPeople(db: Db, videoId: string, erasures: readonly Erasure[]): Promise<void> {
  const { rows } = await db.query<{ people: string[] }>(sql`select people from videos where id = ${videoId}`);
  const people = (rows[0]?.people ?? []).filter((name) => !isForgottenName(name, erasures));
  await db.query(sql`update videos set people = ${people} where id = ${videoId}`);
}

/** Blanks names in what was written down of films, and forgets who looked for them in vain. */
async function clearTexts(db: Db, erasures: readonly Erasure[]): Promise<void> {
  await beginForgetting(db);
  for (const [videoId, ofFilm] of Map.groupBy(erasures, (erasure) => erasure.videoId)) {
    const written = videoId === null ? sql`video_id is not null` : sql`video_id = ${videoId}`;
    const texts = sql`(select unnest(array[before, detail, video_name]) as text from audit where ${written}) as said`;
    const held = await textsAmong(db, texts, (text) => holdsAnyName(text, ofFilm));
    if (held.length > 0)
      await db.query(sql`
        with held as materialized (select unnest(${held}::text[]) as text)
        update audit
           set before = case when before in (select text from held) then '' else before end,
               detail = case when detail in (select text from held) then '' else detail end,
               video_name = case when video_name in (select text from held) then '' else video_name end
         where ${written} and (before in (select text from held) or detail in (select text from held) or video_name in (select text from held))`);
    await clearReasons(db, written, ofFilm);
    if (videoId === null) await clearUnfound(db, ofFilm);
  }
}

/** Why films are kept back or were deleted is in the words of editors. */
async function clearReasons(db: Db, written: Statement, erasures: readonly Erasure[]): Promise<void> {
  for (const table of [sql`film_visibility`, sql`deletions`]) {
    const texts = sql`(select reason as text from ${table} where ${written}) as said`;
    const held = await textsAmong(db, texts, (text) => holdsAnyName(text, erasures));
    if (held.length > 0) await db.query(sql`update ${table} set reason = '' where ${written} and reason = any (${held}::text[])`);
  }
}

async function clearUnfound(db: Db, erasures: readonly Erasure[]): Promise<void> {
  const held = await textsAmong(db, sql`unfound_queries`, (text) => holdsAnyName(text, erasures));
  await db.query(sql`delete from unfound_queries where text = any (${held}::text[])`);
}

function holdsAnyName(text: string, erasures: readonly Erasure[]): boolean {
  return erasures.some(({ nameMark }) => nameMark !== null && holdsMarkedName(text, nameMark));
}

const textsAtOnce = 1_000;

/**
 * The texts of a column `text` that are meant, each once. To tell it takes a hash of every few words of each, of all that an archive ever
 * wrote down: other work goes on meanwhile.
 */
async function textsAmong(db: Db, from: Statement, isMeant: (text: string) => boolean): Promise<string[]> {
  await db.query(sql`declare texts_to_look_at no scroll cursor for select distinct text from ${from} where text <> ''`);
  const meant: string[] = [];
  const slice = new TimeSlice(besideOthersMs);
  for (;;) {
    const { rows } = await db.query<{ text: string }>(`fetch ${textsAtOnce} from texts_to_look_at`);
    for (const { text } of rows) {
      if (isMeant(text)) meant.push(text);
      if (slice.isOver) await slice.next();
    }
    if (rows.length < textsAtOnce) break;
  }
  await db.query('close texts_to_look_at');
  return meant;
}
