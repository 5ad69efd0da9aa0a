import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { limits } from '#contract/limits.ts';
import type { UserPage, UserRow } from '#contract/users.ts';
import { type UserList, usersPage } from '#web/api/users.ts';

const pageSize = limits.pageSizeMax;

/** The first piece of a list, which says how long the list is. */
export function useUserCount(list: UserList, isHeld: boolean) {
  return useQuery({ ...usersPage(list, 0), placeholderData: keepPreviousData, enabled: !isHeld });
}

/** The users at these rows, asked for in pieces; `undefined` for one that is on its way. */
export function useUsersAt(
  list: UserList,
  { rows, first, isHeld }: { rows: readonly number[]; first: UserPage | undefined; isHeld: boolean },
) {
  const pages = [...new Set(rows.map((row) => Math.floor(row / pageSize)))].filter((page) => page > 0);
  const pieces = useQueries({ queries: pages.map((page) => ({ ...usersPage(list, page), enabled: !isHeld })) });
  return (row: number): UserRow | undefined => {
    const page = Math.floor(row / pageSize);
    const piece = page === 0 ? first : pieces[pages.indexOf(page)]?.data;
    return piece?.users[row % pageSize];
  };
}
