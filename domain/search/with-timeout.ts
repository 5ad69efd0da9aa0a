import type { Statement } from '../db/sql.ts';

export const searchTimeoutMs = 2_000;

/** A statement of a search: nobody waits longer for one. */
export function withTimeout(statement: Statement, timeoutMs: number = searchTimeoutMs): Statement & { readonly query_timeout: number } {
  return { ...statement, query_timeout: timeoutMs };
}
