import type { Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { findVideos } from '../videos/find-videos.ts';
import type { SearchAnswer, SearchRequest } from './search-request.ts';
import { withTimeout } from './with-timeout.ts';

/**
 * Videos without a query, straight from the database: newest first, or longest. Nothing matches without a query, so kinds
 * leave nothing out and the most moments are the newest videos.
 */
export async function listVideos(pool: Pool, request: SearchRequest): Promise<SearchAnswer> {
  const { skip, pageSize } = request;
  const createdBefore = request.createdBefore ?? (await newestMoment(pool, request));
  // One more than asked for tells whether there is another page.
  const asked = { ...request, createdBefore, pageSize: pageSize + 1 };
  const ids = request.allStates ? await listAllIds(pool, asked) : await listIds(pool, asked);
  const videos = await findVideos(pool, ids.slice(0, pageSize));
  const done = ids.length <= pageSize;
  return {
    results: videos.map((video) => ({ video, matches: [], matchesTotal: 0, counts: {}, lacks: [] })),
    nextPage: {
      pageSize,
      skip: skip + pageSize,
      done,
      ...(done && ids.length > 0 ? { totalCount: skip + ids.length } : {}),
      ...(createdBefore ? { createdBefore } : {}),
    },
  };
}

/** The newest video that can be seen now: later pages leave out what came after it. */
async function newestMoment(pool: Pool, { allStates = false }: SearchRequest): Promise<Date | undefined> {
  const { rows } = await pool.query<{ newest: Date | null }>(
    withTimeout(
      allStates
        ? sql`select max(created_at) as newest from videos`
        : sql`select greatest((select max(published_at) from videos where state = 'Processed'),
                              (select max(created_at) from videos where state = 'Processed')) as newest`,
    ),
  );
  return rows[0]?.newest ?? undefined;
}

/** Whatever the state. Asked page after page until the end: the index alone answers, so that the five-hundredth is quick as well. */
async function listAllIds(pool: Pool, request: SearchRequest): Promise<string[]> {
  const { createdAfter = null, createdBefore = null, pageSize, skip } = request;
  const { rows } = await pool.query<{ id: string }>(
    withTimeout(sql`
    select id
      from videos
     where created_at >= coalesce(${createdAfter}::timestamptz, '-infinity')
       and created_at < coalesce(${createdBefore}::timestamptz + interval '1 millisecond', 'infinity')
     order by created_at desc, id desc
     limit ${pageSize} offset ${skip}`),
  );
  return rows.map(({ id }) => id);
}

async function listIds(pool: Pool, request: SearchRequest): Promise<string[]> {
  const { ids = null, externalIds = null, faces = null, owners = null, createdAfter = null, createdBefore = null } = request;
  const { sort, length = null, people = null, labels = null, brands = null } = request.narrowing ?? {};
  const { rows } = await pool.query<{ id: string }>(
    withTimeout(sql`
    select v.id
      from videos v
     where v.state = 'Processed'
       and (${ids}::text[] is null or v.id = any(${ids}))
       and (${externalIds}::text[] is null or v.external_id = any(${externalIds}))
       and (${owners}::text[] is null or lower(v.owner) = any(select lower(o) from unnest(${owners}::text[]) o))
       and (${faces}::text[] is null or exists (
             select from unnest(v.people) p where lower(p) = any(select lower(f) from unnest(${faces}::text[]) f)))
       and (${people}::text[] is null or exists (
             select from unnest(v.people) n where lower(n) = any(select lower(w) from unnest(${people}::text[]) w)))
       and (${labels}::text[] is null or exists (
             select from unnest(v.labels) n where lower(n) = any(select lower(w) from unnest(${labels}::text[]) w)))
       and (${brands}::text[] is null or exists (
             select from unnest(v.brands) n where lower(n) = any(select lower(w) from unnest(${brands}::text[]) w)))
       -- The bounds of lengthOf, for a length that is shown in whole seconds.
       and (${length}::text is null or ${length} = case when v.duration_seconds < 599.5 then 'under-10'
                                                        when v.duration_seconds < 3600.5 then '10-60' else 'over-60' end)
       and (${createdAfter}::timestamptz is null or v.created_at >= ${createdAfter})
       and (${createdBefore}::timestamptz is null
            or (date_trunc('milliseconds', v.created_at) <= ${createdBefore}
                and date_trunc('milliseconds', coalesce(v.published_at, v.created_at)) <= ${createdBefore}))
     order by case when ${sort === 'longest'} then v.duration_seconds end desc, v.created_at desc, v.id desc
     limit ${request.pageSize} offset ${request.skip}`),
  );
  return rows.map(({ id }) => id);
}
