import { limits } from '#contract/limits.ts';
import { Problem } from '#contract/problem.ts';
import type { Secrets } from './secrets.ts';
import { isTokenOf, openToken, signToken } from './signed-token.ts';
import { accountTokenClass, mediaCookieClass, videoTokenClass } from './token-classes.ts';

export interface VideoClaims {
  readonly videoId: string;
  readonly uid: string;
  readonly sid: string;
  /** The user's `auth_version` when this was made: a change of roles or a deletion ends it. */
  readonly authVersion: number;
}

/** A token for the index, player, insights and frames of one video, 60 minutes. Ask for the view permission before. */
export async function mintVideoToken(secrets: Secrets, { videoId, uid, sid, authVersion }: VideoClaims): Promise<string> {
  const claims = { vid: videoId, sub: uid, sid, av: authVersion };
  return await signToken(secrets, videoTokenClass, { claims, lifetimeSeconds: limits.accessTokenLifetimeSeconds });
}

/** What a video token says. Throws a Problem: `forbidden` for an account token, `unauthenticated` or `token_expired` for the rest. */
export async function verifyVideoToken(secrets: Secrets, token: string): Promise<VideoClaims & { expiresAt: Date }> {
  if (await isTokenOf(secrets, accountTokenClass, token))
    throw new Problem('forbidden', 'An account token does not give access to a video. Use that video’s token.');
  const { vid, sub, sid, av, exp } = await openToken(secrets, videoTokenClass, token);
  return { videoId: vid, uid: sub, sid, authVersion: av, expiresAt: new Date(exp * 1_000) };
}

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
