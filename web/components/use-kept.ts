import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';

/** State of a page that is still there when somebody comes back to it. `name` says whose it is. */
export function useKept<T>(name: readonly string[], initial: T): [T, (value: T) => void] {
  const client = useQueryClient();
  const queryKey = ['kept', ...name];
  const { data = initial } = useQuery<T>({ queryKey, queryFn: skipToken, gcTime: Number.POSITIVE_INFINITY });
  return [data, (value) => client.setQueryData(queryKey, value)];
}
