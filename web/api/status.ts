import { queryOptions } from '@tanstack/react-query';
import type { AccessCheck } from '#contract/status.ts';
import { call } from './call.ts';

const lookEveryMs = 3_000;

/** How every part of the archive stands; asked for again and again while somebody looks at it. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => call('archiveStatus', {}, { signal }),
  staleTime: 0,
  refetchOnWindowFocus: 'always',
  refetchInterval: lookEveryMs,
});

/** Has every route asked as everybody; takes seconds. Throws a `CallFailed` with the server's words. */
export async function checkAccess(): Promise<AccessCheck> {
  return await call('checkAccess', {});
}
