import { z } from 'zod';
import { Language } from '../footage/footage-facts.ts';

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

/** What Whisper calls otherwise than the tables of names do, or what has a tag of three letters. */
const otherNames =
  'bengali/bn tagalog/tl maori/mi myanmar/my nynorsk/nn hawaiian/haw cantonese/yue castilian/es flemish/nl haitian/ht moldavian/ro ' +
  'pushto/ps sinhalese/si';

/** Every language with a tag of two letters, by its name in lower case, and some by other names. */
function* namedTags(): Generator<[name: string, tag: string]> {
  for (const [name = '', tag = ''] of otherNames.split(' ').map((pair) => pair.split('/'))) yield [name, tag];
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  for (const tag of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = names.of(tag);
    // Some languages have an older tag as well.
    if (name) yield [name.toLowerCase(), Intl.getCanonicalLocales(tag)[0] ?? tag];
  }
}
