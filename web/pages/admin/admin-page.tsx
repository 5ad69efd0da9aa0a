/*
 * Administration: users here, with what was done (activity-page) and how the archive stands (status-page). words says each activity in words.
 */
import './admin.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useCallback, useState } from 'react';
import { Link } from 'react-router';
import { limits } from '#contract/limits.ts';
import type { UserPage, UserRow } from '#contract/users.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { useSession } from '#web/api/session.ts';
import { attentionQuery, type UserList, usersKey } from '#web/api/users.ts';
import { Announcement } from '#web/components/announcement.tsx';
import { AdminFrame, backupState } from '#web/components/frame/admin-frame.tsx';
import { keepFocusNear } from '#web/components/keep-focus-near.ts';
import { LoadFailed } from '#web/components/table/load-failed.tsx';
import { NameAndEmail } from '#web/components/table/name-and-email.tsx';
import { SortHead } from '#web/components/table/sort-head.tsx';
import { TableGap } from '#web/components/table/table-gap.tsx';
import { TableSearch } from '#web/components/table/table-search.tsx';
import { useVisibleRows } from '#web/components/table/use-visible-rows.ts';
import { nameCount } from '#web/components/text/count-wording.ts';
import { Confirm } from '#web/ui/confirm.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { showToast } from '#web/ui/toast.tsx';
import { explainFailure } from './explain-failure.ts';
import { HoldContext, type UserFilter, useHold, useUserCount, useUserFilter, useUsersAt } from './use-users.ts';
import { UserCells } from './user-cells.tsx';
import { describeAttention } from './words.ts';

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
  // What saves at once must not move under the pointer: no table before all that stands above it.
  const isComing = [waiting, active, useQuery(attentionQuery), useQuery(backupState)].some(({ isPending }) => isPending);
  const failed = [waiting, active].find(({ isError }) => isError);
  return (
    <AdminFrame
      tab="users"
      aside={
        <TableSearch
          name="Users"
          label="Search users by name or e-mail"
          placeholder="Name or e-mail"
          text={search}
          maxLength={limits.userSearchMaxCodePoints}
          onSearch={filter.onSearch}
        />
      }
    >
      <HoldContext value={hold}>
        <ToLookAt />
        {search && active.isSuccess && waiting.isSuccess && <Announcement text={countFound(waitingTotal + activeTotal)} />}
        {failed && (
          <LoadFailed
            says={`The users could not be loaded. ${failed.error?.message}`}
            onRetry={() => Promise.all([waiting.refetch(), active.refetch()])}
          />
        )}
        {!isComing && waitingTotal > 0 && (
          <section>
            <WaitingHead listed={waitingTotal} isSearch={search !== ''} />
            <UsersTable label="Waiting for activation" list={waitingList} total={waitingTotal} first={waiting.data} {...shared} />
          </section>
        )}
        <section>
          <div className="table-head">
            <h2>Active users</h2>
            {active.data && <span className="tag">{activeTotal.toLocaleString('en')}</span>}
          </div>
          {isComing && !failed && <Spinner label="Loading users" />}
          {!isComing && activeTotal > 0 && (
            <UsersTable label="Active users" list={activeList} total={activeTotal} first={active.data} filter={filter} {...shared} />
          )}
          {!isComing && active.data && activeTotal === 0 && (
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

/** Those whose access was removed stand behind those who wait to be let in, and are not counted with them. */
function WaitingHead({ listed, isSearch }: { listed: number; isSearch: boolean }) {
  const { data } = useQuery(attentionQuery);
  const waiting = isSearch || !data ? listed : Math.min(listed, data.waiting);
  const removed = nameCount(listed - waiting, 'account');
  return (
    <div className="table-head">
      <h2 id="waiting" tabIndex={-1}>
        {waiting > 0 ? 'Waiting for activation' : 'Access removed'}
      </h2>
      <span className="tag">{(waiting || listed).toLocaleString('en')}</span>
      <p>
        {waiting > 0 ? 'Turn on Watch to activate an account.' : 'Turn on Watch to give it back.'}
        {waiting > 0 && listed > waiting && ` Below: ${removed} whose access was removed.`}
      </p>
    </div>
  );
}

/** What waits for an administrator, here and elsewhere. */
function ToLookAt() {
  const { data } = useQuery(attentionQuery);
  const all = data ? describeAttention(data) : [];
  if (all.length === 0) return null;
  return (
    <nav className="to-look-at" aria-label="Needs attention">
      {all.map(({ words, to }) => (
        <Link key={to} className="link" to={to} onClick={() => document.getElementById(to.split('#')[1] ?? '')?.focus()}>
          {words}
        </Link>
      ))}
    </nav>
  );
}

function countFound(users: number): string {
  return `${nameCount(users, 'user')} found`;
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

interface UsersTableProps {
  label: string;
  list: UserList;
  /** How many there are, and the first of them. */
  total: number;
  first: UserPage | undefined;
  ownUid: string;
  isHeld: boolean;
  /** Without it the heads do not sort. */
  filter?: UserFilter;
  onDelete: (user: UserRow) => void;
}

/** A table of users of which only the rows in sight are drawn, and asked for. */
function UsersTable({ label, list, total, first, ownUid, isHeld, filter, onDelete }: UsersTableProps) {
  const { rows, gapAfterPx, measure, body } = useVisibleRows(total, estimateRowPx);
  const userAt = useUsersAt(list, { rows: rows.map(({ index }) => index), first, isHeld });
  return (
    <table className="table users-table" aria-label={label} aria-rowcount={total + 1}>
      <thead>
        <tr aria-rowindex={1}>
          <UserHead by="displayName" filter={filter}>
            User
          </UserHead>
          <UserHead by="signedUpAt" filter={filter}>
            Signed up
          </UserHead>
          <th scope="col">Watch</th>
          <th scope="col">Edit Videos</th>
          <th scope="col">Admin</th>
          <th scope="col">
            <span className="sr-only">Delete</span>
          </th>
        </tr>
      </thead>
      <tbody {...body} onKeyDown={goAlongColumn}>
        {rows.flatMap(({ index, gapPx }) => {
          const user = userAt(index);
          return [
            <TableGap key={`gap ${index}`} columns={6} heightPx={gapPx} />,
            <Row key={user?.uid ?? index} uid={user?.uid} index={index} measure={measure}>
              {user ? (
                <UserCells user={user} group={list.group} isOwn={user.uid === ownUid} onDelete={() => onDelete(user)} />
              ) : (
                <td colSpan={6} aria-busy className="user-loading" />
              )}
            </Row>,
          ];
        })}
        <TableGap columns={6} heightPx={gapAfterPx} />
      </tbody>
    </table>
  );
}

interface RowProps {
  uid: string | undefined;
  index: number;
  measure: (row: HTMLTableRowElement | null) => void;
  children: ReactNode;
}

function Row({ uid, index, measure, children }: RowProps) {
  const take = useCallback(
    (row: HTMLTableRowElement) => {
      measure(row);
      const leave = keepFocusNear(row);
      return () => {
        leave();
        measure(null);
      };
    },
    [measure],
  );
  return (
    <tr ref={take} data-key={uid} data-index={index} aria-rowindex={index + 2}>
      {children}
    </tr>
  );
}

function UserHead({ by, filter, children }: { by: 'displayName' | 'signedUpAt'; filter: UserFilter | undefined; children: string }) {
  if (!filter) return <th scope="col">{children}</th>;
  return (
    <SortHead order={filter.sort === by ? filter.order : undefined} onSort={() => filter.onSort(by)}>
      {children}
    </SortHead>
  );
}

/** On a phone a row is a card. */
function estimateRowPx(): number {
  return window.innerWidth > 760 ? 65 : 196;
}

/** The up and down arrows go from a switch to the same one of the row above or below. */
function goAlongColumn(event: KeyboardEvent<HTMLTableSectionElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const cell = document.activeElement?.closest('td');
  const row = cell?.closest('tr');
  if (!cell || !row) return;
  event.preventDefault();
  const after = (one: Element) => (event.key === 'ArrowDown' ? one.nextElementSibling : one.previousElementSibling);
  // One's own row has none that may be pressed.
  for (let next = after(row); next; next = after(next)) {
    const control = next.querySelector<HTMLElement>(`td:nth-child(${cell.cellIndex + 1}) button:enabled`);
    if (!control) continue;
    control.focus();
    return;
  }
}
