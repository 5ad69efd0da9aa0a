import { useState } from 'react';
import type { UserRow } from '#contract/users.ts';
import { useSession } from '#web/api/session.ts';
import type { UserList } from '#web/api/users.ts';
import { Announcement } from '#web/components/announcement.tsx';
import { AdminFrame } from '#web/components/frame/admin-frame.tsx';
import { Button } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { DeleteUser } from './delete-user.tsx';
import { HoldContext, useHold } from './use-hold.ts';
import { useUserFilter } from './use-user-filter.ts';
import { useUserCount } from './use-user-list.ts';
import { UserSearch } from './user-search.tsx';
import { UsersTable } from './users-table.tsx';
import './admin.css';

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
              <h2>Waiting for activation</h2>
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

function countFound(users: number): string {
  return users === 1 ? '1 user found' : `${users.toLocaleString('en')} users found`;
}
