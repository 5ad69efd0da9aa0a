import { serverLimits } from '#contract/limits.ts';
import { type CookieStyle, chooseCookieStyle } from './cookie-style.ts';

const name = 'sid';

/** What the session's cookie is called where this style of cookies is used. */
export function nameSessionCookie(style: CookieStyle): string {
  return style.prefix + name;
}

/** What the cookie is called that binds a sign-in under way at a provider to the browser that began it. */
export function signInCookieName(style: CookieStyle): string {
  return `${style.prefix}sign-in`;
}

/** The session's secret in a `Cookie` header. The provider sign-in appends a signature of its own to it; the secret says it all. */
export function readSessionCookie(headers: Headers, origin: string): string | null {
  const wanted = `${nameSessionCookie(chooseCookieStyle(origin, headers.get('user-agent') ?? ''))}=`;
  const pair = headers
    .get('cookie')
    ?.split(/; */)
    .find((one) => one.startsWith(wanted));
  return pair?.slice(wanted.length).match(/^([\w-]{43})(?![\w-])/)?.[1] ?? null;
}

/** A `Set-Cookie` value that holds this secret, or none: then the browser forgets the cookie. */
export function writeSessionCookie(style: CookieStyle, secret: string | null): string {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${secret ? serverLimits.sessionCookieLifetimeSeconds : 0}${style.secure ? '; Secure' : ''}`;
  return `${nameSessionCookie(style)}=${secret ?? ''}; ${attributes}`;
}
