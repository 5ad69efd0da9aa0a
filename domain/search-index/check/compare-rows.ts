/** Rows of one video that are not as they should be. */
export interface RowFaults {
  readonly missing: number;
  /** Rows that stand there once more than they should. */
  readonly twice: number;
  /** Rows that say something else than the database. */
  readonly wrong: number;
}

/** Compares the rows that a video should have with those that it has, by their keys. */
export function compareRows(wanted: readonly string[], found: readonly string[]): RowFaults {
  const left = new Map<string, number>();
  for (const key of wanted) left.set(key, (left.get(key) ?? 0) + 1);
  const known = new Set(wanted);
  let twice = 0;
  let wrong = 0;
  for (const key of found) {
    const open = left.get(key) ?? 0;
    if (open > 0) left.set(key, open - 1);
    else if (known.has(key)) twice++;
    else wrong++;
  }
  const absent = [...left.values()].reduce((sum, open) => sum + open, 0);
  // A row with another text stands in the place of the one that is not there.
  return { missing: Math.max(0, absent - wrong), twice, wrong };
}
