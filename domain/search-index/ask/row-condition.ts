import { oneOfVideos } from './one-of-videos.ts';

/** Which rows may answer a question. */
export interface RowCondition {
  readonly createdAfter?: Date | undefined;
  /** Rows of videos that were there, and could be seen, by then. */
  readonly createdBefore?: Date | undefined;
  /** Rows of videos that were there by then, whenever they could be seen. */
  readonly createdUntil?: Date | undefined;
  /** Only rows of these videos. */
  readonly ids?: readonly string[] | undefined;
}

/** What a condition looks at; times in milliseconds since 1970. */
export interface ConditionedRow {
  readonly video: string;
  readonly createdMs: number;
  readonly publishedMs: number;
}

/** The condition in the SQL of the tables; undefined when every row meets it. */
export function conditionSql({ createdAfter, createdBefore, createdUntil, ids }: RowCondition): string | undefined {
  const conditions: string[] = [];
  if (createdAfter) conditions.push(`createdMs >= ${createdAfter.getTime()}`);
  if (createdUntil) conditions.push(`createdMs <= ${createdUntil.getTime()}`);
  if (createdBefore) conditions.push(`createdMs <= ${createdBefore.getTime()} and publishedMs <= ${createdBefore.getTime()}`);
  if (ids) conditions.push(oneOfVideos(ids));
  return conditions.length > 0 ? conditions.join(' and ') : undefined;
}

/** The same for rows in memory. */
export function conditionTest({ createdAfter, createdBefore, createdUntil, ids }: RowCondition): (row: ConditionedRow) => boolean {
  const [afterMs, beforeMs] = [createdAfter?.getTime() ?? Number.NEGATIVE_INFINITY, createdBefore?.getTime() ?? Number.POSITIVE_INFINITY];
  const untilMs = createdUntil?.getTime() ?? Number.POSITIVE_INFINITY;
  const among = ids && new Set(ids);
  return ({ video, createdMs, publishedMs }) =>
    createdMs >= afterMs &&
    createdMs <= Math.min(untilMs, beforeMs) &&
    publishedMs <= beforeMs &&
    (among === undefined || among.has(video));
}
