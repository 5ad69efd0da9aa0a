import type {} from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** The figures of a check, which `npm run -s report:access` prints. */
    report?: Readonly<Record<string, string | number>>;
  }
}

/** Leaves a test's figures where the reports find them; before its assertions, so that a check that fails still says by how much. */
export function putReport({ meta }: { meta: { report?: Readonly<Record<string, string | number>> } }, report: typeof meta.report): void {
  if (report) meta.report = report;
}
