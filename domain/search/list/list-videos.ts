import type { ListedLast } from '#contract/paging-input.ts';
import type { Pool } from '../../db/database.ts';
import { isBehind, microsecondsOf } from '../../db/listed-last.ts';
import { sql } from '../../db/sql.ts';
import { findVideos } from '../../videos/find-videos.ts';
import { excludeHidden, listConditions } from '../query/list-conditions.ts';
import type { SearchAnswer, SearchRequest } from '../search-request.ts';
import { listRows } from '../search-statement.ts';

/**
 * Videos without a query, straight from the database: newest first, or longest. Nothing matches without a query, so kinds
 * leave nothing out and the most moments are the newest videos.
 */
export async function listVideos(pool: Pool, request: SearchRequest): Promise<SearchAnswer> {
  const { skip, pageSize } = request;
  const createdBefore = request.createdBefore ?? (await findNewestDate(pool, request));
  // One more than asked for tells whether there is another page.
  const asked = { ...request, createdBefore, pageSize: pageSize + 1 };
  const listed = request.allStates ? await listAll(pool, asked) : [];
  const ids = request.allStates ? listed.map(({ id }) => id) : await listIds(pool, asked);
  const videos = await findVideos(pool, ids.slice(0, pageSize));
  const done = ids.length <= pageSize;
  const after = done ? undefined : listed[pageSize - 1];
  return {
    results: videos.map((video) => ({ video, matches: [], counts: {}, lacks: [] })),
    nextPage: {
      pageSize,
      skip: skip + pageSize,
      done,
      // Behind a video that is named nobody counts how many come before it.
      ...(done && ids.length > 0 && !request.after ? { totalCount: skip + ids.length } : {}),
      ...(createdBefore ? { createdBefore } : {}),
      ...(after ? { after } : {}),
    },
  };
}

/** The newest video that can be seen now: later pages leave out what came after it. */
async function findNewestDate(pool: Pool, { allStates = false, hidden }: SearchRequest): Promise<Date | undefined> {
  const rows = await listRows<{ newest: Date | null }>(
    pool,
    allStates
      ? sql`select max(created_at) as newest from videos`
      : sql`select greatest((select max(published_at) from videos v where state = 'Processed' and ${excludeHidden(hidden)}),
                            (select max(created_at) from videos v where state = 'Processed' and ${excludeHidden(hidden)})) as newest`,
  );
  return rows[0]?.newest ?? undefined;
}

/** Whatever the state. Asked page after page until the end: the index alone answers, so that the five-hundredth is quick as well. */
async function listAll(pool: Pool, request: SearchRequest): Promise<ListedLast[]> {
  const { createdAfter = null, createdBefore = null, createdUntil = null, after, pageSize, skip } = request;
  return await listRows<ListedLast>(
    pool,
    sql`
    select id, ${microsecondsOf(sql`created_at`)} as "atMicroseconds"
      from videos
     where created_at >= coalesce(${createdAfter}::timestamptz, '-infinity')
       and created_at < coalesce(least(${createdBefore}::timestamptz, ${createdUntil}::timestamptz) + interval '1 millisecond', 'infinity')
       and ${isBehind(after, { at: sql`created_at`, id: sql`id` })}
     order by created_at desc, id desc
     limit ${pageSize} offset ${after ? 0 : skip}`,
  );
}

async function listIds(pool: Pool, request: SearchRequest): Promise<string[]> {
  const { asked, length, playable, people, labels, brands } = listConditions(request);
  const rows = await listRows<{ id: string }>(
    pool,
    sql`
    select v.id
      from videos v
     where ${asked} and ${length} and ${playable} and ${people} and ${labels} and ${brands}
     order by ${request.narrowing?.sort === 'longest' ? sql`v.duration_seconds desc, ` : sql``}v.created_at desc, v.id desc
     limit ${request.pageSize} offset ${request.skip}`,
  );
  return rows.map(({ id }) => id);
}
