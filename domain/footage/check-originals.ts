import { serverLimits } from '#contract/limits.ts';
import type { Db, Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { sha256OfStored } from '../files/sha256.ts';
import type { FileStore } from '../files/store.ts';
import { StoreAway } from '../files/store-away.ts';
import { toVideoKeys } from '../files/video-keys.ts';
import { errorCodeOf } from '../system/error-code.ts';
import { pause } from '../system/pause.ts';

/** Disks and stores lose bytes without saying so: in this time each original is read once. One that was bad is looked at again the next day. */
const everyDays = { good: 90, bad: 1 };
/** One that nobody has read for so long has waited a month for its turn. */
export const originalLateAfterDays = everyDays.good + 30;
/** Times what a reading took, until the next: it is never what a machine is busy with. */
const pauseShare = 3;

/** An original that is not what was taken in. */
export interface OriginalFault {
  readonly videoId: string;
  readonly name: string;
  /** What cannot be read counts as changed: nobody gets back what came. */
  readonly fault: 'missing' | 'changed';
}

/**
 * Reads the originals of films that nobody has read for ninety days, the longest unread first, and notes which of them are not what came,
 * by their SHA-256. Several processes share the work. Returns how many it read; ends at the signal. Throws where the store does not answer,
 * also for others.
 */
export async function checkOriginals({ pool, store }: { pool: Pool; store: FileStore }, signal?: AbortSignal): Promise<number> {
  for (let read = 0; ; read++) {
    const due = signal?.aborted ? undefined : await takeNext(pool);
    if (!due) return read;
    const beganAt = Date.now();
    const fault = await faultOf({ pool, store }, due, signal);
    if (signal?.aborted) return read;
    // One that was replaced meanwhile is another file.
    await pool.query(sql`
      update original_checks c set checked_at = now(), fault = ${fault}
        from videos v where v.id = c.video_id and v.id = ${due.id} and v.content_hash = ${due.contentHash}`);
    await pause((Date.now() - beganAt) * pauseShare, signal);
  }
}

/** Of a film v: its original is read now and then. */
const isRead = sql`v.origin = 'file' and v.state = 'Processed' and v.content_hash is not null`;

interface DueOriginal {
  readonly id: string;
  readonly contentHash: string;
}

/** The next original that is due, noted as begun: a process that ends before it has read it leaves it to the next day. */
async function takeNext(pool: Pool): Promise<DueOriginal | undefined> {
  const { rows } = await pool.query<DueOriginal>(sql`
    with due as (
      select v.id, v.content_hash
        from videos v left join original_checks c on c.video_id = v.id
       where ${isRead}
         and coalesce(c.checked_at, v.created_at)
             < now() - make_interval(days => case when c.fault is null then ${everyDays.good}::int else ${everyDays.bad}::int end)
         and (c.begun_at is null or c.begun_at < now() - interval '1 day')
       order by coalesce(c.checked_at, v.created_at), v.id limit 1),
    begun as (
      insert into original_checks (video_id) select id from due
      on conflict (video_id) do update set begun_at = now())
    select id, content_hash as "contentHash" from due`);
  return rows[0];
}

/** How many originals nobody has read for `originalLateAfterDays`. */
export async function countUnreadOriginals(db: Db): Promise<number> {
  const { rows } = await db.query<{ n: number }>(sql`
    select count(*)::int as n from videos v left join original_checks c on c.video_id = v.id
     where ${isRead} and coalesce(c.checked_at, v.created_at) < now() - make_interval(days => ${originalLateAfterDays}::int)`);
  return rows[0]?.n ?? 0;
}

type Fault = OriginalFault['fault'] | null;

/** One that twice cannot be read where another can is at fault itself. */
async function faultOf({ pool, store }: { pool: Pool; store: FileStore }, due: DueOriginal, signal?: AbortSignal): Promise<Fault> {
  try {
    return await compare(store, due, signal);
  } catch (error) {
    if (!mayBeOfOne(error) || !(await isAnotherRead({ pool, store }, due.id))) throw error;
    return await compare(store, due, signal).catch((again: unknown) => {
      if (mayBeOfOne(again)) return 'changed';
      throw again;
    });
  }
}

async function compare(store: FileStore, { id, contentHash }: DueOriginal, signal?: AbortSignal): Promise<Fault> {
  const original = await store.openRange(toVideoKeys(id).original);
  if (!original) return 'missing';
  const hash = await sha256OfStored(original, signal).catch((error: unknown) => {
    if (!signal?.aborted) throw error;
  });
  return hash === contentHash ? null : 'changed';
}

/** A sector that cannot be read, or an object: but a whole disk or store fails with the same words. */
function mayBeOfOne(error: unknown): boolean {
  return error instanceof StoreAway || ['EIO', 'EBADMSG'].includes(errorCodeOf(error));
}

const othersAsked = 3;

async function isAnotherRead({ pool, store }: { pool: Pool; store: FileStore }, id: string): Promise<boolean> {
  const { rows } = await pool.query<{ id: string }>(sql`
    select id from videos where id <> ${id} and origin = 'file' and state = 'Processed' and content_hash is not null
     order by random() limit ${othersAsked}`);
  for (const other of rows) {
    const bytes = await store
      .openRange(toVideoKeys(other.id).original, { start: 0, end: 1 })
      .then((found) => found?.bytes())
      .catch(() => undefined);
    if (bytes?.length === 1) return true;
  }
  return false;
}

/** The originals of which it is known that they are not what was taken in, by the names of their films. */
export async function listOriginalFaults(db: Db): Promise<OriginalFault[]> {
  const { rows } = await db.query<OriginalFault>(sql`
    select v.id as "videoId", v.name, c.fault from original_checks c join videos v on v.id = c.video_id
     where c.fault is not null order by v.name, v.id limit ${serverLimits.originalFaultsToldMax}`);
  return rows;
}
