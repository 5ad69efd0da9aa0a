import type { Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { findVideos } from '../videos/find-videos.ts';
import type { SearchAnswer, SearchRequest } from './search-request.ts';
import { withTimeout } from './with-timeout.ts';

interface ListedPage {
  readonly id: string;
  readonly newest: Date;
}

/** Videos without a query: newest first, straight from the database. */
export async function listVideos(pool: Pool, request: SearchRequest): Promise<SearchAnswer> {
  const { skip, pageSize } = request;
  const createdBefore = request.createdBefore ?? (await newestMoment(pool, request));
  // One more than asked for tells whether there is another page.
  const ids = await listIds(pool, { ...request, createdBefore, pageSize: pageSize + 1 });
  const videos = await findVideos(pool, ids.slice(0, pageSize));
  const done = ids.length <= pageSize;
  return {
    results: videos.map((video) => ({ video, matches: [], matchesTotal: 0 })),
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

async function listIds(pool: Pool, request: SearchRequest): Promise<string[]> {
  const {
    ids = null,
    externalIds = null,
    faces = null,
    owners = null,
    allStates = false,
    createdAfter = null,
    createdBefore = null,
  } = request;
  const { rows } = await pool.query<ListedPage>(
    withTimeout(sql`
    select v.id
      from videos v
     where (v.state = 'Processed' or ${allStates}::boolean)
       and (${ids}::text[] is null or v.id = any(${ids}))
       and (${externalIds}::text[] is null or v.external_id = any(${externalIds}))
       and (${owners}::text[] is null or lower(v.owner) = any(select lower(o) from unnest(${owners}::text[]) o))
       and (${faces}::text[] is null or exists (
             select from unnest(v.people) p where lower(p) = any(select lower(f) from unnest(${faces}::text[]) f)))
       and (${createdAfter}::timestamptz is null or v.created_at >= ${createdAfter})
       and (${createdBefore}::timestamptz is null
            or (date_trunc('milliseconds', v.created_at) <= ${createdBefore}
                and date_trunc('milliseconds', coalesce(v.published_at, v.created_at)) <= ${createdBefore})
            or (${allStates}::boolean and date_trunc('milliseconds', v.created_at) <= ${createdBefore}))
     order by v.created_at desc, v.id desc
     limit ${request.pageSize} offset ${request.skip}`),
  );
  return rows.map(({ id }) => id);
}
