import { setTimeout as wait } from 'node:timers/promises';
import { serverLimits } from '#contract/limits.ts';
import type { Pool } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { SearchIndex } from '../../search-index/search-index.ts';
import { KnownNames, type NamedVideo } from './known-names.ts';

/** So few that taking them in holds nobody up. */
const videosPerRead = 500;
/** A row carries the time at which its transaction began, and can be seen once that has ended: so far back every reading looks. */
const overlap = '10 seconds';

interface LoadedNames {
  readonly names: KnownNames;
  /** Number of the index batch with which they were read, and when that was, by the database's clock. */
  readonly batch: number;
  readonly asOf: Date;
}

/** Titles, people and brands of the archive, as suggestions need them. */
export interface NamesSource {
  /**
   * The names as of the last batch of the index: read once, then only what has changed. Whoever asks while a long list is being read
   * has the names that were read before, which are none the first time.
   */
  current(): Promise<KnownNames>;
  forget(): void;
}

/** Reads the names of this archive from its database, and follows them. */
export function openNames(pool: Pool, index: Pick<SearchIndex, 'batch'>): NamesSource {
  let loaded: LoadedNames | undefined;
  let reading: Promise<KnownNames> | undefined;

  async function read(batch: number): Promise<KnownNames> {
    const { names, asOf } = await readNames(pool, loaded);
    loaded = { names, batch, asOf };
    return names;
  }

  function startReading(batch: number): Promise<KnownNames> {
    reading = read(batch).finally(() => {
      reading = undefined;
    });
    // Whoever still waits hears of a failure; otherwise the next search tries again.
    reading.catch(() => {});
    return reading;
  }

  return {
    current: async () => {
      const batch = await index.batch();
      if (loaded?.batch === batch) return loaded.names;
      const names = reading ?? startReading(batch);
      const patience = new AbortController();
      const meanwhile = wait(serverLimits.namesLoadedWithinMs, loaded?.names ?? new KnownNames(), { signal: patience.signal, ref: false });
      try {
        return await Promise.race([names, meanwhile]);
      } finally {
        meanwhile.catch(() => {});
        patience.abort();
      }
    },
    forget: () => {
      loaded = undefined;
    },
  };
}

async function readNames(pool: Pool, known: LoadedNames | undefined): Promise<{ names: KnownNames; asOf: Date }> {
  const names = known?.names ?? new KnownNames();
  const { asOf, videos } = await countVideos(pool);
  for (let after: ChangedVideo | undefined; ; ) {
    const changed = await findChangedVideos(pool, { since: known?.asOf, after });
    for (const video of changed) if (video.isPublic) names.put(video);
    for (const video of changed) if (!video.isPublic) names.drop(video.id);
    if (changed.length < videosPerRead) break;
    after = changed.at(-1);
  }
  if (names.size !== videos) await settleDifference(pool, names);
  return { names, asOf };
}

interface ChangedVideo extends NamedVideo {
  readonly isPublic: boolean;
  readonly createdAt: string;
}

/** In order of their creation, so that the newest video of a name is its last. */
async function findChangedVideos(
  pool: Pool,
  { since, after }: { since: Date | undefined; after: ChangedVideo | undefined },
): Promise<ChangedVideo[]> {
  const [createdAt, id] = [after?.createdAt ?? '-infinity', after?.id ?? ''];
  const { rows } = await pool.query<ChangedVideo>(
    since
      ? sql`
    select id, revision, name, people, brands, state = 'Processed' as "isPublic", created_at::text as "createdAt"
      from videos
     where modified_at >= ${since}::timestamptz - ${overlap}::interval and (created_at, id) > (${createdAt}::timestamptz, ${id})
     order by created_at, id
     limit ${videosPerRead}`
      : // Without another condition the list of the newest gives each piece at once.
        sql`
    select id, revision, name, people, brands, true as "isPublic", created_at::text as "createdAt"
      from videos
     where state = 'Processed' and (created_at, id) > (${createdAt}::timestamptz, ${id})
     order by created_at, id
     limit ${videosPerRead}`,
  );
  return rows;
}

async function countVideos(pool: Pool): Promise<{ asOf: Date; videos: number }> {
  const { rows } = await pool.query<{ asOf: Date; videos: number }>(sql`
    select now() as "asOf", count(*) as videos from videos where state = 'Processed'`);
  return rows[0] ?? { asOf: new Date(0), videos: 0 };
}

/** Reading changes misses videos that were deleted, and those whose transaction took longer than the overlap: all ids are compared. */
async function settleDifference(pool: Pool, names: KnownNames): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(sql`select id from videos where state = 'Processed'`);
  const there = new Set(rows.map(({ id }) => id));
  for (const id of [...names.ids()]) {
    if (there.has(id)) there.delete(id);
    else names.drop(id);
  }
  const missing = [...there];
  for (let from = 0; from < missing.length; from += videosPerRead) {
    const { rows: videos } = await pool.query<NamedVideo>(sql`
      select id, revision, name, people, brands from videos
       where id = any(${missing.slice(from, from + videosPerRead)}) and state = 'Processed'
       order by created_at, id`);
    for (const video of videos) names.put(video);
  }
}
