import { type ReactNode, useEffect } from 'react';
import { createPath, Navigate, useLocation } from 'react-router';
import { can, type Permission } from '#contract/roles.ts';
import { useSession } from '#web/api/session.ts';
import { paths } from '#web/paths.ts';
import { Main } from './main.tsx';
import { sentByGuard } from './sign-in-origin.ts';

/** Shows a page to whom it is meant for and sends the others on; the server refuses them its data in any case. */
export function Guarded({ need, children }: { need: Permission | 'signed-in'; children: ReactNode }) {
  const session = useSession();
  const here = createPath(useLocation());
  if (session.state === 'asking') return <Main busy />;
  if (session.state === 'guest') return <SentOn reason={`Not logged in: ${here}`} to={paths.login(here)} state={sentByGuard()} />;
  if (need === 'signed-in' || can(session.user.roles, need)) return children;
  const isWaiting = need !== 'admin' && !can(session.user.roles, 'view');
  const to = isWaiting ? paths.activationPending(here) : paths.homeWithReturnUrl(here);
  return <SentOn reason={`Missing the ${need} permission: ${here}`} to={to} />;
}

/** Says why in the console once, however often React draws it. */
function SentOn({ reason, to, state }: { reason: string; to: string; state?: unknown }) {
  useEffect(() => console.info(reason), [reason]);
  return <Navigate to={to} state={state} replace />;
}
