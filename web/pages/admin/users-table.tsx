import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import type { UserPage, UserRow } from '#contract/users.ts';
import type { UserList } from '#web/api/users.ts';
import { Icon } from '#web/ui/icon.tsx';
import { useFocusKeptNear } from './use-focus-kept-near.ts';
import type { UserFilter } from './use-user-filter.ts';
import { useUsersAt } from './use-user-list.ts';
import { useVisibleRows } from './use-visible-rows.ts';
import { UserCells } from './user-cells.tsx';

export interface UsersTableProps {
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
  const { rows, gapAfterPx, measure, body } = useVisibleRows(total);
  const userAt = useUsersAt(list, { rows: rows.map(({ index }) => index), first, isHeld });
  return (
    <table className="table users-table" aria-label={label} aria-rowcount={total + 1}>
      <thead>
        <tr aria-rowindex={1}>
          <SortHead by="displayName" filter={filter}>
            User
          </SortHead>
          <SortHead by="signedUpAt" filter={filter}>
            Signed up
          </SortHead>
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
            <Gap key={`gap ${index}`} heightPx={gapPx} />,
            <Row key={user?.uid ?? index} index={index} measure={measure}>
              {user ? (
                <UserCells user={user} group={list.group} isOwn={user.uid === ownUid} onDelete={() => onDelete(user)} />
              ) : (
                <td colSpan={6} aria-busy className="user-loading" />
              )}
            </Row>,
          ];
        })}
        <Gap heightPx={gapAfterPx} />
      </tbody>
    </table>
  );
}

function Row({ index, measure, children }: { index: number; measure: (row: HTMLTableRowElement | null) => void; children: ReactNode }) {
  const row = useRef<HTMLTableRowElement>(null);
  useFocusKeptNear(row);
  const take = (element: HTMLTableRowElement | null) => {
    row.current = element;
    measure(element);
  };
  return (
    <tr ref={take} data-index={index} aria-rowindex={index + 2}>
      {children}
    </tr>
  );
}

function Gap({ heightPx }: { heightPx: number }) {
  if (heightPx < 1) return null;
  return (
    <tr className="table-gap">
      <td colSpan={6} style={{ height: heightPx }} />
    </tr>
  );
}

function SortHead({ by, filter, children }: { by: 'displayName' | 'signedUpAt'; filter: UserFilter | undefined; children: ReactNode }) {
  if (!filter) return <th scope="col">{children}</th>;
  const order = filter.sort === by ? filter.order : undefined;
  return (
    <th scope="col" aria-sort={order && (order === 'asc' ? 'ascending' : 'descending')}>
      <button type="button" className="sort-button" onClick={() => filter.onSort(by)}>
        {children}
        {order && <Icon name={order === 'asc' ? 'chevron-up' : 'chevron-down'} size={16} />}
      </button>
    </th>
  );
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
