import { isLoopback } from './is-loopback.ts';

export interface CookieStyle {
  /** `__Host-` where cookies are secure: no other host and no plain connection can set such a name. */
  readonly prefix: '__Host-' | '';
  readonly secure: boolean;
}

/**
 * How cookies are written for this origin and browser: secure on https and on this machine,
 * except for Safari, which takes no secure cookie over http even there.
 */
export function chooseCookieStyle(origin: string, userAgent: string): CookieStyle {
  const { protocol, hostname } = new URL(origin);
  const secure = protocol === 'https:' || (isLoopback(hostname) && !isSafari(userAgent));
  return { prefix: secure ? '__Host-' : '', secure };
}

function isSafari(userAgent: string): boolean {
  return /\bSafari\//.test(userAgent) && !/\b(Chrome|Chromium|HeadlessChrome)\//.test(userAgent);
}
