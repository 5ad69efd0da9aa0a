import { z } from 'zod';
import { Language } from '../footage-facts.ts';

let tagsByName: ReadonlyMap<string, string> | undefined;

/** The language of a transcript: its tag, or its English name, as hosted Whispers write it. What is neither says nothing. */
export const HeardLanguage = z
  .string()
  .transform((text) => tagOf(text.toLowerCase()) ?? text)
  .pipe(Language)
  .optional()
  .catch(undefined);

function tagOf(name: string): string | undefined {
  tagsByName ??= new Map(namedTags());
  return tagsByName.get(name);
}

/** Every language with a tag of two letters, by its name in lower case. */
function* namedTags(): Generator<[name: string, tag: string]> {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  for (const tag of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = names.of(tag);
    // Some languages have an older tag as well.
    if (name) yield [name.toLowerCase(), Intl.getCanonicalLocales(tag)[0] ?? tag];
  }
}
