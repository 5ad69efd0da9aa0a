import { z } from 'zod';
import { lengthFilters } from './narrowing.ts';

const NamedCount = z.object({ name: z.string(), videos: z.number().int() });

/**
 * What a search came to, counted over its whole answer. Every count leaves the filter of its own group out, so that it says
 * what choosing it would come to.
 */
export const SearchFacets = z.object({
  /** Whether the whole answer was counted; otherwise every number is the least it can be. */
  isAll: z.boolean(),
  videos: z.number().int(),
  /** Moments of each kind, by its wire value. */
  kinds: z.record(z.string(), z.number().int()),
  lengths: z.array(z.object({ length: z.enum(lengthFilters), videos: z.number().int() })),
  /** Videos whose media can be played here. */
  playable: z.number().int(),
  /** Those in most videos first. */
  people: z.array(NamedCount),
  labels: z.array(NamedCount),
  brands: z.array(NamedCount),
});
export type SearchFacets = z.infer<typeof SearchFacets>;

const Example = z.string().nullable();

/** What the search help shows its operators with: words and names of this archive; null where it has none. */
export const SearchExamples = z.object({
  /** Words of titles; `title` stands in the title that `phrase` is a piece of. */
  title: Example,
  otherTitle: Example,
  phrase: Example,
  said: Example,
  written: Example,
  person: Example,
  brand: Example,
  label: Example,
  /** Of a video. */
  id: Example,
});
export type SearchExamples = z.infer<typeof SearchExamples>;
