import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { invalidateLists, queryClient } from './query-client.ts';

/** Films that are deleted and can be brought back, the latest first, piece by piece. */
export const deletedFilms = infiniteQueryOptions({
  queryKey: ['deletions'],
  queryFn: ({ pageParam, signal }) => call('listDeletions', { after: pageParam || undefined }, { signal }),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next,
  // Others delete too.
  staleTime: 0,
});

/** Deletes a film that is called so. Throws a `CallFailed` with the server's words. */
export async function deleteFilm(film: { id: string; name: string; reason: string; isUnderWay?: true }): Promise<void> {
  await call('deleteFilm', film);
  forgetFilms();
}

/** Brings a deleted film back. Throws a `CallFailed` with the server's words. */
export async function restoreFilm(id: string): Promise<void> {
  await call('restoreFilm', { id });
  forgetFilms();
}

/** Erases a deleted film that is called so, for good. Throws a `CallFailed` with the server's words. */
export async function eraseFilm(film: { id: string; name: string }): Promise<void> {
  await call('eraseFilm', film);
  forgetFilms();
}

/** Whatever lists films is asked for again when it is next looked at, and the list of deleted ones now. */
function forgetFilms(): void {
  invalidateLists();
  void queryClient.invalidateQueries({ queryKey: deletedFilms.queryKey });
}
