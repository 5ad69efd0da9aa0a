import { errorCodeOf } from '../system/error-code.ts';
import { errorMessageOf } from '../system/error-message.ts';

const lost = ['ECONNRESET', 'EPIPE'];
/** https://www.postgresql.org/docs/current/errcodes-appendix.html: shutting down, crashed, starting up, and too many connections. */
const ending = ['57P01', '57P02', '57P03', '53300'];

/** Whether the database cannot be reached now, which passes: refused, lost, starting, ending, silent, full, or no connection free in time. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('syscall' in error && error.syscall === 'connect') return true;
  if ([...lost, ...ending].includes(errorCodeOf(error))) return true;
  return isConnectionLate(error) || isUnanswered(error) || /^Connection terminated/.test(errorMessageOf(error));
}

/** Whether a connection was not made, or none was free, within the time that the pool waits for one. */
export function isConnectionLate(error: unknown): boolean {
  return /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout)/.test(errorMessageOf(error));
}

/** Whether the driver gave up on a statement that was not answered in time; there is no code for it. The connection is still at it. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
