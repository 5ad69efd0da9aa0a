import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { forgetNames } from './corrections.ts';
import { queryClient } from './query-client.ts';

/** The faces that were found in a film, and whose they are as far as somebody said so. */
export function facesOf(id: string) {
  return queryOptions({
    queryKey: ['faces', id],
    queryFn: ({ signal }) => call('listFaces', { id }, { signal }),
    // Others name them too.
    staleTime: 0,
  });
}

/** Says whose face it is; returns the name as it is kept. Throws a `CallFailed` with the server's words. */
export async function namePerson(id: string, naming: { mark: string; replaces: string; name: string }): Promise<string> {
  const { name } = await call('namePerson', { id, ...naming });
  forgetNames(id);
  void queryClient.invalidateQueries(facesOf(id));
  return name;
}
