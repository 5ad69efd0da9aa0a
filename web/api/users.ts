import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { limits } from '#contract/limits.ts';
import type { UserPage, UserRow } from '#contract/users.ts';
import { call } from './call.ts';
import { queryClient } from './query-client.ts';

/** Which users, in which order. */
export interface UserList {
  readonly group: 'waiting' | 'active';
  readonly search: string;
  readonly sort: 'signedUpAt' | 'displayName' | 'email';
  readonly order: 'asc' | 'desc';
}

/** Everything about people begins with this: `invalidateQueries({ queryKey: usersKey })` after any change of them. */
export const usersKey = ['users'] as const;
const listKey = [...usersKey, 'list'] as const;

/** One piece of a list of users: `limits.pageSizeMax` of them from row `page * limits.pageSizeMax`. */
export function usersIn(list: UserList, page: number) {
  return queryOptions({
    queryKey: [...listKey, list, page],
    queryFn: ({ signal }) => call('listUsers', { ...list, skip: String(page * limits.pageSizeMax) }, { signal }),
    // People sign up and are changed by others; the page hears of it, and looks itself whenever somebody comes back to it.
    staleTime: 10_000,
    refetchOnWindowFocus: 'always',
  });
}

/** How much waits for an administrator. */
export const attentionQuery = queryOptions({
  queryKey: [...usersKey, 'attention'],
  queryFn: ({ signal }) => call('attention', {}, { signal }),
  staleTime: 0,
  refetchOnWindowFocus: true,
});

/** Who did what to whom, newest first. */
export const activityPages = infiniteQueryOptions({
  queryKey: [...usersKey, 'activity'],
  queryFn: ({ pageParam, signal }) => call('listActivity', { skip: String(pageParam) }, { signal }),
  initialPageParam: 0,
  getNextPageParam: ({ nextPage }) => (nextPage.done ? undefined : nextPage.skip),
  staleTime: 0,
  refetchOnWindowFocus: true,
});

/** Stops lists of users that are on their way: they may tell what is about to change. */
export async function stopListingUsers(): Promise<void> {
  await queryClient.cancelQueries({ queryKey: listKey });
}

/** Puts what the server says of one user in the place of what the lists said. */
export function rememberUser(user: UserRow): void {
  queryClient.setQueriesData<UserPage>(
    { queryKey: listKey },
    (page) => page && { ...page, users: page.users.map((each) => (each.uid === user.uid ? user : each)) },
  );
}

/** A user as the lists show them now, or as they were `seen`: the later of both. */
export function recallUser(uid: string, seen: UserRow): UserRow {
  const pages = queryClient.getQueriesData<UserPage>({ queryKey: listKey });
  const rows = pages.flatMap(([, page]) => page?.users.filter((user) => user.uid === uid) ?? []);
  return rows.reduce((newest, row) => (newest.authVersion > row.authVersion ? newest : row), seen);
}
