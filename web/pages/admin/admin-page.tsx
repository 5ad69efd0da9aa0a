import { useState } from 'react';
import type { UserRow } from '#contract/users.ts';
import { useSession } from '#web/api/session.ts';
import { attentionQuery, type UserList, usersKey } from '#web/api/users.ts';
import { Announcement } from '#web/components/announcement.tsx';
import { AdminFrame } from '#web/components/frame/admin-frame.tsx';
import { Button } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { HoldContext, useHold } from './use-hold.ts';
import { useUserFilter } from './use-user-filter.ts';
import { useUserCount } from './use-user-list.ts';
import { UsersTable } from './users-table.tsx';
import './admin.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { limits } from '#contract/limits.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { NameAndEmail } from '#web/components/table/name-and-email.tsx';
import { useLater } from '#web/components/use-later.ts';
import { Confirm } from '#web/ui/confirm.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { explainFailure } from './explain-failure.ts';
import { attentionWords } from './words.ts';

/** The users of the archive: first those who wait to be let in, then those who are. */
export function AdminPage() {
  const session = useSession();
  const filter = useUserFilter();
  const { isHeld, hold } = useHold();
  const [doomed, setDoomed] = useState<UserRow | null>(null);
  const { search, sort, order } = filter;
  const waitingList: UserList = { group: 'waiting', search, sort: 'signedUpAt', order: 'asc' };
  const activeList: UserList = { group: 'active', search, sort, order };
  const waiting = useUserCount(waitingList, isHeld);
  const active = useUserCount(activeList, isHeld);
  const shared = { ownUid: session.state === 'signed-in' ? session.user.uid : '', isHeld, onDelete: setDoomed };
  const [waitingTotal, activeTotal] = [waiting.data?.total ?? 0, active.data?.total ?? 0];
  const failed = [waiting, active].find(({ isError }) => isError);
  return (
    <AdminFrame tab="users" aside={<UserSearch search={search} onSearch={filter.onSearch} />}>
      <HoldContext value={hold}>
        <ToLookAt />
        {search && active.isSuccess && waiting.isSuccess && <Announcement text={countFound(waitingTotal + activeTotal)} />}
        {failed && (
          <div className="table-failed" role="alert">
            <p>The users could not be read. {failed.error?.message}</p>
            <Button look="outline" onClick={() => void Promise.all([waiting.refetch(), active.refetch()])}>
              Try again
            </Button>
          </div>
        )}
        {waitingTotal > 0 && (
          <section>
            <div className="table-head">
              <h2 id="waiting" tabIndex={-1}>
                Waiting for activation
              </h2>
              <span className="tag">{waitingTotal.toLocaleString('en')}</span>
              <p>Turn on Watch to activate an account.</p>
            </div>
            <UsersTable label="Waiting for activation" list={waitingList} total={waitingTotal} first={waiting.data} {...shared} />
          </section>
        )}
        <section>
          <div className="table-head">
            <h2>Active users</h2>
            <span className="tag">{activeTotal.toLocaleString('en')}</span>
          </div>
          {active.isPending && !failed && <Spinner label="Loading users" />}
          {activeTotal > 0 && (
            <UsersTable label="Active users" list={activeList} total={activeTotal} first={active.data} filter={filter} {...shared} />
          )}
          {active.data && activeTotal === 0 && (
            <p className="table-none">
              No active user with <q>{search}</q> in name or e-mail.
            </p>
          )}
        </section>
        {doomed && <DeleteUser user={doomed} onClose={() => setDoomed(null)} />}
      </HoldContext>
    </AdminFrame>
  );
}

/** What waits for an administrator, here and elsewhere. */
function ToLookAt() {
  const { data } = useQuery(attentionQuery);
  const all = data ? attentionWords(data) : [];
  if (all.length === 0) return null;
  return (
    <nav className="to-look-at" aria-label="To look at">
      {all.map(({ words, to }) => (
        <Link key={to} className="link" to={to} onClick={() => document.getElementById(to.split('#')[1] ?? '')?.focus()}>
          {words}
        </Link>
      ))}
    </nav>
  );
}

function countFound(users: number): string {
  return users === 1 ? '1 user found' : `${users.toLocaleString('en')} users found`;
}

/** Asks, deletes, says so. When it fails the row stays. */
function DeleteUser({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const removal = useMutation({
    mutationFn: () => call('deleteUser', { uid: user.uid }),
    onSuccess: () => showToast('User has been deleted'),
    onError: (reason) => showToast(explainFailure(reason, 'The user was not deleted.'), 'failed'),
    onSettled: () => {
      onClose();
      void queryClient.invalidateQueries({ queryKey: usersKey });
    },
  });
  return (
    <Confirm
      question="Are you sure you want to delete this user?"
      action="Delete user"
      icon="trash-2"
      busy={removal.isPending}
      onConfirm={() => removal.mutate()}
      onCancel={onClose}
    >
      <div className="who">
        <img className="avatar avatar-large" src={user.photoUrl} alt="" />
        <span className="who-text">
          <NameAndEmail person={user} />
        </span>
      </div>
      <p>The account loses access at once. Signing in again starts a new activation request.</p>
    </Confirm>
  );
}

interface UserSearchProps {
  search: string;
  onSearch: (search: string) => void;
}

/** Looks for users by a part of their name or e-mail, a moment after the last letter. */
function UserSearch({ search, onSearch }: UserSearchProps) {
  // What is being typed stands over the address, which follows it.
  const [typed, setTyped] = useState<string | null>(null);
  const later = useLater(limits.searchDebounceMs);
  const type = (text: string) => {
    setTyped(text);
    later.begin(() => onSearch(text));
  };
  const leave = () => {
    later.cancel();
    if (typed !== null && typed.trim() !== search) onSearch(typed);
    setTyped(null);
  };
  return (
    <search ref={later.ref} className="table-search" aria-label="Users">
      <Icon name="search" />
      <input
        type="search"
        aria-label="Search users by name or e-mail"
        placeholder="Name or e-mail"
        maxLength={limits.userSearchMaxCodePoints}
        autoComplete="off"
        spellCheck={false}
        value={typed ?? search}
        onChange={(event) => type(event.target.value)}
        onBlur={leave}
      />
    </search>
  );
}
