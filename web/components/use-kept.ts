import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';

/** How far a part of the page is open, 0 while it is not: still so for whoever comes back to it or loads it anew. `name` says whose it is. */
export function useKept(name: readonly string[]): [steps: number, keep: (steps: number) => void] {
  const client = useQueryClient();
  const queryKey = ['kept', ...name];
  const storageKey = `rushes-${JSON.stringify(queryKey)}`;
  const initial = Number(sessionStorage.getItem(storageKey));
  const { data = initial } = useQuery<number>({ queryKey, queryFn: skipToken, gcTime: Number.POSITIVE_INFINITY });
  const keep = (steps: number) => {
    if (steps > 0) sessionStorage.setItem(storageKey, String(steps));
    else sessionStorage.removeItem(storageKey);
    client.setQueryData(queryKey, steps);
  };
  return [data, keep];
}
