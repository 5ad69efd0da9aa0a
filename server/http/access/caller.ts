import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { serverLimits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import { can } from '#contract/roles.ts';
import { chooseCookieStyle } from '#domain/signin/cookie-style.ts';
import { findSessionById, type LiveSession } from '#domain/signin/sessions.ts';
import { verifyUserBearer } from '#domain/tokens/user-bearer.ts';
import type { VideoClaims } from '#domain/tokens/video-token.ts';
import type { Context } from '../../context.ts';

export interface Caller {
  /** Null for a guest. Roles are those of this moment. */
  readonly user: LiveSession['user'] | null;
  readonly sid: string | null;
  /** Random id of this browser, whoever is signed in; thumbnail ids are made out to it. */
  readonly callerId: string;
  readonly adminFields: boolean;
  /** What the user was recognised by, when it was not an access token. */
  readonly by?: 'session cookie' | 'user bearer';
}

/** Who was let in; `video` says for which video, when a video token or a media cookie was the key. */
export interface Admitted extends Caller {
  readonly video?: VideoClaims & { readonly expiresAt: Date };
}

/** Who asks: by the user's bearer when there is one, else by the session cookie, else a guest. */
export async function findCaller(context: Context, request: FastifyRequest): Promise<Caller> {
  const callerId = readCallerId(context, request) ?? randomBytes(16).toString('base64url');
  const bearer = request.headers.authorization;
  const session = bearer === undefined ? await context.signIn.findSession(headersOf(request)) : await sessionOfBearer(context, bearer);
  if (!session) return { user: null, sid: null, callerId, adminFields: false };
  const by = bearer === undefined ? 'session cookie' : 'user bearer';
  return { user: session.user, sid: session.sid, callerId, adminFields: can(session.user.roles, 'admin'), by };
}

/** Keeps the caller's id in the browser, for another day each time, so that a renewed token opens what the one before it was shown. */
export function keepCallerId(context: Context, exchange: { request: FastifyRequest; reply: FastifyReply }, callerId: string): void {
  const { prefix, secure } = chooseCookieStyle(context.config.publicUrl, exchange.request.headers['user-agent'] ?? '');
  exchange.reply.setCookie(`${prefix}caller`, callerId, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: serverLimits.callerCookieLifetimeSeconds,
  });
}

async function sessionOfBearer(context: Context, header: string): Promise<LiveSession> {
  const token = header.match(/^bearer +([^\s,]+)$/i)?.[1] ?? '';
  const session = await findSessionById(context.pool, await verifyUserBearer(context.secrets, token));
  if (!session) throw new Problem('unauthenticated', 'This session has ended. Sign in again.');
  return session;
}

function readCallerId(context: Context, request: FastifyRequest): string | undefined {
  const { prefix } = chooseCookieStyle(context.config.publicUrl, request.headers['user-agent'] ?? '');
  return request.cookies[`${prefix}caller`]?.match(/^[\w-]{22}$/)?.[0];
}

function headersOf({ headers }: FastifyRequest): Headers {
  return new Headers({ cookie: headers.cookie ?? '', 'user-agent': headers['user-agent'] ?? '' });
}
