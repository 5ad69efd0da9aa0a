import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { FilmVisibility } from '#contract/films.ts';
import { call } from './call.ts';
import { queryClient } from './query-client.ts';

/** Who sees a film, and who said so. */
export function visibilityOf(id: string) {
  return queryOptions({
    queryKey: ['visibility', id],
    queryFn: ({ signal }) => call('filmVisibility', { id }, { signal }),
    // Others decide it too.
    staleTime: 0,
  });
}

/** Films that not everybody sees, the latest first, piece by piece. */
export const keptBack = infiniteQueryOptions({
  queryKey: ['kept-back'],
  queryFn: ({ pageParam, signal }) => call('listKeptBack', { after: pageParam || undefined }, { signal }),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next,
  staleTime: 0,
});

/** Says who sees a film; `seen` is what the editor saw before. Throws a `CallFailed` with the server's words. */
export async function showFilmTo(
  id: string,
  { seen, ...asked }: Pick<FilmVisibility, 'shownTo' | 'until' | 'reason'> & { seen: Pick<FilmVisibility, 'setAt'> },
): Promise<FilmVisibility> {
  const kept = await call('setVisibility', { id, ...asked, seenAt: seen.setAt });
  queryClient.setQueryData(visibilityOf(id).queryKey, kept);
  await queryClient.invalidateQueries({ queryKey: keptBack.queryKey });
  return kept;
}
