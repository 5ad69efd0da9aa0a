import { errorCode } from '../db/error-code.ts';

/** For the `catch` of a read: null for a file that is not there; any other error goes on. */
export function nullWhenAbsent(error: unknown): null {
  if (errorCode(error) === 'ENOENT') return null;
  throw error;
}
