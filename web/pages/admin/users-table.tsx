import { type KeyboardEvent, type ReactNode, useCallback } from 'react';
import type { UserPage, UserRow } from '#contract/users.ts';
import type { UserList } from '#web/api/users.ts';
import { keepFocusNear } from '#web/components/keep-focus-near.ts';
import { SortHead } from '#web/components/table/sort-head.tsx';
import { TableGap } from '#web/components/table/table-gap.tsx';
import { useVisibleRows } from '#web/components/table/use-visible-rows.ts';
import type { UserFilter } from './use-user-filter.ts';
import { useUsersAt } from './use-user-list.ts';
import { UserCells } from './user-cells.tsx';

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
export function UsersTable({ label, list, total, first, ownUid, isHeld, filter, onDelete }: UsersTableProps) {
  const { rows, gapAfterPx, measure, body } = useVisibleRows(total, rowHeightPx);
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
function rowHeightPx(): number {
  return window.innerWidth > 760 ? 65 : 196;
}

/** The up and down arrows go from a switch to the same one of the row above or below. */
function goAlongColumn(event: KeyboardEvent<HTMLTableSectionElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const cell = document.activeElement?.closest('td');
  const row = cell?.closest('tr');
  if (!cell || !row) return;
  event.preventDefault();
  const next = event.key === 'ArrowDown' ? row.nextElementSibling : row.previousElementSibling;
  next?.querySelector<HTMLElement>(`td:nth-child(${cell.cellIndex + 1}) button:enabled`)?.focus();
}
