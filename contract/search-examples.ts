import { z } from 'zod';

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
