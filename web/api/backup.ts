import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

/** How the archive stands with its backups. */
export const backupState = queryOptions({
  queryKey: ['backup'],
  queryFn: ({ signal }) => call('backupState', {}, { signal }),
  staleTime: 60_000,
});
