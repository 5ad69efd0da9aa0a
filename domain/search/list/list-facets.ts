import { serverLimits } from '#contract/limits.ts';
import { type LengthFilter, lengthFilters } from '#contract/narrowing.ts';
import type { SearchFacets } from '#contract/search-facets.ts';
import type { Pool } from '../../db/database.ts';
import { type Statement, sql } from '../../db/sql.ts';
import { SearchTimeout } from '../../scheduling/search-timeout.ts';
import { isPlayable } from '../../videos/video.ts';
import { listConditions, listedLength } from '../query/list-conditions.ts';
import type { SearchRequest } from '../search-request.ts';
import { listRows } from '../search-statement.ts';

/** Counts lists of videos, for everybody who searches an archive. */
export interface ListedFacets {
  /**
   * What a list of videos without a query comes to, straight from the database. Nothing matches there, so no kind has a count.
   * Everybody who asks for the same while it is being counted has the same answer, and what differs is counted one after the other:
   * each takes a look at every video. Throws `SearchTimeout`.
   */
  count(request: SearchRequest): Promise<SearchFacets>;
}

/** Opens the counts of lists of this archive. */
export function openListedFacets(pool: Pool): ListedFacets {
  const underWay = new Map<string, Promise<SearchFacets>>();
  const enqueue = openWorkQueue();
  return {
    count: async (request) => {
      const key = JSON.stringify({ ...request, skip: 0, pageSize: 0 });
      const counting = () => enqueue(() => countListed(pool, request));
      const answer = underWay.get(key) ?? counting().finally(() => underWay.delete(key));
      underWay.set(key, answer);
      return await answer;
    },
  };
}

async function countListed(pool: Pool, request: SearchRequest): Promise<SearchFacets> {
  const rows = await countRows(pool, request);
  const named = (group: CountRow['group']) => rows.filter((row) => row.group === group).map(({ name, videos }) => ({ name, videos }));
  const ofLength = new Map(named('lengths').map(({ name, videos }) => [name, videos]));
  const lengths = lengthFilters.map((length: LengthFilter) => ({ length, videos: ofLength.get(length) ?? 0 }));
  const wanted = request.narrowing?.length;
  return {
    isAll: true,
    videos: lengths.reduce((sum, { length, videos }) => sum + (!wanted || length === wanted ? videos : 0), 0),
    kinds: {},
    lengths,
    playable: named('playable')[0]?.videos ?? 0,
    people: named('people'),
    labels: named('labels'),
    brands: named('brands'),
  };
}

interface CountRow {
  readonly group: 'lengths' | 'playable' | 'people' | 'labels' | 'brands';
  readonly name: string;
  readonly videos: number;
}

/** Which videos are listed is decided as by `listVideos`; every group leaves its own filter out. */
async function countRows(pool: Pool, request: SearchRequest): Promise<CountRow[]> {
  const { asked, length, playable, people, labels, brands } = listConditions(request);
  // One way through the videos gives all groups: their names stand side by side, in rows of which each has some, and every
  // column is counted by itself.
  return await listRows<CountRow>(
    pool,
    sql`
    with listed as (
      select v.people, v.labels, v.brands, v.names_twice, ${listedLength} as length, ${isPlayable} as playable,
             ${length} as "hasLength", ${playable} as "isWanted", ${people} as "hasPerson", ${labels} as "hasLabel", ${brands} as "hasBrand"
        from videos v
       where ${asked}
    ), named as (
      select unnest(case when "isWanted" and "hasPerson" and "hasLabel" and "hasBrand" then array[length] end) as length,
             unnest(case when playable and "hasLength" and "hasPerson" and "hasLabel" and "hasBrand" then array['playable'] end) as playable,
             unnest(case when "isWanted" and "hasLength" and "hasLabel" and "hasBrand" then ${uniqueNamesOf(sql`people`)} end) as person,
             unnest(case when "isWanted" and "hasLength" and "hasPerson" and "hasBrand" then ${uniqueNamesOf(sql`labels`)} end) as label,
             unnest(case when "isWanted" and "hasLength" and "hasPerson" and "hasLabel" then ${uniqueNamesOf(sql`brands`)} end) as brand
        from listed
    ), counted as (
      select case when length is not null then 'lengths' when playable is not null then 'playable' when person is not null then 'people'
                  when label is not null then 'labels' else 'brands' end as "group",
             coalesce(length, playable, person, label, brand) as name, count(*) as videos
        from named
       group by grouping sets ((length), (playable), (person), (label), (brand))
    ), placed as (
      select "group", min(name) as name, sum(videos)::bigint as videos,
             row_number() over (partition by "group" order by sum(videos) desc, min(name)) as place
        from counted
       where name is not null
       group by "group", lower(name)
    )
    select "group", name, videos from placed
     where place <= ${serverLimits.facetNamesMax} or lower(name) = any(folded_names(${askedNamesOf(request)})) order by "group", place`,
  );
}

/** The names that the list is narrowed to, of whatever group. */
function askedNamesOf({ narrowing: { people = [], labels = [], brands = [] } = {} }: SearchRequest): string[] {
  return [...people, ...labels, ...brands];
}

/** The names of a listed video, of several spellings one. */
function uniqueNamesOf(column: Statement): Statement {
  return sql`case when names_twice then array(select min(n) from unnest(${column}) n group by lower(n)) else ${column} end`;
}

/**
 * Gives a function that queues a piece of work, and begins it when all before it is done: side by side, each would take as long as all.
 * Its answer throws `SearchTimeout` when the work has waited for more than 2 s, as nobody waits for it any more.
 */
export function openWorkQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const askedAtMs = performance.now();
    const answer = last.then(() => {
      if (performance.now() - askedAtMs > serverLimits.searchStatementMaxMs) throw new SearchTimeout();
      return work();
    });
    last = answer.catch(() => {});
    return answer;
  };
}
