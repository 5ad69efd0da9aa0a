import type { SearchFacets } from '#contract/search-facets.ts';
import { presentCounts } from './present-counts.ts';
import { type Reader, readsWords } from './reader.ts';

/** What a search came to: its counts are for everybody, the names of who and what is in the videos for those who read words. */
export function presentFacets({ isAll, videos, kinds, lengths, people, labels, brands }: SearchFacets, reader: Reader): SearchFacets {
  const named = (names: SearchFacets['people']) => (readsWords(reader) ? names.map((one) => ({ name: one.name, videos: one.videos })) : []);
  return {
    isAll,
    videos,
    kinds: presentCounts(kinds),
    lengths: lengths.map((one) => ({ length: one.length, videos: one.videos })),
    people: named(people),
    labels: named(labels),
    brands: named(brands),
  };
}
