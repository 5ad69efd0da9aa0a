import { useEffect, useState } from 'react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import { can } from '#contract/roles.ts';
import type { SignedInUser } from '#contract/session.ts';
import { useSession } from '#web/api/session.ts';
import { Announcement } from '#web/components/announcement.tsx';
import { Main } from '#web/components/frame/main.tsx';
import { PageHeading } from '#web/components/frame/page-heading.tsx';
import { PageTitle } from '#web/components/frame/page-title.tsx';
import { paths } from '#web/paths.ts';
import { OwnNote } from './own-note.tsx';
import { pageAfterwards } from './page-afterwards.ts';
import { WaitingHall } from './waiting-hall.tsx';
import { WaitingSteps } from './waiting-steps.tsx';
import './activation-pending.css';

const confirmedForMs = 1_500;

/** Where somebody without a role waits; it moves on by itself when an administrator has given them one. */
export function ActivationPendingPage() {
  const session = useSession();
  const [parameters] = useSearchParams();
  const isActive = session.state === 'signed-in' && can(session.user.roles, 'view');
  const [hasWaited] = useState(!isActive);
  const next = pageAfterwards(parameters);
  if (session.state !== 'signed-in') return null;
  // Somebody who comes after the activation has nothing to wait for.
  if (!hasWaited) return <Navigate to={next} replace />;
  return <Waiting user={session.user} isActive={isActive} next={next} />;
}

function Waiting({ user, isActive, next }: { user: SignedInUser; isActive: boolean; next: string }) {
  const navigate = useNavigate();
  // Long enough to read why the page changes.
  useEffect(() => {
    if (!isActive) return;
    const timer = setTimeout(() => navigate(next, { replace: true }), confirmedForMs);
    return () => clearTimeout(timer);
  }, [isActive, next, navigate]);
  return (
    <Main>
      <PageTitle title="Thanks for signing up" />
      <section className="message-page">
        <div>
          <PageHeading page="activation-pending">Thanks for signing up</PageHeading>
          <p className="message-lead">The account will be activated within 24 hours, after which all archive content can be watched.</p>
          <Announcement text={isActive ? 'Your account is active' : ''} />
          <WaitingSteps name={user.email || user.displayName} isActive={isActive} />
          <p className="mt-6 text-ink-2">
            You can close this page. It moves on by itself once the account is active.
            <br />
            Until then,{' '}
            <Link className="link" to={paths.home}>
              search is open
            </Link>
            .
          </p>
          <OwnNote />
        </div>
        <WaitingHall />
      </section>
    </Main>
  );
}
