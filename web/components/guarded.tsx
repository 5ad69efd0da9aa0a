import { type ReactNode, useEffect, useState } from 'react';
import { createPath, Navigate, useLocation } from 'react-router';
import { can, type Permission } from '#contract/roles.ts';
import { isOffline } from '#web/api/call-failed.ts';
import { useSession } from '#web/api/session.ts';
import { paths } from '#web/paths.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { Main } from './frame/main.tsx';
import { PageTitle } from './frame/page-title.tsx';
import { sentByGuard } from './sign-in-origin.ts';
import { noConnection } from './table/load-more.tsx';

interface GuardedProps {
  need: Permission | 'signed-in';
  /** Whether the page itself says what happened when its visitor loses the permission while it is open; else they are sent on. */
  staysWhenLost?: boolean;
  children: ReactNode;
}

/** Shows a page to whom it is meant for and sends the others on; the server refuses them its data in any case. */
export function Guarded({ need, staysWhenLost = false, children }: GuardedProps) {
  const session = useSession();
  const drawn = useLocation();
  const here = createPath(drawn);
  const [shown, setShown] = useState<string | null>(null);
  const isIn = session.state === 'signed-in' && (need === 'signed-in' || can(session.user.roles, need));
  if (isIn && shown !== here) setShown(here);
  const isLost = !isIn && shown === here;
  if (isIn || (isLost && staysWhenLost)) return children;
  // The address is ahead of what is drawn: whoever ends their own session is on the way to an open page.
  const isBeingLeft = session.state === 'guest' && isLost && window.location.pathname !== drawn.pathname;
  if (session.state === 'asking') return <Asking trouble={session.trouble} />;
  if (isBeingLeft) return <Main busy />;
  if (session.state === 'guest') {
    const farewell = isLost ? 'You have been signed out.' : undefined;
    return <SentOn reason={`Not logged in: ${here}`} farewell={farewell} to={paths.login(here)} state={sentByGuard()} />;
  }
  const isWaiting = need !== 'admin' && !can(session.user.roles, 'view');
  const to = isWaiting ? paths.activationPending(here) : paths.homeWithReturnUrl(here);
  return <SentOn reason={`Missing the ${need} permission: ${here}`} farewell={isLost ? farewells[need] : undefined} to={to} />;
}

/** Until it is known who is here. */
function Asking({ trouble }: { trouble: Error | null }) {
  return (
    <Main busy>
      <PageTitle title="Loading" />
      {!trouble && (
        <p className="sr-only" role="status">
          Loading
        </p>
      )}
      {trouble && (
        <div className="search-waits" role="status">
          <Spinner />
          <p>{isOffline(trouble) ? noConnection : trouble.message}</p>
          <p>Trying again automatically.</p>
        </div>
      )}
    </Main>
  );
}

const farewells: Readonly<Record<GuardedProps['need'], string>> = {
  'signed-in': 'You have been signed out.',
  view: 'You no longer have access to the archive’s videos.',
  edit: 'You may no longer edit videos.',
  admin: 'You are no longer an administrator.',
};

interface SentOnProps {
  reason: string;
  /** What to tell somebody who had the page open. */
  farewell: string | undefined;
  to: string;
  state?: unknown;
}

/** Says why, once, however often React draws it: in the console, and to somebody who did nothing to be sent away. */
function SentOn({ reason, farewell, to, state }: SentOnProps) {
  useEffect(() => {
    console.info(reason);
    if (farewell) showToast(farewell, 'failed');
  }, [reason, farewell]);
  return <Navigate to={to} state={state} replace />;
}
