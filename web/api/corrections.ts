import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { queryClient } from './query-client.ts';

/** What a film is called, and what people changed of it. */
export function correctionsOf(id: string) {
  return queryOptions({
    queryKey: ['corrections', id],
    queryFn: ({ signal }) => call('listCorrections', { id }, { signal }),
    // Others correct too.
    staleTime: 0,
  });
}

/** Gives a film another title; returns the one that it has then. Throws a `CallFailed` with the server's words. */
export async function correctTitle(id: string, change: { replaces: string; title: string }): Promise<string> {
  const { name } = await call('correctTitle', { id, ...change });
  forgetNames(id);
  return name;
}

/** Takes a correction back; returns what the film is called then. Throws a `CallFailed` with the server's words. */
export async function undoCorrection(id: string, correction: number): Promise<string> {
  const { name } = await call('undoCorrection', { id, correction: String(correction) });
  forgetNames(id);
  return name;
}

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

/** Lists that tell what films are called are asked for again when they are next looked at; what plays goes on. */
function forgetNames(id: string): void {
  const staysAsItIs = new Set<unknown>(['session', 'watch']);
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => !staysAsItIs.has(queryKey[0]), refetchType: 'none' });
  void queryClient.invalidateQueries({ queryKey: correctionsOf(id).queryKey });
}
