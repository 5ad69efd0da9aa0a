import { useMutation, useQuery } from '@tanstack/react-query';
import type { Account, OwnSession } from '#contract/account.ts';
import { can, type Roles } from '#contract/roles.ts';
import { routes } from '#contract/routes.ts';
import type { SignedInUser } from '#contract/session.ts';
import { signInWayNames } from '#contract/sign-in.ts';
import { accountQuery } from '#web/api/account.ts';
import { leaveSession, sessionQuery, useSession } from '#web/api/session.ts';
import { Main } from '#web/components/frame/main.tsx';
import { PageHeading } from '#web/components/frame/page-heading.tsx';
import { PageTitle } from '#web/components/frame/page-title.tsx';
import { LoadFailed } from '#web/components/table/load-failed.tsx';
import { useFailure } from '#web/components/table/use-failure.ts';
import { Button, buttonClassFor } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import '#web/styles/tables.css';
import '#web/styles/work.css';
import './account.css';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { LocalTime } from '#web/components/text/local-time.tsx';
import { paths } from '#web/paths.ts';
import { Confirm } from '#web/ui/confirm.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { Keys } from './keys.tsx';

/** Where people look after their own account. */
export function AccountPage() {
  const session = useSession();
  const account = useQuery(accountQuery);
  const failure = useFailure(account);
  if (session.state !== 'signed-in') return null;
  return (
    <Main busy={account.isPending}>
      <PageTitle title="Account" />
      <div className="work account">
        <PageHeading page="account">Account</PageHeading>
        {account.data && <Parts account={account.data} user={session.user} />}
        {failure && !account.data && <LoadFailed says={`Your account could not be loaded. ${failure.message}`} onRetry={account.refetch} />}
      </div>
    </Main>
  );
}

/** The part that the address names was not there yet when the page was opened. */
function toNamedPart(first: HTMLElement | null): void {
  const name = window.location.hash.slice(1);
  if (first && name !== '') document.getElementById(name)?.scrollIntoView();
}

function Parts({ account, user }: { account: Account; user: SignedInUser }) {
  return (
    <>
      <section className="account-part" aria-labelledby="account-you" ref={toNamedPart}>
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
            <dt>Sign-in</dt>
            <dd>{account.signInWays.map((way) => signInWayNames[way]).join(', ') || 'None yet'}</dd>
            <dt>May</dt>
            <dd>{rolesInWords(user.roles, account)}</dd>
          </dl>
        </div>
      </section>
      <OwnSessions sessions={account.sessions} />
      <Keys keys={account.keys} mayMake={can(user.roles, 'edit')} />
      <section className="account-part" aria-labelledby="account-data">
        <h2 id="account-data">Your data</h2>
        <div>
          <p>A JSON file with your account, your sign-ins, keys and all that the activity log holds of you.</p>
          <a className={`${buttonClassFor('outline')} account-act`} href={routes.accountExport.path} download>
            Download my data
          </a>
        </div>
      </section>
      <DeleteAccount />
    </>
  );
}

function Address({ account: { email, emailVerified } }: { account: Account }) {
  if (email === '') return 'None';
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
function rolesInWords(roles: Roles, { activatedAt }: Account): string {
  if (can(roles, 'admin')) return 'Watch, edit videos and administer this archive.';
  if (can(roles, 'edit')) return 'Watch and edit videos.';
  if (can(roles, 'view')) return 'Watch.';
  if (activatedAt !== null) return 'Search. An administrator has removed your access to the videos.';
  return 'Search. You can watch once an administrator has activated your account, within 24 hours.';
}

/** The name that everybody here sees; the server says what is wrong with one. */
function OwnName({ uid, saved }: { uid: string; saved: string }) {
  const [name, setName] = useState(saved);
  const save = useMutation({
    mutationFn: () => call('setOwnName', { uid, displayName: name }),
    onSuccess: async ({ displayName }) => {
      setName(displayName);
      showToast('Your name has been saved');
      await Promise.all([queryClient.refetchQueries(sessionQuery), queryClient.invalidateQueries(accountQuery)]);
    },
  });
  return (
    <form
      className="account-name"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (name !== saved) save.mutate();
      }}
    >
      <TextField
        label="Name"
        autoComplete="name"
        dir="auto"
        value={name}
        readOnly={save.isPending}
        fault={save.error?.message}
        onChange={({ target }) => {
          setName(target.value);
          save.reset();
        }}
      />
      <Button type="submit" look="outline" busy={save.isPending} aria-disabled={name === saved}>
        Save
      </Button>
    </form>
  );
}

/** The browsers in which one is signed in, and the way out of each. */
function OwnSessions({ sessions }: { sessions: readonly OwnSession[] }) {
  const navigate = useNavigate();
  const leave = useMutation({
    mutationFn: () =>
      leaveSession(
        () => call('signOutEverywhere', {}),
        () => navigate(paths.home),
      ),
    onSuccess: () => showToast('You have been signed out everywhere'),
    onError: ({ message }) => showToast(`You are still signed in. ${message}`, 'failed'),
  });
  return (
    <section className="account-part" aria-labelledby="account-sessions">
      <h2 id="account-sessions">Signed in</h2>
      <div>
        <ul className="account-sessions">
          {sessions.map((session) => (
            <Session key={session.sid} session={session} />
          ))}
        </ul>
        <Button look="outline" className="account-act" busy={leave.isPending} onClick={() => leave.mutate()}>
          Sign out everywhere
        </Button>
      </div>
    </section>
  );
}

function Session({ session: { sid, browser, signedInAt, lastSeenAt, isThis } }: { session: OwnSession }) {
  const end = useMutation({
    mutationFn: () => call('endOwnSession', { sid }),
    onSuccess: () => showToast(`${browser} has been signed out`),
    onError: ({ message }) => showToast(message, 'failed'),
    onSettled: () => queryClient.invalidateQueries(accountQuery),
  });
  return (
    <li>
      <div>
        <b>{browser}</b>
        <p>
          Since <LocalTime at={signedInAt} />, last seen <LocalTime at={lastSeenAt} />
        </p>
      </div>
      {isThis ? (
        <span className="tag">This one</span>
      ) : (
        <Button look="outline" size="small" busy={end.isPending} aria-label={`Sign out of ${browser}`} onClick={() => end.mutate()}>
          Sign out
        </Button>
      )}
    </li>
  );
}

/** Asks, deletes, goes home. When it is refused, as for the only administrator, the server's reason is told. */
function DeleteAccount() {
  const [isAsking, setAsking] = useState(false);
  const navigate = useNavigate();
  const removal = useMutation({
    mutationFn: () =>
      leaveSession(
        () => call('deleteOwnAccount', {}),
        () => navigate(paths.home),
      ),
    onSuccess: () => showToast('Your account has been deleted'),
    onError: ({ message }) => showToast(`Your account was not deleted. ${message}`, 'failed'),
    onSettled: () => setAsking(false),
  });
  return (
    <section className="account-part" aria-labelledby="account-end">
      <h2 id="account-end">Delete</h2>
      <div>
        <p>
          Your account, sessions and sign-in links are deleted at once. The activity log keeps what you did, with your name, e-mail address
          and network address.
        </p>
        <Button look="outline" className="account-act" onClick={() => setAsking(true)}>
          Delete my account
        </Button>
      </div>
      {isAsking && (
        <Confirm
          question="Delete your account?"
          action="Delete my account"
          icon="trash-2"
          busy={removal.isPending}
          onConfirm={() => removal.mutate()}
          onCancel={() => setAsking(false)}
        >
          <p>You are signed out everywhere and lose access at once. Signing in again starts a new activation request.</p>
        </Confirm>
      )}
    </section>
  );
}
