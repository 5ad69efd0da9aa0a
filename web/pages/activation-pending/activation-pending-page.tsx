import { Link, Navigate } from 'react-router';
import { can } from '#contract/roles.ts';
import { useSession } from '#web/api/session.ts';
import { Main } from '#web/components/main.tsx';
import { PageHeading } from '#web/components/page-heading.tsx';
import { PageTitle } from '#web/components/page-title.tsx';
import { paths } from '#web/paths.ts';
import { Icon } from '#web/ui/icon.tsx';
import { WaitingHall } from './waiting-hall.tsx';

export function ActivationPendingPage() {
  const session = useSession();
  if (session.state !== 'signed-in') return null;
  // Somebody who comes back to the window after the activation has nothing to wait for.
  if (can(session.user.roles, 'view')) return <Navigate to={paths.home} replace />;
  return (
    <Main>
      <PageTitle title="Thanks for signing up" />
      <section className="message-page">
        <div>
          <PageHeading page="activation-pending">Thanks for signing up</PageHeading>
          <p className="message-lead">The account will be activated within 24 hours, after which all archive content can be watched.</p>
          <ol className="steps">
            <li>
              <span className="step-state step-done">
                <Icon name="check" size={16} />
              </span>
              <span>Signed up as {session.user.email}</span>
            </li>
            <li>
              <span className="step-state step-now" />
              <b className="font-semibold">Waiting for activation</b>
            </li>
            <li className="step-wait">
              <span className="step-state" />
              <span>Watch the whole archive</span>
            </li>
          </ol>
          <p className="mt-6 text-ink-2">
            You can close this page.
            <br />
            Until then,{' '}
            <Link className="link" to={paths.home}>
              search is open
            </Link>
            .
          </p>
        </div>
        <WaitingHall />
      </section>
    </Main>
  );
}
