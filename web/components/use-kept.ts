import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { inStorage } from '#web/ui/in-storage.ts';

/** How far a part of the page is open, 0 while it is not: still so for whoever comes back to it or loads it anew. `name` says whose it is. */
export function useKept(name: readonly string[]): [steps: number, keep: (steps: number) => void] {
  const client = useQueryClient();
  const queryKey = ['kept', ...name];
  const storageKey = `rushes-${JSON.stringify(queryKey)}`;
  const initial = Number(inStorage('sessionStorage', (storage) => storage.getItem(storageKey)) ?? 0);
  const { data = initial } = useQuery<number>({ queryKey, queryFn: skipToken, gcTime: Number.POSITIVE_INFINITY });
  const keep = (steps: number) => {
    inStorage('sessionStorage', (storage) => {
      if (steps > 0) storage.setItem(storageKey, String(steps));
      else storage.removeItem(storageKey);
    });
    client.setQueryData(queryKey, steps);
  };
  return [data, keep];
}
