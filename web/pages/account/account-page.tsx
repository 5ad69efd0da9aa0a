import { useQuery } from '@tanstack/react-query';
import type { Account } from '#contract/account.ts';
import { can, type Roles } from '#contract/roles.ts';
import { routes } from '#contract/routes.ts';
import type { SignedInUser } from '#contract/session.ts';
import { signInWayNames } from '#contract/sign-in.ts';
import { accountQuery } from '#web/api/account.ts';
import { useSession } from '#web/api/session.ts';
import { Main } from '#web/components/frame/main.tsx';
import { PageHeading } from '#web/components/frame/page-heading.tsx';
import { PageTitle } from '#web/components/frame/page-title.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import '#web/styles/tables.css';
import '#web/styles/work.css';
import './account.css';
import { DeleteAccount } from './delete-account.tsx';
import { OwnName } from './own-name.tsx';
import { OwnSessions } from './own-sessions.tsx';

/** Where people look after their own account. */
export function AccountPage() {
  const session = useSession();
  const account = useQuery(accountQuery);
  if (session.state !== 'signed-in') return null;
  return (
    <Main busy={account.isPending}>
      <PageTitle title="Account" />
      <div className="work account">
        <PageHeading page="account">Account</PageHeading>
        {account.data && <Parts account={account.data} user={session.user} />}
        {account.isError && !account.data && (
          <p className="account-failed" role="alert">
            Your account could not be read. {account.error.message}{' '}
            <Button look="outline" size="small" onClick={() => account.refetch()}>
              Try again
            </Button>
          </p>
        )}
      </div>
    </Main>
  );
}

function Parts({ account, user }: { account: Account; user: SignedInUser }) {
  return (
    <>
      <section className="account-part" aria-labelledby="account-you">
        <h2 id="account-you">You</h2>
        <div>
          <OwnName uid={user.uid} saved={account.displayName} />
          <dl className="account-facts">
            <dt>Picture</dt>
            <dd>
              <img className="avatar avatar-large" src={user.photoUrl} alt="" />
              Drawn by this archive from your {account.email ? 'e-mail address' : 'account'}.
            </dd>
            <dt>E-mail</dt>
            <dd>
              <Address account={account} />
            </dd>
            <dt>Signs in by</dt>
            <dd>{account.signInWays.map((way) => signInWayNames[way]).join(', ') || 'Nothing yet'}</dd>
            <dt>May</dt>
            <dd>{rolesInWords(user.roles)}</dd>
          </dl>
        </div>
      </section>
      <OwnSessions sessions={account.sessions} />
      <section className="account-part" aria-labelledby="account-data">
        <h2 id="account-data">Your data</h2>
        <div>
          <p>A JSON file with everything that this archive keeps about you.</p>
          <a className={`${buttonClass('outline')} account-act`} href={routes.accountExport.path} download>
            Download my data
          </a>
        </div>
      </section>
      <DeleteAccount />
    </>
  );
}

function Address({ account: { email, emailVerified } }: { account: Account }) {
  if (email === '') return 'None is known.';
  return (
    <>
      <bdi>{email}</bdi>
      <span className="tag">
        {emailVerified && <Icon name="check" size={16} />}
        {emailVerified ? 'Verified' : 'Not verified'}
      </span>
    </>
  );
}

/** What somebody may do here; the roles under the names that the administrators' switches have. */
function rolesInWords(roles: Roles): string {
  if (can(roles, 'admin')) return 'Watch, edit videos and administer this archive.';
  if (can(roles, 'edit')) return 'Watch and edit videos.';
  if (can(roles, 'view')) return 'Watch.';
  return 'Search. Watching waits for an administrator, who activates new accounts within 24 hours.';
}
