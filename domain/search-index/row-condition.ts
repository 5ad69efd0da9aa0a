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

/** Whether a row meets a condition. */
export function makeConditionTest({ createdAfter, createdBefore, createdUntil, ids }: RowCondition): (row: ConditionedRow) => boolean {
  const [afterMs, beforeMs] = [createdAfter?.getTime() ?? Number.NEGATIVE_INFINITY, createdBefore?.getTime() ?? Number.POSITIVE_INFINITY];
  const untilMs = createdUntil?.getTime() ?? Number.POSITIVE_INFINITY;
  const among = ids && new Set(ids);
  return ({ video, createdMs, publishedMs }) =>
    createdMs >= afterMs &&
    createdMs <= Math.min(untilMs, beforeMs) &&
    publishedMs <= beforeMs &&
    (among === undefined || among.has(video));
}
