import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

/** One cache for the whole site; a failure is logged here once and shown by whoever asked. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (reason, query) => console.error(`Failed: ${JSON.stringify(query.queryKey)}`, reason) }),
  mutationCache: new MutationCache({ onError: (reason) => console.error('Failed:', reason) }),
  defaultOptions: {
    queries: { networkMode: 'always', retry: false, refetchOnWindowFocus: false, staleTime: 60_000 },
    // Without a connection a change fails at once and says so; it is not made later, behind the person's back.
    mutations: { networkMode: 'always' },
  },
});

const staysAsItIs: ReadonlySet<unknown> = new Set(['session', 'watch']);

/** Whatever lists films is asked for again when it is next looked at; who is signed in and what plays stay. */
export function invalidateLists(): void {
  askAnew('none');
}

/** The same, and at once for what is on show. */
export function askAnew(refetchType: 'active' | 'none' = 'active'): void {
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => !staysAsItIs.has(queryKey[0]), refetchType });
}

/** The lists of a search that are on show begin anew with their first page, and what they come to is counted again. */
export function beginListsAnew(): void {
  void queryClient.resetQueries({ queryKey: ['search'], type: 'active' });
  void queryClient.invalidateQueries({ queryKey: ['search-facets'], type: 'active' });
}

/** Where that cache keeps what a film is, and whether it is there; null for every film. */
export function toFilmKey(id: string | null): readonly string[] {
  return id === null ? ['video'] : ['video', id];
}

/** And what is known of it as a whole. */
export function toFactsKey(id: string): readonly string[] {
  return ['film-facts', id];
}

/** And what its page shows of it while it plays. */
export function watchKey(id: string): readonly string[] {
  return ['watch', id];
}

/** Shows another name of a film that is being watched; nothing else of the page begins anew. */
export function renameWatched(id: string, name: string): void {
  queryClient.setQueryData<{ readonly name: string }>(watchKey(id), (watched) => watched && { ...watched, name });
}
