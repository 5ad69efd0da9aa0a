import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { createContext, useState } from 'react';
import { useSearchParams } from 'react-router';
import { limits } from '#contract/limits.ts';
import type { UserPage, UserRow } from '#contract/users.ts';
import { type UserList, usersIn } from '#web/api/users.ts';

const pageSize = limits.pageSizeMax;

/** The first piece of a list, which says how long the list is. */
export function useUserCount(list: UserList, isHeld: boolean) {
  return useQuery({ ...usersIn(list, 0), placeholderData: keepPreviousData, enabled: !isHeld });
}

/** The users at these rows, asked for in pieces; `undefined` for one that is on its way. */
export function useUsersAt(
  list: UserList,
  { rows, first, isHeld }: { rows: readonly number[]; first: UserPage | undefined; isHeld: boolean },
) {
  const pages = [...new Set(rows.map((row) => Math.floor(row / pageSize)))].filter((page) => page > 0);
  const pieces = useQueries({ queries: pages.map((page) => ({ ...usersIn(list, page), enabled: !isHeld })) });
  return (row: number): UserRow | undefined => {
    const page = Math.floor(row / pageSize);
    const piece = page === 0 ? first : pieces[pages.indexOf(page)]?.data;
    return piece?.users[row % pageSize];
  };
}

type UserSort = Pick<UserList, 'sort' | 'order'>;

export interface UserFilter extends UserSort {
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly onSort: (sort: UserSort['sort']) => void;
}

/** What is looked for among the users and how they are sorted: it lives in the address. */
export function useUserFilter(): UserFilter {
  const [params, setParams] = useSearchParams();
  const sort = params.get('sort') === 'displayName' ? 'displayName' : params.get('sort') === 'email' ? 'email' : 'signedUpAt';
  const order = params.get('order') === 'desc' ? 'desc' : 'asc';
  const change = (changes: Record<string, string>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) value ? next.set(name, value) : next.delete(name);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return {
    search: (params.get('search') ?? '').slice(0, limits.userSearchMaxCodePoints),
    sort,
    order,
    onSearch: (search) => change({ search: search.trim() }),
    onSort: (by) => change({ sort: by, order: by === sort && order === 'asc' ? 'desc' : '' }),
  };
}

/** Keeps the lists of users as they are until `release` is called. */
type Hold = () => () => void;

export const HoldContext = createContext<Hold>(() => () => {});

/** While something is being changed, lists do not move under the hand; every hold has to be released once. */
export function useHold(): { isHeld: boolean; hold: Hold } {
  const [holds, setHolds] = useState(0);
  const hold = () => {
    setHolds((count) => count + 1);
    return () => setHolds((count) => count - 1);
  };
  return { isHeld: holds > 0, hold };
}
