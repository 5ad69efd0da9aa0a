import type { LiveSession } from '#domain/signin/sessions.ts';
import type { Caller } from './caller.ts';

/** The session of a caller whom `admit` let in as signed in. Throws when the route's need is another one: that is a bug. */
export function sessionOf({ user, sid }: Caller): LiveSession {
  if (!user || !sid) throw new Error('this route needs nobody to be signed in');
  return { user, sid };
}
