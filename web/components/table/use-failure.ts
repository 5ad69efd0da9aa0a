import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';

export type Failing = Pick<UseQueryResult, 'error' | 'isPending' | 'errorUpdateCount'>;

/**
 * Why a query failed, also while it is asked again: where nothing has come yet it forgets that each time, and what tells it would go and
 * come back under whoever reads it. Of a query for something else, that has yet to be answered, nothing is told.
 */
export function useFailure({ error, isPending, errorUpdateCount }: Failing): Error | null {
  const [last, setLast] = useState<Error | null>(null);
  const isAskedAgain = isPending && errorUpdateCount > 0;
  const failure = isAskedAgain ? last : error;
  if (failure !== last) setLast(failure);
  return failure;
}
