import type { FastifyRequest } from 'fastify';
import { Problem } from '#contract/problem.ts';
import type { LiveSession } from '#domain/signin/sessions.ts';
import { refuseOtherSites } from '../own-origin.ts';
import type { Caller } from './caller.ts';
import { sessionOf } from './session-of.ts';

/** The session of a page of ours, which came with the cookie; throws `unauthenticated` for a bearer, and `forbidden` for a page of another site. */
export function pageSessionOf(caller: Caller, request: FastifyRequest): LiveSession {
  if (caller.by !== 'session cookie') throw new Problem('unauthenticated', 'This is given for a session cookie only.');
  refuseOtherSites(request);
  return sessionOf(caller);
}
