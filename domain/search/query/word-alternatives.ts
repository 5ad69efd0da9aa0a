import type { Language } from '../../words/languages/language.ts';
import { isStopWord } from '../../words/languages/languages.ts';
import { tokensOf } from '../../words/tokens.ts';
import type { Vocabulary } from '../../words/vocabulary.ts';
import { fit, ofSlip } from '../weights.ts';
import type { QueryTerm } from './query.ts';
import type { Alternative } from './search-plan.ts';
import { chooseMostFrequent, listUmlautWays, mistakenFor, partOfName, slipsOfPart, spellingsOf } from './spellings.ts';

const completionsMax = 16;
const slipsMax = 4;

/** A word that the archive does not know, and the one that it was taken for. */
export interface Spelling {
  readonly alternatives: readonly Alternative[];
  readonly takenFor?: string;
}

/** What the rest of a query tells of a word. */
export interface WordContext {
  /** How many words beside it tell something: two say which of those that sound alike is meant. */
  readonly others: number;
  /** Whether the word before or after it occurs nowhere: together they may be a name that somebody only heard. */
  readonly isBesideUnknown: boolean;
  /** Whether the query is still being typed. */
  readonly isTyped: boolean;
}

/** What may stand in the archive for a term, besides its own words. */
export function alternativesOf(term: QueryTerm, vocabulary: Vocabulary, context: WordContext): Spelling {
  if (term.quoted) return { alternatives: [] };
  const { alternatives, takenFor } = term.tokens.length === 1 ? otherWordsFor(term, vocabulary, context) : otherOfTied(term, vocabulary);
  const inField = alternatives
    .filter(({ field }) => field === undefined || term.field === undefined || field === term.field)
    .map((alternative) => ({ ...alternative, field: alternative.field ?? term.field }));
  return { alternatives: inField, ...(takenFor ? { takenFor } : {}) };
}

/** e-mail may be written email, twenty-one 21, X-ray X-rays, B-52 B-52s and Köln-Düsseldorf Koeln-Duesseldorf. */
function otherOfTied({ tokens, surface }: QueryTerm, vocabulary: Vocabulary): Spelling {
  const joined = { tokens: [tokens.join('')], fit: fit.joined };
  const numbers = numbersIn(tokens, vocabulary.languages);
  const last = tokens.at(-1) ?? '';
  const forms = vocabulary.languages.flatMap((language) => formsIn(language, last, vocabulary));
  const types: Alternative[] = /\d$/.test(last) ? [{ tokens: [`${last}s`], fit: fit.inflected }] : [];
  const otherEnds = [...forms, ...types].map(({ tokens: [other = ''], ...of }) => ({ ...of, tokens: tokens.with(-1, other) }));
  const misspelt = tokens.flatMap((token, at) =>
    slipsOfPart(token, vocabulary).map((other) => ({ tokens: tokens.with(at, other), fit: fit.oneEdit })),
  );
  return {
    alternatives: [joined, ...numbers, ...otherEnds, ...umlautsOfTied(tokens, { surface, vocabulary }), ...misspelt].filter((way) =>
      isHeld(way, vocabulary),
    ),
  };
}

/** With the umlauts of all its words written as the archive has them: of those that it lacks, and of all. */
function umlautsOfTied(tokens: readonly string[], { surface, vocabulary }: { surface: string; vocabulary: Vocabulary }): Alternative[] {
  const surfaces = surface.split(/[^\p{L}\p{M}\p{N}]+/u);
  const others = tokens.map((token, n) => {
    const typed = surfaces.length === tokens.length ? (surfaces[n] ?? token) : token;
    return [...listUmlautWays(token, typed)].find((other) => vocabulary.count(other) > 0);
  });
  if (others.every((other) => other === undefined)) return [];
  const lacking = tokens.map((token, n) => (vocabulary.count(token) > 0 ? token : (others[n] ?? token)));
  return [lacking, tokens.map((token, n) => others[n] ?? token)].map((ways) => ({ tokens: ways, fit: fit.umlaut }));
}

/** A single word as it was asked for. */
interface AskedWord {
  readonly word: string;
  readonly surface: string;
  readonly isKnown: boolean;
  /** Whether it is written as initials are. */
  readonly areInitials: boolean;
}

/** What may stand for a word, in groups, the best first. One that the archive does not know is also looked for as one that is misspelt. */
function otherWordsFor({ tokens: [word = ''], open, surface }: QueryTerm, vocabulary: Vocabulary, context: WordContext): Spelling {
  const { languages } = vocabulary;
  const asked = { word, surface, isKnown: vocabulary.count(word) > 0, areInitials: initials.test(surface) };
  const found = new Found(word, vocabulary);
  found.offer(...numbersIn([word], languages), ...apostrophesOfDecade(word, languages));
  if (isStopWord(word, languages)) {
    if (asked.areInitials) found.offer(letterByLetter(word));
    return { alternatives: found.alternatives };
  }
  for (const language of languages) found.offer(...formsIn(language, word, vocabulary));
  found.offer(...Array.from(listUmlautWays(word, surface), (other) => ({ tokens: [other], fit: fit.umlaut })));
  const isWord = asked.isKnown || found.alternatives.length > 0;
  const mayGoOn = open && word.length > 1 && (context.isTyped || !isWord);
  const begun = mayGoOn ? vocabulary.completions(word, completionsMax).map(({ term }) => term) : [];
  found.offer(...begun.map((other) => ({ tokens: [other], fit: asked.isKnown ? fit.begunBeside : fit.begun })));
  found.offer(...misreadingsOf(word, vocabulary));
  const isSame = found.alternatives.some(({ field }) => field === undefined);
  const apart = splitAtApostrophes(surface, vocabulary) ?? splitWord(word, vocabulary);
  if (apart) found.offer(apart);
  for (const language of languages) found.offer(...saidAlikeIn(language, word, context));
  if (asked.isKnown) found.offer(...meantInsteadOf(word, vocabulary, context));
  if (asked.areInitials && (asked.isKnown || begun.length > 0)) found.offer(letterByLetter(word));
  const [likeliest] = begun;
  if (asked.isKnown || (likeliest !== undefined && isWord)) return { alternatives: found.alternatives };
  if (likeliest !== undefined) return { alternatives: found.alternatives, takenFor: likeliest };
  return respell(asked, { found, isWord, isSame, apart, isAlone: context.others === 0 });
}

/** How it may stand in text that was read off a picture. */
function misreadingsOf(word: string, vocabulary: Vocabulary): Alternative[] {
  const slips = chooseMostFrequent(writtenSlipsOf(word), vocabulary).slice(0, slipsMax);
  return slips.map((other) => ({ tokens: [other], fit: fit.writtenSlip, field: 'written' }));
}

/** What a word that the archive knows may have been meant as. */
function meantInsteadOf(word: string, vocabulary: Vocabulary, { isBesideUnknown }: WordContext): Alternative[] {
  const names = isBesideUnknown ? partOfName(word, vocabulary).map((other) => ({ tokens: [other], fit: fit.inName })) : [];
  return [...names, ...mistakenFor(word, vocabulary).map((other) => ({ tokens: [other], fit: fit.beside }))];
}

interface SoFar {
  readonly found: Found;
  /** Whether the archive knows it in another form, and whether also elsewhere than in text that was read off pictures. */
  readonly isWord: boolean;
  readonly isSame: boolean;
  /** The two words that it may be. */
  readonly apart: Alternative | undefined;
  /** Whether it is all that is asked for. */
  readonly isAlone: boolean;
}

/** A word that occurs nowhere: misspelt, or initials. It was taken for its likeliest spelling where nothing else is the same word. */
function respell({ word, areInitials }: AskedWord, { found, isWord, isSame, apart, isAlone }: SoFar): Spelling {
  const spellings = spellingsOf(word, found.vocabulary, { isAlone });
  found.offer(...spellings);
  // In capitals a longer word that occurs nowhere is misspelt rather than initials.
  const areLetters = smallInitials.test(word) ? areInitials || !isWord : areInitials && spellings.length === 0;
  const letters = letterByLetter(word);
  if (areLetters) found.offer(letters);
  const isFound = isSame || (areLetters && areInitials && isHeld(letters, found.vocabulary));
  const [likeliest] = spellings.toSorted((a, b) => b.fit - a.fit);
  if (isFound || !likeliest || (apart && isBetter(apart, likeliest))) return { alternatives: found.alternatives };
  return { alternatives: found.alternatives, takenFor: likeliest.tokens.join(' ') };
}

/** A number as it is written otherwise in these languages. */
export function numbersIn(tokens: readonly string[], languages: readonly Language[]): Alternative[] {
  return languages.flatMap(({ code, numberWays }) => numberWays(tokens).map((way) => ({ tokens: way, fit: fit.number, language: code })));
}

/** The same word in other forms and spellings of a language. */
function formsIn({ code, otherSpellingsOf, inflectionsOf }: Language, word: string, vocabulary: Vocabulary): Alternative[] {
  return [
    ...Array.from(otherSpellingsOf(word), (other) => ({ tokens: [other], fit: fit.pair, language: code })),
    ...chooseMostFrequent(inflectionsOf(word), vocabulary).map((other) => ({ tokens: [other], fit: fit.inflected, language: code })),
  ];
}

function saidAlikeIn(language: Language, word: string, { others }: WordContext): Alternative[] {
  return [...language.homophonesOf(word), ...language.namesSaidAlike(word)].map((other) => {
    // A stop word stands beside any others.
    const isTold = others >= 2 && !isStopWord(other, [language]);
    return { tokens: [other], fit: isTold ? fit.homophone : fit.beside, language: language.code };
  });
}

/** email is e-mail rather than mail. */
function isBetter(apart: Alternative, { tokens, fit: spelt }: Alternative): boolean {
  return spelt < fit.oneEdit || tokens.some((token) => apart.tokens.includes(token));
}

/** Alternatives that the archive holds, each with its best fit in each language in which it is one. */
class Found {
  readonly vocabulary: Vocabulary;
  readonly #word: string;
  readonly #best = new Map<string, Alternative>();

  constructor(word: string, vocabulary: Vocabulary) {
    this.#word = word;
    this.vocabulary = vocabulary;
  }

  offer(...alternatives: readonly Alternative[]): void {
    for (const alternative of alternatives) this.#take(alternative);
  }

  #take(alternative: Alternative): void {
    const { tokens, fit: offered, language } = alternative;
    const written = tokens.join(' ');
    if (written === this.#word || this.#fitOf(written) >= offered || !isHeld(alternative, this.vocabulary)) return;
    const key = language ? `${written} ${language}` : written;
    if (this.#fitOf(key) < offered) this.#best.set(key, alternative);
  }

  #fitOf(key: string): number {
    return this.#best.get(key)?.fit ?? 0;
  }

  get alternatives(): Alternative[] {
    return [...this.#best.values()];
  }
}

function isHeld({ tokens }: Alternative, vocabulary: Vocabulary): boolean {
  return tokens.every((token) => vocabulary.count(token) > 0);
}

/** rock'n'roll may be written rock n roll. */
function splitAtApostrophes(surface: string, vocabulary: Vocabulary): Alternative | undefined {
  if (!/['’ʼ]/.test(surface)) return undefined;
  const apart = { tokens: tokensOf(surface.replace(/['‘’ʻʼʾʿ]/g, ' ')), fit: fit.joined };
  return apart.tokens.length > 1 && isHeld(apart, vocabulary) && vocabulary.count(apart.tokens.join('')) < ofSlip.seldomVideos
    ? apart
    : undefined;
}

/** FBI may be written F.B.I.; in small letters only what occurs nowhere and is too short to be a misspelt word. */
const initials = /^\p{Lu}{2,5}$/u;
const smallInitials = /^\p{L}{2,3}$/u;

function letterByLetter(word: string): Alternative {
  return { tokens: [...word], fit: fit.joined };
}

/** The sixties may be written 1960's or 60's, of which the apostrophe leaves two words. */
function apostrophesOfDecade(word: string, languages: readonly Language[]): Alternative[] {
  const ways = [[word], ...numbersIn([word], languages).map(({ tokens }) => tokens)];
  return ways.flatMap(([way = '', ...more]) =>
    more.length === 0 && /^\d+s$/.test(way) ? [{ tokens: [way.slice(0, -1), 's'], fit: fit.joined }] : [],
  );
}

/** U2 may be written U-2, MiG21 MiG-21 and 3D 3-D; but 20th and 60s are words. */
function splitAtDigits(word: string, vocabulary: Vocabulary): Alternative | undefined {
  const [, first, last] = /^(\p{L}+)(\d+)$/u.exec(word) ?? /^(\d+)(?!(?:st|nd|rd|th|s)$)(\p{L}+)$/u.exec(word) ?? [];
  const apart = first && last ? { tokens: [first, last], fit: fit.joined } : undefined;
  return apart && isHeld(apart, vocabulary) ? apart : undefined;
}

/** A word that the archive seldom or never writes as one may be two there: spiderman, spider man. */
function splitWord(word: string, vocabulary: Vocabulary): Alternative | undefined {
  const atDigits = splitAtDigits(word, vocabulary);
  if (atDigits) return atDigits;
  const known = vocabulary.count(word);
  if (known >= ofSlip.seldomVideos) return undefined;
  let best: { tokens: string[]; videos: number } | undefined;
  // A word that is not known at all may begin with a letter of its own: e-mail, x-ray.
  const [first, last] = known > 0 ? [ofSlip.partLengthMin, word.length - ofSlip.partLengthMin] : [1, word.length - 2];
  for (let at = first; at <= last; at++) {
    const tokens = [word.slice(0, at), word.slice(at)];
    const videos = Math.min(...tokens.map((token) => vocabulary.count(token)));
    if (videos > (best?.videos ?? known - 1)) best = { tokens, videos };
  }
  return best && best.videos > 0 ? { tokens: best.tokens, fit: fit.joined } : undefined;
}

/** Signs that are taken for each other when text is read off a picture: as they are, and as they may have been read. */
const slips: readonly (readonly [string, string])[] = [
  ['rn', 'm'],
  ['m', 'rn'],
  ['o', '0'],
  ['0', 'o'],
  ['l', '1'],
  ['i', '1'],
  ['1', 'l'],
  ['1', 'i'],
  ['i', 'l'],
  ['l', 'i'],
];

/** How a word may stand in text that was read off a picture; most of the answers are no words, so ask the vocabulary. */
function writtenSlipsOf(word: string): Set<string> {
  const found = new Set<string>();
  if (word.length < ofSlip.writtenLengthMin) return found;
  for (const [sign, read] of slips) {
    if (!word.includes(sign)) continue;
    for (let at = word.indexOf(sign); at >= 0; at = word.indexOf(sign, at + 1)) {
      found.add(word.slice(0, at) + read + word.slice(at + sign.length));
    }
    found.add(word.replaceAll(sign, read));
  }
  found.delete(word);
  return found;
}
