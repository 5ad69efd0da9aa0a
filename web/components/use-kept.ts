import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';

/** Whether a part of the page is open: still so for whoever comes back to it or loads it anew. `name` says whose it is. */
export function useKept(name: readonly string[]): [boolean, (value: boolean) => void] {
  const client = useQueryClient();
  const queryKey = ['kept', ...name];
  const storageKey = `rushes-${JSON.stringify(queryKey)}`;
  const initial = sessionStorage.getItem(storageKey) !== null;
  const { data = initial } = useQuery<boolean>({ queryKey, queryFn: skipToken, gcTime: Number.POSITIVE_INFINITY });
  const keep = (value: boolean) => {
    if (value) sessionStorage.setItem(storageKey, '');
    else sessionStorage.removeItem(storageKey);
    client.setQueryData(queryKey, value);
  };
  return [data, keep];
}
