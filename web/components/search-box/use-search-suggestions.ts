import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { limits } from '#contract/limits.ts';
import { suggestions } from '#web/api/search/suggestions.ts';
import { useDebounced } from '../use-debounced.ts';
import { recentSearches } from './recent-searches.ts';
import { groupRecent, groupSuggestions, type SuggestionGroup } from './suggestion.ts';

export type SuggestionState = { state: 'none' } | { state: 'nothing-found' } | { state: 'offered'; groups: SuggestionGroup[] };

interface SearchSuggestions {
  suggested: SuggestionState;
  isLoading: boolean;
}

/** What the box offers for a text: recent searches while it is empty, else the archive's answer once typing pauses. */
export function useSearchSuggestions(text: string, isOpen: boolean): SearchSuggestions {
  const settled = useDebounced(text.trim(), limits.searchDebounceMs);
  const asked = suggestions(settled);
  const { data, isFetching, isError } = useQuery({
    ...asked,
    enabled: isOpen && settled !== '',
    placeholderData: keepPreviousData,
  });
  return { suggested: suggest(), isLoading: isFetching };

  function suggest(): SuggestionState {
    if (text.trim() === '') return offer(groupRecent(recentSearches()), 'none');
    // A failure closes the list without a word: Enter still searches.
    if (settled === '' || !data || isError) return { state: 'none' };
    return offer(groupSuggestions(data, data.searchedFor?.text ?? settled), isFetching ? 'none' : 'nothing-found');
  }
}

function offer(groups: SuggestionGroup[], otherwise: 'none' | 'nothing-found'): SuggestionState {
  return groups.length > 0 ? { state: 'offered', groups } : { state: otherwise };
}
