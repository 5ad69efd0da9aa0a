import type { SearchExamples } from '#contract/search-examples.ts';
import { type Reader, readsWords } from './reader.ts';

/** Examples of what stands in titles are for everybody; the others quote what only some can read. */
export function presentExamples(examples: SearchExamples, reader: Reader): SearchExamples {
  const { title, otherTitle, phrase, id, said, written, person, brand, label } = examples;
  const words = readsWords(reader)
    ? { said, written, person, brand, label }
    : { said: null, written: null, person: null, brand: null, label: null };
  return { title, otherTitle, phrase, id, ...words };
}
