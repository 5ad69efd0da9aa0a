import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Roles } from '#contract/roles.ts';
import { advisoryLocks } from '../db/advisory-locks.ts';
import { directOf, inTransaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { hashOf, makeRandomSecret } from '../signin/one-time-secret.ts';
import { startSession } from '../signin/sessions.ts';
import { createVideo, makeVideoId } from '../videos/create-video.ts';
import type { FilmArchive } from '../videos/film-archive.ts';
import { publishVideo } from '../videos/publish-video.ts';
import { publishLayers } from '../videos/recompose-video.ts';

type Archive = Pick<FilmArchive, 'pool' | 'store'>;

/** A film that only editors may see, whose words stand nowhere else. */
export interface Canary {
  readonly filmId: string;
  /** In its title, in what is said in it, and in its files. */
  readonly words: readonly string[];
}

/** Somebody who is there for a check alone. */
export interface CanaryPerson {
  readonly uid: string;
  readonly sid: string;
  readonly roles: Roles;
  readonly authVersion: number;
  /** Of their session's cookie. */
  readonly secret: string;
  /** For scripts. */
  readonly key: string;
}

/** Ids that begin so were made for a check, and go with it. A film is told by its content as well: its external id is the editors' to write. */
const mark = 'access-check-';
/**
 * Runs `work` while no other process of the archive checks who sees what; undefined at once when one does. What was made for a check, by
 * this one or by one that was killed, is gone when it returns or throws.
 */
export async function whileChecking<T>(archive: Archive, work: () => Promise<T>): Promise<T | undefined> {
  const client = await directOf(archive.pool).connect();
  client.on('error', () => {});
  try {
    const { rows } = await client.query<{ mine: boolean }>(sql`select pg_try_advisory_lock(${advisoryLocks.checkingAccess}) as mine`);
    if (!rows[0]?.mine) return undefined;
    await removeCanaries(archive);
    return await work().finally(() => removeCanaries(archive));
  } finally {
    // Closing the connection gives the lock back.
    client.release(true);
  }
}

/** Adds a film that only editors may see, from its first moment on. */
export async function plantFilm({ pool, store }: Archive): Promise<Canary> {
  const filmId = makeVideoId();
  const [title, said] = [makeCanaryWord(), makeCanaryWord()];
  const known = { externalId: `${mark}${filmId}`, description: null, owner: null, recordedAt: null, place: null, rights: null };
  const lists = { language: 'en', people: [], labels: [], brands: [] };
  await inTransaction(pool, async (db) => {
    const contentHash = createHash('sha256').update(filmId).digest('hex');
    await createVideo(db, { id: filmId, name: `Access check ${title}`, contentHash, fileName: '', sizeBytes: 0, ...known, ...lists });
    await db.query(sql`
      insert into film_visibility (video_id, shown_to, reason, set_by) values (${filmId}, 'editors', 'It is there for a check alone', 'operator')`);
  });
  const keys = toVideoKeys(filmId);
  const files = [`${keys.hls}/master.m3u8`, `${keys.hls}/v1/segment-00000.m4s`, keys.poster, keys.captions];
  for (const key of files) await store.put(key, Buffer.from(said));
  const moment = { kind: 'Transcript', startMs: 0, endMs: 2_000, text: said, source: 'sidecar', confidencePercent: 100 } as const;
  await publishLayers(pool, filmId, { madeBy: 'captions', version: 1, layers: [{ name: 'captions', moments: [moment] }] });
  const facts = { width: 640, height: 360, hasVideo: true, hasAudio: true, streamingPreset: 'SingleBitrate' } as const;
  await publishVideo(pool, { videoId: filmId, durationInSeconds: 2, ...facts });
  return { filmId, words: [title, said] };
}

/** Letters that no word begins with, and none of another check. */
function makeCanaryWord(): string {
  const letters = [...randomBytes(10)].map((byte) => 'bcdfghjklmnpqrstvwxz'[byte % 20]).join('');
  return `qyx${letters}`;
}

/** Adds somebody with these roles, of whom nobody is told, and signs them in. */
export async function plantPerson({ pool }: Archive, roles: Roles): Promise<CanaryPerson> {
  const uid = `${mark}${randomUUID()}`;
  const key = makeRandomSecret();
  const authVersion = await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ version: number }>(sql`
      insert into users (id, name, roles, admins_told_at, activation_told_at)
      values (${uid}, 'Access check', ${JSON.stringify(roles)}::jsonb, now(), now()) returning auth_version as version`);
    await db.query(sql`
      insert into keys (id, user_id, name, secret_hash, expires_at)
      values (${randomUUID()}, ${uid}, 'Access check', ${hashOf(key)}, now() + interval '1 hour')`);
    return rows[0]?.version ?? 0;
  });
  const session = await startSession(pool, uid, { userAgent: '', signedInBy: 'access check' });
  return { uid, roles, authVersion, key, ...session };
}

/** Whether the index has taken the film in. */
export async function isFilmIndexed({ pool }: Archive, { filmId }: Canary): Promise<boolean> {
  const { rowCount } = await pool.query(sql`select from videos where id = ${filmId} and indexed_revision = revision`);
  return rowCount === 1;
}

/** Removes whatever was made for a check, whoever made it and however it ended. */
async function removeCanaries({ pool, store }: Archive): Promise<void> {
  await pool.query(sql`delete from users where starts_with(id, ${mark})`);
  const { rows } = await pool.query<{ id: string }>(sql`
    select id from videos
     where content_hash = encode(sha256(convert_to(id, 'UTF8')), 'hex') and origin = 'file' and file_name = '' and size_bytes = 0
       and external_id = ${mark} || id`);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  // Files first: as long as the row is there the next look finds what is left of them.
  for (const id of ids) {
    await store.erase(toVideoKeys(id).all);
    await store.trash.purgeOf(id);
  }
  await pool.query(sql`delete from videos where id = any (${ids})`);
}
