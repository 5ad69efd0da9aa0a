import { can } from '#contract/roles.ts';
import type { Session, SignedInUser } from '#contract/session.ts';
import { pageSettings } from '#web/page-settings.ts';
import { call } from '../call.ts';
import { queryClient } from '../query-client.ts';
import { leaving, sessionQuery, startAnew } from '../session.ts';
import { forgetVideoTokens, renewTokens } from '../tokens.ts';
import { usersKey } from '../users.ts';
import { followSession, type SessionNews } from './session-events.ts';

/** Takes over what the server says of the session by itself, until it is told to stop. */
export function takeSessionNews(stop: AbortSignal): void {
  followSession(stop, hearNews);
}

function hearNews(heard: SessionNews): void {
  if (heard.news === 'users') void queryClient.invalidateQueries({ queryKey: usersKey });
  // Whoever leaves knows that the session ends, and is on the way to an open page.
  else if (!leaving.isUnderWay) takeSession(heard.session).catch((reason: unknown) => console.error('The session was not read.', reason));
}

async function takeSession(session: Session): Promise<void> {
  const before = knownUser();
  // An answer on its way may be of before.
  await queryClient.cancelQueries(sessionQuery);
  if (session.user && session.user.uid === before?.uid) return takeRoles(before, session.user);
  // What ended may be the session before this one, or it was another tab's stream that was refused: the server is asked.
  const { user } = await call('session', {});
  if (user && user.uid === before?.uid) takeRoles(before, user);
  else if (!leaving.isUnderWay) await startAnew();
}

/** The same person with other roles: what the page shows stays, the tokens follow. */
function takeRoles(before: SignedInUser, user: SignedInUser): void {
  queryClient.setQueryData(sessionQuery.queryKey, { user });
  if (JSON.stringify(before.roles) === JSON.stringify(user.roles)) return;
  if (!can(user.roles, 'view')) forgetVideoTokens();
  renewTokens();
  // What is told of a match hangs on it; the lists on show stay until they are told anew.
  if (can(before.roles, 'view') !== can(user.roles, 'view') && pageSettings.archive.guestsRead !== 'words')
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
}

function knownUser(): SignedInUser | null {
  return queryClient.getQueryData(sessionQuery.queryKey)?.user ?? null;
}
