import { chooseCookieStyle } from '#domain/signin/cookie-style.ts';
import { writeSessionCookie } from '#domain/signin/session-cookie.ts';
import type { Context } from '../../context.ts';
import type { Exchange } from '../serve.ts';

/** Gives the browser the cookie of a session, by its secret; null takes the cookie away. */
export function setSessionCookie({ config }: Context, { request, reply }: Exchange, secret: string | null): void {
  reply.header('set-cookie', writeSessionCookie(chooseCookieStyle(config.publicUrl, request.headers['user-agent'] ?? ''), secret));
}
