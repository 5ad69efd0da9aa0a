import { useQuery } from '@tanstack/react-query';
import { searchFacets } from '#web/api/search/search-facets.ts';
import type { SearchQuestion } from '#web/api/search/search-question.ts';
import type { Counts } from './narrowing.ts';

/** What a search comes to. Asked after its first page, which is what somebody waits for; while a filter changes, the counts before stay. */
export function useCounts(question: SearchQuestion, hasAnswer: boolean): Counts {
  const { data, isError } = useQuery({
    ...searchFacets(question),
    enabled: hasAnswer,
    placeholderData: (before, other) => (other?.queryKey[1] === question.query ? before : undefined),
  });
  if (data) return { state: 'counted', facets: data };
  return { state: isError ? 'none' : 'loading' };
}
