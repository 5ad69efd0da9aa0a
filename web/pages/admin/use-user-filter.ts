import { useSearchParams } from 'react-router';
import { limits } from '#contract/limits.ts';
import type { UserList } from '#web/api/users.ts';

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
