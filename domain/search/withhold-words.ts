import type { SearchExamples } from '#contract/search-examples.ts';
import type { SearchFacets } from '#contract/search-facets.ts';
import type { SearchItem, SearchResponse } from '#contract/video-service.ts';

/** For whom words are withheld: what they read instead, and what they asked. */
export interface Withholding {
  readonly reading: 'counts' | 'locked';
  readonly asked: readonly string[];
  readonly purpose: 'results' | 'suggestions';
}

/** An answer for somebody who may not read what was said, written or seen: with what every visitor sees of a video, and no word more. */
export function withholdWords(response: SearchResponse, { reading, asked, purpose }: Withholding): SearchResponse {
  // Corrections and other spellings are words of the archive.
  const { searchedFor: _corrected, nearest: _spelled, ...rest } = response;
  const results =
    purpose === 'suggestions'
      ? response.results.map(titleAlone).filter(({ searchMatches }) => searchMatches.length > 0)
      : response.results.map((item) => ({ ...item, searchMatches: reading === 'counts' ? [] : placesOf(item) }));
  return { ...rest, results: results.map((item) => lackingAsTyped(item, asked)), reading };
}

/** Counts without the names of who and what is in the videos. */
export function withholdNames(facets: SearchFacets): SearchFacets {
  return { ...facets, people: [], labels: [], brands: [] };
}

/** Examples of what stands in titles; the others quote what cannot be read. */
export function withholdQuotes(examples: SearchExamples): SearchExamples {
  return { ...examples, said: null, written: null, person: null, brand: null, label: null };
}

function placesOf({ searchMatches }: SearchItem): SearchItem['searchMatches'] {
  return searchMatches.map(({ startTime, type }) => ({ startTime, type, text: '', exactText: '' }));
}

/** A title is what every visitor reads; what else a video matched by is not offered. */
function titleAlone(item: SearchItem): SearchItem {
  const searchMatches = item.searchMatches.filter(({ type }) => type === 'Title');
  return { ...item, searchMatches, searchMatchesTotal: searchMatches.length, searchMatchCounts: { Title: searchMatches.length } };
}

/** A word that stands in for a typed one is a word of the archive. */
function lackingAsTyped({ lacks = [], ...item }: SearchItem, asked: readonly string[]): SearchItem {
  const typed = lacks.filter((word) => asked.some((text) => text.toLowerCase().includes(word.toLowerCase())));
  return typed.length > 0 ? { ...item, lacks: typed } : item;
}
