import { Problem } from '#contract/problem.ts';
import { can } from '#contract/roles.ts';
import { findSessionById, type LiveSession } from '#domain/signin/sessions.ts';
import type { VideoClaims } from '#domain/tokens/video-token.ts';
import type { Context } from '../../context.ts';

/**
 * The living session behind a video token or a media cookie, whose user may still watch.
 * A signature alone proves what was true when it was made.
 */
export async function requireViewer({ pool }: Pick<Context, 'pool'>, claims: VideoClaims): Promise<LiveSession> {
  const session = await findSessionById(pool, claims);
  if (!session) throw new Problem('unauthenticated', 'The session of this access token has ended. Sign in again.');
  if (!can(session.user.roles, 'view')) throw new Problem('forbidden', 'This account may not watch. An administrator can activate it.');
  if (session.user.authVersion !== claims.authVersion)
    throw new Problem('token_expired', 'Your roles have changed. Ask for a new access token.');
  return session;
}
