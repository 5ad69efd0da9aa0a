import { type LengthFilter, lengthFilters } from '#contract/narrowing.ts';
import type { SearchFacets } from '#contract/search-facets.ts';
import type { Pool } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { facetNamesMax } from './count-facets.ts';
import type { SearchRequest } from './search-request.ts';
import { withTimeout } from './with-timeout.ts';

interface CountRow {
  readonly group: 'videos' | 'lengths' | 'people' | 'labels' | 'brands';
  readonly name: string;
  readonly videos: number;
}

/** What a list of videos without a query comes to, straight from the database. Nothing matches there, so no kind has a count. */
export async function listFacets(pool: Pool, request: SearchRequest): Promise<SearchFacets> {
  const rows = await countRows(pool, request);
  const named = (group: CountRow['group']) => rows.filter((row) => row.group === group).map(({ name, videos }) => ({ name, videos }));
  const ofLength = new Map(named('lengths').map(({ name, videos }) => [name, videos]));
  return {
    isAll: true,
    videos: named('videos')[0]?.videos ?? 0,
    kinds: {},
    lengths: lengthFilters.map((length: LengthFilter) => ({ length, videos: ofLength.get(length) ?? 0 })),
    people: named('people'),
    labels: named('labels'),
    brands: named('brands'),
  };
}

/** Which videos are listed is decided as by `listVideos`; every group leaves its own filter out. */
async function countRows(pool: Pool, request: SearchRequest): Promise<CountRow[]> {
  const { ids = null, externalIds = null, faces = null, owners = null, createdAfter = null, createdBefore = null } = request;
  const { length = null, people = null, labels = null, brands = null } = request.narrowing ?? {};
  const { rows } = await pool.query<CountRow>(
    withTimeout(sql`
    with listed as materialized (
      select v.id, v.people, v.labels, v.brands, whole.length,
             ${length}::text is null or whole.length = ${length} as "hasLength",
             ${people}::text[] is null or exists (
               select from unnest(v.people) n where lower(n) = any(select lower(w) from unnest(${people}::text[]) w)) as "hasPerson",
             ${labels}::text[] is null or exists (
               select from unnest(v.labels) n where lower(n) = any(select lower(w) from unnest(${labels}::text[]) w)) as "hasLabel",
             ${brands}::text[] is null or exists (
               select from unnest(v.brands) n where lower(n) = any(select lower(w) from unnest(${brands}::text[]) w)) as "hasBrand"
        from videos v cross join lateral (
             select case when v.duration_seconds < 599.5 then 'under-10'
                         when v.duration_seconds < 3600.5 then '10-60' else 'over-60' end as length) whole
       where v.state = 'Processed'
         and (${ids}::text[] is null or v.id = any(${ids}))
         and (${externalIds}::text[] is null or v.external_id = any(${externalIds}))
         and (${owners}::text[] is null or lower(v.owner) = any(select lower(o) from unnest(${owners}::text[]) o))
         and (${faces}::text[] is null or exists (
               select from unnest(v.people) p where lower(p) = any(select lower(f) from unnest(${faces}::text[]) f)))
         and (${createdAfter}::timestamptz is null or v.created_at >= ${createdAfter})
         and (${createdBefore}::timestamptz is null
              or (date_trunc('milliseconds', v.created_at) <= ${createdBefore}
                  and date_trunc('milliseconds', coalesce(v.published_at, v.created_at)) <= ${createdBefore}))
    ), named as (
      select 'people' as "group", id, n as name from listed, unnest(people) n where "hasLength" and "hasLabel" and "hasBrand"
      union all
      select 'labels', id, n from listed, unnest(labels) n where "hasLength" and "hasPerson" and "hasBrand"
      union all
      select 'brands', id, n from listed, unnest(brands) n where "hasLength" and "hasPerson" and "hasLabel"
    ), counted as (
      select "group", min(name) as name, count(distinct id) as videos from named group by "group", lower(name)
    ), placed as (
      select *, row_number() over (partition by "group" order by videos desc, name) as place from counted
    )
    select "group", name, videos from placed where place <= ${facetNamesMax}
    union all
    select 'lengths', length, count(*) from listed where "hasPerson" and "hasLabel" and "hasBrand" group by length
    union all
    select 'videos', '', count(*) from listed where "hasLength" and "hasPerson" and "hasLabel" and "hasBrand"
     order by "group", videos desc, name`),
  );
  return rows;
}
