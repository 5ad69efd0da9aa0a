import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';

/**
 * Why a query failed, also while it is asked again: where nothing has come yet it forgets that each time, and what tells it would go and
 * come back under whoever reads it.
 */
export function useFailure({ error, isPending }: Pick<UseQueryResult, 'error' | 'isPending'>): Error | null {
  const [last, setLast] = useState<Error | null>(null);
  const failure = isPending ? last : error;
  if (failure !== last) setLast(failure);
  return failure;
}
