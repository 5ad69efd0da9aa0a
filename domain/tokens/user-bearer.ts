import { limits } from '#contract/limits.ts';
import type { Secrets } from './secrets.ts';
import { openToken, signToken } from './signed-token.ts';
import { userBearerClass } from './token-classes.ts';

/** The user towards our own functions for ten minutes; worth nothing once the session `sid` has ended. */
export async function mintUserBearer(secrets: Secrets, { uid, sid }: { uid: string; sid: string }): Promise<string> {
  return await signToken(secrets, userBearerClass, { claims: { sub: uid, sid }, lifetimeSeconds: limits.userBearerLifetimeSeconds });
}

/** Whose bearer this is. Throws `unauthenticated` or `token_expired`; whether the session lives is the caller's question. */
export async function verifyUserBearer(secrets: Secrets, token: string): Promise<{ uid: string; sid: string }> {
  const { sub, sid } = await openToken(secrets, userBearerClass, token);
  return { uid: sub, sid };
}
