import { advisoryLocks } from '../db/advisory-locks.ts';
import { type Db, eachRow, inTransaction, type Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { sha256Of } from '../files/sha256.ts';
import { unpackTexts } from '../moments/packed-moments.ts';
import { packedBody } from '../moments/packed-row.ts';
import type { WhySkipped } from '../videos/speech-of-film.ts';
import type { EncoderChoice } from './encoder/choose-encoder.ts';

const readWithinMs = 60_000;

/** A film as its vectors are made of it. */
export interface FilmToEncode {
  readonly id: string;
  readonly revision: number;
  readonly title: string;
  readonly lines: readonly string[];
  readonly checksum: string;
}

/** Why a film cannot be encoded. */
interface NoMeaning {
  readonly not: WhySkipped;
}

/** What is to be encoded of a film; `not`: why it cannot be. Throws for a video that is not there. */
export async function findFilmToEncode(db: Db, videoId: string, { languages }: EncoderChoice): Promise<FilmToEncode | NoMeaning> {
  const { rows } = await db.query<{ revision: number; title: string; isUnderstood: boolean; language: string; body: string }>(sql`
    select v.revision, v.name as title, v.language ~* ${languages.pattern} as "isUnderstood", v.language, ${packedBody} as body
      from videos v where v.id = ${videoId}`);
  const [film] = rows;
  if (!film) throw new Error(`video ${videoId} is not there`);
  if (!film.isUnderstood) return { not: { is: 'other-language', understood: languages.words, language: film.language } };
  const lines = unpackTexts(film.body).flatMap(({ kind, text, isRough }) => (kind === 'Transcript' && !isRough ? [text] : []));
  const { revision, title } = film;
  return { id: videoId, revision, title, lines, checksum: sha256Of([title, ...lines].join('\n')) };
}

/** Films whose vectors are missing or out of date, in the order of their publication. */
export async function findFilmsBehind(
  db: Db,
  { engine, languages, limit }: Pick<EncoderChoice, 'engine' | 'languages'> & { limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(sql`
    select v.id from videos v left join film_meaning f on f.video_id = v.id
     where v.state = 'Processed' and v.language ~* ${languages.pattern} and (f.video_id is null or f.revision <> v.revision or f.engine <> ${engine})
     order by v.published_at, v.id limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** Whether these lines have vectors already, made by this engine; then these are noted to be of the film as it is now. */
export async function reuseMeaning(db: Db, { id, revision, checksum }: FilmToEncode, engine: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update film_meaning set revision = ${revision} where video_id = ${id} and checksum = ${checksum} and engine = ${engine}`);
  return rowCount === 1;
}

/** Keeps the signs of a film's title and passages in the place of all that were kept of it; a video that is gone by now stays gone. */
export async function keepMeaning(pool: Pool, film: FilmToEncode, made: { engine: string; signs: Uint8Array }): Promise<void> {
  const signs = Buffer.from(made.signs);
  await inTransaction(pool, async (db) => {
    await db.query(sql`select pg_advisory_xact_lock(${advisoryLocks.changingMeaning})`);
    await db.query(sql`
      insert into film_meaning (video_id, revision, checksum, engine, signs, change)
      select id, ${film.revision}, ${film.checksum}, ${made.engine}, ${signs}, nextval('film_meaning_changes_made') from videos where id = ${film.id}
      on conflict (video_id) do update
         set revision = excluded.revision, checksum = excluded.checksum, engine = excluded.engine, signs = excluded.signs, change = excluded.change`);
  });
}

/** Lets go what was kept of a film. */
export async function forgetMeaning(pool: Pool, videoId: string): Promise<void> {
  await pool.query(sql`delete from film_meaning where video_id = ${videoId}`);
}

/** The signs of a film as they were kept last. */
export interface KeptSigns {
  readonly videoId: string;
  readonly signs: Buffer;
  readonly change: number;
}

/** Whether anything is kept at all. */
export async function holdsMeaning(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ holds: boolean }>(sql`select exists (select from film_meaning) as holds`);
  return rows[0]?.holds ?? false;
}

/** What was kept of an engine's behind a change, in order. */
export async function eachKeptSince(
  pool: Pool,
  { engine, change }: { engine: string; change: number },
  take: (kept: KeptSigns) => void,
): Promise<void> {
  const statement = sql`
    select video_id as "videoId", signs, change from film_meaning where change > ${change} and engine = ${engine} order by change`;
  await eachRow<KeptSigns>(pool, { ...statement, query_timeout: readWithinMs }, take);
}

/** The packed rows of these films, of those that can be seen and are still what their vectors were made of. */
export async function readRowsOfMeaning(
  db: Db,
  videoIds: readonly string[],
  { engine, languages }: EncoderChoice,
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; body: string }>(sql`
    select v.id, ${packedBody} as body
      from videos v join film_meaning f on f.video_id = v.id and f.revision = v.revision
     where v.id = any(${videoIds}) and v.state = 'Processed' and f.engine = ${engine} and v.language ~* ${languages.pattern}`);
  return new Map(rows.map(({ id, body }) => [id, body]));
}
