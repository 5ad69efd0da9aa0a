import type { FastifyRequest } from 'fastify';
import type { LiveSession } from '#domain/signin/sessions.ts';
import type { Admitted, Caller } from './caller.ts';

/** The session of a caller whom `admit` let in as signed in. Throws when the route's need is another one: that is a bug. */
export function sessionOf({ user, sid }: Caller): LiveSession {
  if (!user || !sid) throw new Error('this route needs nobody to be signed in');
  return { user, sid };
}

/** By whom something is done, and from where, as the audit notes it. Throws as `sessionOf` does. */
export function byOf(caller: Caller, { ip }: Pick<FastifyRequest, 'ip'>): { actorUid: string; from: string } {
  return { actorUid: sessionOf(caller).user.uid, from: ip };
}

/** The video whose token or cookie let a caller in. Throws when the route's need is another one: that is a bug. */
export function videoOf({ video }: Admitted): NonNullable<Admitted['video']> {
  if (!video) throw new Error('this route needs no key to a video');
  return video;
}
