import { errorCodeOf } from './error-code.ts';

/** For the `catch` of a read: null for a file that is not there, or would lie below another file; any other error goes on. */
export function ignoreAbsent(error: unknown): null {
  if (['ENOENT', 'ENOTDIR'].includes(errorCodeOf(error))) return null;
  throw error;
}
