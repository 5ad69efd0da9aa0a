import type { Secrets } from './secrets.ts';
import { openToken, signToken } from './signed-token.ts';
import { mediaCookieClass } from './token-classes.ts';
import type { VideoClaims } from './video-token.ts';

/** The stream cookie of one video; it ends when the video token that it was made from does. */
export async function signMediaCookie(
  secrets: Secrets,
  { videoId, uid, sid, authVersion, expiresAt }: VideoClaims & { expiresAt: Date },
): Promise<string> {
  const lifetimeSeconds = Math.max(0, Math.floor(expiresAt.getTime() / 1_000) - Math.floor(Date.now() / 1_000));
  return await signToken(secrets, mediaCookieClass, { claims: { vid: videoId, sub: uid, sid, av: authVersion }, lifetimeSeconds });
}

/** What a stream cookie says. Throws `unauthenticated` or `token_expired`. */
export async function verifyMediaCookie(secrets: Secrets, cookie: string): Promise<VideoClaims & { expiresAt: Date }> {
  const { vid, sub, sid, av, exp } = await openToken(secrets, mediaCookieClass, cookie);
  return { videoId: vid, uid: sub, sid, authVersion: av, expiresAt: new Date(exp * 1_000) };
}
