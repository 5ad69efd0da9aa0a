import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { limits } from '#contract/limits.ts';
import { suggestionsFor } from '#web/api/search/suggestions.ts';
import { useLater } from '../use-later.ts';
import { readRecentSearches } from './recent-searches.ts';
import { groupRecent, groupSuggestions, type SuggestionGroup } from './suggestion.ts';

export type SuggestionState = { state: 'none' } | { state: 'nothing-found' } | { state: 'offered'; groups: SuggestionGroup[] };

interface SearchSuggestions {
  /** What stands in the box. */
  text: string;
  type: (text: string) => void;
  suggested: SuggestionState;
  isLoading: boolean;
}

/** The text of the box, and what the box offers for it: recent searches while it is empty, else the archive's answer once typing pauses. */
export function useSearchSuggestions(query: string, isOpen: boolean): SearchSuggestions {
  const [text, setText] = useState(query);
  const [rested, setRested] = useState(query.trim());
  const later = useLater(limits.searchDebounceMs);
  const type = (typed: string) => {
    setText(typed);
    later.begin(() => setRested(typed.trim()));
  };
  const settled = text.trim() === '' ? '' : rested;
  const asked = suggestionsFor(settled);
  const { data, isFetching, isError } = useQuery({
    ...asked,
    enabled: isOpen && settled !== '',
    placeholderData: keepPreviousData,
  });
  return { text, type, suggested: suggest(), isLoading: isFetching };

  function suggest(): SuggestionState {
    if (text.trim() === '') return offer(groupRecent(readRecentSearches()), 'none');
    // A failure closes the list without a word: Enter still searches.
    if (settled === '' || !data || isError) return { state: 'none' };
    return offer(groupSuggestions(data, data.searchedFor?.text ?? settled), isFetching ? 'none' : 'nothing-found');
  }
}

function offer(groups: SuggestionGroup[], otherwise: 'none' | 'nothing-found'): SuggestionState {
  return groups.length > 0 ? { state: 'offered', groups } : { state: otherwise };
}
