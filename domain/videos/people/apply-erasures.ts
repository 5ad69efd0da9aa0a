import { type Db, directOf, inTransaction, type Pool } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { addKeptErasures, findErasureRows, readKeptErasures } from '../../files/kept-erasures.ts';
import type { ArchiveFiles } from '../../files/open-archive-files.ts';
import { isVideoId, videoKeys } from '../../files/video-keys.ts';
import { clearCorrections } from '../../moments/corrections.ts';
import { Erasure, findErasures, isForgottenName } from '../../moments/erasures.ts';
import { faceMark } from '../../moments/faces.ts';
import { clearLayers, findLayers } from '../../moments/layers.ts';
import { holdsMarkedName, type NameMark } from '../../moments/name-mark.ts';
import { layOut } from '../lay-out.ts';
import { lockVideo, recomposeVideo } from '../recompose-video.ts';
import { dropPieces } from '../step-pieces.ts';

const keepingLock = 728_374_053;

interface Archive extends ArchiveFiles {
  readonly pool: Pool;
}

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
    await db.query(sql`select pg_advisory_xact_lock(${keepingLock})`);
    await takeInKept(db, await readKeptErasures(folder.root));
    await addKeptErasures(folder.root, await findErasureRows(db));
  });
  const pending = await findPending(pool);
  if (pending.length === 0) return;
  for (const videoId of await findFilmsOf(pool, pending)) await clearFilm({ pool, store }, videoId);
  await inTransaction(pool, async (db) => {
    for (const erasure of pending) await clearTexts(db, erasure);
    await db.query(sql`update erasures set applied_at = now() where id = any (${pending.map(({ id }) => id)}::uuid[])`);
    // Old versions of the index hold their names until it is built anew.
    await db.query(sql`
      insert into archive_facts (name, value) values ('index_forgets', now()::text)
      on conflict (name) do update set value = excluded.value`);
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
    const { rows } = await pool.query<{ id: string; name: string }>(sql`
      select id, unnest(people) as name from videos
       union
      select video_id, unnest(array[says, replaces]) from corrections
       union
      select video_id, jsonb_path_query(lines, '$.*[*].speaker') #>> '{}' from corrections where lines is not null`);
    const holds = (name: string | null) => everywhere.some(({ nameMark }) => nameMark && name && holdsMarkedName(name, nameMark));
    for (const { id, name } of rows) if (holds(name)) films.add(id);
  }
  return [...films].filter(isVideoId).toSorted();
}

/** Takes everybody who was forgotten out of a film; their pictures first, so that none is left of somebody whom no row tells of. */
async function clearFilm({ pool, store }: Pick<Archive, 'pool' | 'store'>, videoId: string): Promise<void> {
  await inTransaction(pool, async (db) => {
    if (!(await lockVideo(db, videoId))) return;
    await beginForgetting(db);
    // What it says without layers yet would come back with them.
    await layOut(db, [videoId]);
    await clearLayers(db, videoId);
    const layers = await findLayers(db, videoId);
    await removePictures(store, videoId, new Set(layers.flatMap((layer) => (layer.name === 'faces' ? layer.groups : [])).map(faceMark)));
    const erasures = await findErasures(db, [videoId]);
    const otherNames = await clearCorrections(db, videoId, erasures);
    await db.query(sql`update audit set detail = '' where video_id = ${videoId} and detail <> '' and detail = any (${otherNames}::text[])`);
    await db.query(sql`update audit set before = '' where video_id = ${videoId} and before <> '' and before = any (${otherNames}::text[])`);
    // What tells one face from another is found anew where it is needed.
    await dropPieces(db, videoId, 'people');
    const isDescribed = layers.some(({ name }) => name === 'catalogue');
    if (isDescribed) await recomposeVideo(db, videoId);
    else await clearPeople(db, videoId, erasures);
  });
}

/** Deletes the pictures of all faces but these, for good. */
async function removePictures(store: ArchiveFiles['store'], videoId: string, kept: ReadonlySet<string>): Promise<void> {
  const pictures: string[] = [];
  for await (const { key } of store.list(videoKeys(videoId).faces)) pictures.push(key);
  for (const key of pictures) {
    if (kept.has(/([0-9a-f]+)\.jpg$/.exec(key)?.[1] ?? '')) continue;
    const taken = await store.remove(key, 'forgotten');
    if (taken) await store.trash.purge(taken.name);
  }
}

/** A film that has only come in has no layers yet. */
async function clearPeople(db: Db, videoId: string, erasures: readonly Erasure[]): Promise<void> {
  const { rows } = await db.query<{ people: string[] }>(sql`select people from videos where id = ${videoId}`);
  const people = (rows[0]?.people ?? []).filter((name) => !isForgottenName(name, erasures));
  await db.query(sql`update videos set people = ${people} where id = ${videoId}`);
}

/** Blanks a name in what was written down of films, and forgets who looked for it in vain. */
async function clearTexts(db: Db, { nameMark, videoId }: Erasure): Promise<void> {
  if (!nameMark) return;
  await beginForgetting(db);
  const { rows: written } = await db.query<{ id: number; before: string; detail: string; videoName: string }>(sql`
    select id, before, detail, video_name as "videoName" from audit
     where video_id is not null and (${videoId}::text is null or video_id = ${videoId})`);
  const idsOf = (textOf: (row: (typeof written)[number]) => string) =>
    written.filter((row) => holdsMarkedName(textOf(row), nameMark)).map(({ id }) => id);
  await db.query(sql`update audit set detail = '' where id = any (${idsOf(({ detail }) => detail)}::bigint[])`);
  await db.query(sql`update audit set before = '' where id = any (${idsOf(({ before }) => before)}::bigint[])`);
  await db.query(sql`update audit set video_name = '' where id = any (${idsOf(({ videoName }) => videoName)}::bigint[])`);
  if (videoId === null) await clearUnfound(db, nameMark);
}

async function clearUnfound(db: Db, nameMark: NameMark): Promise<void> {
  const { rows } = await db.query<{ folded: string; text: string }>(sql`select folded, text from unfound_queries`);
  const held = rows.filter(({ text }) => holdsMarkedName(text, nameMark)).map(({ folded }) => folded);
  await db.query(sql`delete from unfound_queries where folded = any (${held}::text[])`);
}
