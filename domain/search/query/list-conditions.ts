import { type Statement, sql } from '../../db/sql.ts';
import { isPlayable } from '../../videos/video.ts';
import type { SearchRequest } from '../search-request.ts';

/** What a list without a query is to hold, as conditions on `videos v`; they are true where nothing is asked. */
export interface ListConditions {
  /** All that is no narrowing. */
  readonly asked: Statement;
  readonly length: Statement;
  readonly playable: Statement;
  readonly people: Statement;
  readonly labels: Statement;
  readonly brands: Statement;
}

/** What a list without a query is to hold, by its request. */
export function listConditions(request: SearchRequest): ListConditions {
  const { length, playable, people, labels, brands } = request.narrowing ?? {};
  return {
    asked: toAskedCondition(request),
    length: length ? sql`${listedLength} = ${length}` : always,
    playable: playable ? isPlayable : always,
    people: holdsAnyName(sql`people`, people),
    labels: holdsAnyName(sql`labels`, labels),
    brands: holdsAnyName(sql`brands`, brands),
  };
}

/** The bounds of `lengthOf`, for a length that is shown in whole seconds. */
export const listedLength = sql`case when v.duration_seconds < 599.5 then 'under-10'
                                     when v.duration_seconds < 3600.5 then '10-60' else 'over-60' end`;

const always = sql`true`;

/** What a request asks of videos beside its query, narrowing left out. */
export function toAskedCondition({ ids, externalIds, faces, owners, hidden, ...created }: SearchRequest): Statement {
  const { createdAfter, createdBefore, createdUntil } = created;
  return sql`v.state = 'Processed'
       and ${excludeHidden(hidden)}
       and ${ids ? sql`v.id = any(${ids})` : always}
       and ${externalIds ? sql`v.external_id = any(${externalIds})` : always}
       and ${owners ? sql`lower(v.owner) = any(folded_names(${owners}))` : always}
       and ${holdsAnyName(sql`people`, faces)}
       and ${createdAfter ? sql`v.created_at >= ${createdAfter}` : always}
       and ${createdUntil ? sql`v.created_at < ${createdUntil}::timestamptz + interval '1 millisecond'` : always}
       and ${createdBefore ? wasCreatedBefore(createdBefore) : always}`;
}

/** True where nothing is hidden. */
export function excludeHidden(hidden: SearchRequest['hidden']): Statement {
  return hidden ? sql`not v.id = any(${[...hidden.ids]})` : always;
}

/** The time may have come to us in milliseconds. */
function wasCreatedBefore(time: Date): Statement {
  return sql`v.created_at < ${time}::timestamptz + interval '1 millisecond'
       and coalesce(v.published_at, v.created_at) < ${time}::timestamptz + interval '1 millisecond'`;
}

/** Asked of the index of those names, which also serves where a list goes through all videos. */
function holdsAnyName(column: Statement, names: readonly string[] | undefined): Statement {
  if (!names) return always;
  return sql`v.id in (select named.id from videos named where folded_names(named.${column}) && folded_names(${names}))`;
}
