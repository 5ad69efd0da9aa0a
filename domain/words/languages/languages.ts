import { english } from './english.ts';
import type { Language } from './language.ts';

/** The languages that the search knows. Words of any other are compared by their folded letters alone. */
export const knownLanguages: readonly Language[] = [english];

/** The known languages among those of some films, by their tags. A film that does not tell its language may be of any. */
export function languagesAmong(tags: Iterable<string>): readonly Language[] {
  const numbers = new Set(Array.from(tags, languageNumber));
  return knownLanguages.filter(({ code }) => numbers.has(anyLanguage) || numbers.has(languageNumber(code)));
}

/** Whether a folded word says nothing by itself in one of these languages. */
export function isStopWord(word: string, languages: readonly Language[] = knownLanguages): boolean {
  return languages.some(({ stopWords }) => stopWords.has(word));
}

/** Whether a question begins with this word, in small letters, in one of the known languages. */
export function isQuestionWord(word: string): boolean {
  return knownLanguages.some(({ questionWords }) => questionWords.has(word));
}

/** Whether these words are a number in one of the known languages. */
export function isNumber(tokens: readonly string[]): boolean {
  return knownLanguages.some(({ numberWays }) => numberWays(tokens).length > 0);
}

/** The number of a language that is not known. */
const anyLanguage = 0;
const letters = 26;

/** The number by which the index writes a language down, from its tag as of BCP 47: `en-GB` is `en`. It has less than 15 bits. */
export function languageNumber(tag: string): number {
  const [code] = /^[a-z]{2,3}(?![^-_])/.exec(tag.toLowerCase()) ?? [];
  if (!code) return anyLanguage;
  return [...code].reduce((number, letter) => number * (letters + 1) + letter.charCodeAt(0) - 96, 0);
}

/** Whether what is asked for in a language may stand in a film of a language; both by their numbers. */
export function isOfLanguage(asked: number, film: number): boolean {
  return asked === anyLanguage || film === anyLanguage || asked === film;
}
