import type { TestContext } from 'vitest';

/** What one check says of itself. A check that cannot run on this machine says why, as `skipped`. */
export type CheckFigures = Readonly<Record<string, string | number | readonly string[]>>;

declare module 'vitest' {
  interface TaskMeta {
    /** The figures of a check, which `npm run -s report:access` prints. */
    report?: CheckFigures;
  }
}

/** Leaves a test's figures where the reports find them; before its assertions, so that a check that fails still says by how much. */
export function putReport({ meta }: { meta: { report?: CheckFigures } }, report: CheckFigures): void {
  meta.report = report;
}

/** Skips a test where something says why it cannot run here, and leaves that as the figures of its check. */
export function skipWhere({ task, skip }: Pick<TestContext, 'task' | 'skip'>, check: string, why: string | undefined): void {
  if (why === undefined) return;
  putReport(task, { check, skipped: why });
  skip(why);
}
