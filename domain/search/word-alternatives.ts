import { homophonesOf } from '../words/homophones.ts';
import { inflectionsOf } from '../words/inflections.ts';
import { numberWays } from '../words/number-words.ts';
import { soundKey, spokenForm } from '../words/sounds-like.ts';
import { spellingPairs } from '../words/spelling-pairs.ts';
import { stopWords } from '../words/stop-words.ts';
import { tokensOf } from '../words/tokens.ts';
import { umlautWays } from '../words/umlaut-ways.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { writtenSlips } from '../words/written-slips.ts';
import type { QueryTerm } from './query.ts';
import { type Alternative, fit } from './search-plan.ts';

const completionsMax = 16;
const spellingsMax = 6;
const inflectionsMax = 6;
const slipsMax = 4;
/** From this many letters on one wrong letter is forgiven, from the other on two. */
const oneEditLengthMin = 4;
const twoEditsLengthMin = 8;

/** A word that the archive does not know, and the one that it was taken for. */
export interface Spelling {
  readonly alternatives: readonly Alternative[];
  readonly takenFor?: string;
}

/** What may stand in the archive for a term, besides its own words; `inContext` when other words tell which of those that sound alike is meant. */
export function alternativesOf(term: QueryTerm, vocabulary: Vocabulary, inContext = false): Spelling {
  if (term.quoted) return { alternatives: [] };
  const { alternatives, takenFor } = term.tokens.length === 1 ? otherWords(term, vocabulary, inContext) : otherOfTied(term, vocabulary);
  const inField = alternatives
    .filter(({ field }) => field === undefined || term.field === undefined || field === term.field)
    .map((alternative) => ({ ...alternative, field: alternative.field ?? term.field }));
  return { alternatives: inField, ...(takenFor ? { takenFor } : {}) };
}

/** e-mail may be written email, and twenty-one 21. */
function otherOfTied({ tokens }: QueryTerm, vocabulary: Vocabulary): Spelling {
  const joined = { tokens: [tokens.join('')], fit: fit.joined };
  const numbers = numberWays(tokens).map((way) => ({ tokens: way, fit: fit.number }));
  return { alternatives: [joined, ...numbers].filter((way) => isHeld(way, vocabulary)) };
}

function otherWords({ tokens: [word = ''], open, surface }: QueryTerm, vocabulary: Vocabulary, inContext: boolean): Spelling {
  const isKnown = vocabulary.count(word) > 0;
  const found = new Found(word, vocabulary);
  for (const way of numberWays([word])) found.offer({ tokens: way, fit: fit.number });
  if (stopWords.has(word)) return { alternatives: found.alternatives };
  for (const other of spellingPairs(word)) found.offer({ tokens: [other], fit: fit.pair });
  for (const other of umlautWays(word, surface)) found.offer({ tokens: [other], fit: fit.umlaut });
  for (const other of mostFrequent(inflectionsOf(word), vocabulary)) found.offer({ tokens: [other], fit: fit.inflected });
  const completions = open && word.length > 1 ? vocabulary.completions(word, completionsMax) : [];
  for (const { term } of completions) found.offer({ tokens: [term], fit: isKnown ? fit.begunBeside : fit.begun });
  for (const other of mostFrequent(writtenSlips(word), vocabulary).slice(0, slipsMax)) {
    found.offer({ tokens: [other], fit: fit.writtenSlip, field: 'written' });
  }
  const apart = splitAtApostrophes(surface, vocabulary) ?? splitWord(word, vocabulary);
  const isSame = found.alternatives.some(({ field }) => field === undefined);
  if (apart) found.offer(apart);
  for (const other of homophonesOf(word)) found.offer({ tokens: [other], fit: inContext ? fit.homophone : fit.beside });
  if (isKnown) for (const other of mistakenFor(word, vocabulary)) found.offer({ tokens: [other], fit: fit.beside });
  if (isKnown || completions.length > 0) return { alternatives: found.alternatives };
  const spellings = spellingsOf(word, vocabulary);
  for (const spelling of spellings) found.offer(spelling);
  const [likeliest] = spellings.toSorted((a, b) => b.fit - a.fit);
  if (isSame || !likeliest || (apart && isBetter(apart, likeliest))) return { alternatives: found.alternatives };
  return { alternatives: found.alternatives, takenFor: likeliest.tokens.join(' ') };
}

/** email is e-mail rather than mail. */
function isBetter(apart: Alternative, { tokens, fit: spelt }: Alternative): boolean {
  return spelt < fit.oneEdit || tokens.some((token) => apart.tokens.includes(token));
}

/** Alternatives that the archive holds, each with its best fit. */
class Found {
  readonly #word: string;
  readonly #vocabulary: Vocabulary;
  readonly #byTokens = new Map<string, Alternative>();

  constructor(word: string, vocabulary: Vocabulary) {
    this.#word = word;
    this.#vocabulary = vocabulary;
  }

  offer(alternative: Alternative): void {
    const key = alternative.tokens.join(' ');
    if (key === this.#word || (this.#byTokens.get(key)?.fit ?? 0) >= alternative.fit || !isHeld(alternative, this.#vocabulary)) return;
    this.#byTokens.set(key, alternative);
  }

  get alternatives(): Alternative[] {
    return [...this.#byTokens.values()];
  }
}

function isHeld({ tokens }: Alternative, vocabulary: Vocabulary): boolean {
  return tokens.every((token) => vocabulary.count(token) > 0);
}

function mostFrequent(words: Iterable<string>, vocabulary: Vocabulary): string[] {
  return [...words]
    .map((word) => ({ word, videos: vocabulary.count(word) }))
    .filter(({ videos }) => videos > 0)
    .sort((a, b) => b.videos - a.videos)
    .slice(0, inflectionsMax)
    .map(({ word }) => word);
}

/** For a word that occurs nowhere: those one letter away or said the same, else two letters or much the same sound. */
function spellingsOf(word: string, vocabulary: Vocabulary): Alternative[] {
  if (word.length < oneEditLengthMin || /^\d+$/.test(word)) return [];
  const said = saidTheSame(word, vocabulary);
  const one = vocabulary.near(word, 1).map(({ term }) => ({ tokens: [term], fit: said.includes(term) ? fit.oneEditInSound : fit.oneEdit }));
  const likely = one.toSorted((a, b) => b.fit - a.fit).slice(0, spellingsMax);
  const others = mostFrequent(said, vocabulary).map((term) => ({ tokens: [term], fit: fit.inSound }));
  if (likely.length + others.length > 0) return [...likely, ...others];
  const near = vocabulary
    .near(word, 2)
    .filter(({ term }) => term.length > 3)
    .slice(0, spellingsMax);
  const alike = mostFrequent(alikeInSound(word, vocabulary), vocabulary);
  const two = word.length < twoEditsLengthMin ? near.filter(({ term }) => alike.includes(term)) : near;
  return [
    ...two.map(({ term }) => ({ tokens: [term], fit: fit.twoEdits })),
    ...alike.map((term) => ({ tokens: [term], fit: near.some((other) => other.term === term) ? fit.oneEdit : fit.sound })),
  ];
}

function alikeInSound(word: string, vocabulary: Vocabulary): string[] {
  if (soundKey(word).length < 3) return [];
  return vocabulary.alike(word).filter((term) => Math.abs(term.length - word.length) < 4);
}

/** For a word that the archive seldom holds: names said the same but written otherwise, and what a rare word may be a slip of. */
function mistakenFor(word: string, vocabulary: Vocabulary): string[] {
  const videos = vocabulary.count(word);
  if (videos >= seldomVideos || word.length < oneEditLengthMin || /\d/.test(word)) return [];
  const mayBeSlip = videos <= rareVideos && word.length >= rareLengthMin;
  const nearer = mayBeSlip ? vocabulary.near(word, 1).filter((near) => near.videos >= videos * muchMore) : [];
  return [...mostFrequent(saidTheSame(word, vocabulary), vocabulary), ...nearer.slice(0, spellingsMax).map(({ term }) => term)];
}

function saidTheSame(word: string, vocabulary: Vocabulary): string[] {
  const spoken = spokenForm(word);
  return vocabulary.alike(word).filter((term) => term.length >= oneEditLengthMin && spokenForm(term) === spoken);
}

const rareVideos = 2;
const muchMore = 10;
/** Of shorter words many are one letter away from each other. */
const rareLengthMin = 6;

/** rock'n'roll may be written rock n roll. */
function splitAtApostrophes(surface: string, vocabulary: Vocabulary): Alternative | undefined {
  if (!/['’ʼ]/.test(surface)) return undefined;
  const apart = { tokens: tokensOf(surface.replace(/['’ʼ]/g, ' ')), fit: fit.joined };
  return apart.tokens.length > 1 && isHeld(apart, vocabulary) && vocabulary.count(apart.tokens.join('')) < seldomVideos ? apart : undefined;
}

/** A word that the archive seldom or never writes as one may be two there: spiderman, spider man. */
function splitWord(word: string, vocabulary: Vocabulary): Alternative | undefined {
  const known = vocabulary.count(word);
  if (known >= seldomVideos) return undefined;
  let best: { tokens: string[]; videos: number } | undefined;
  // A word that is not known at all may begin with a letter of its own: e-mail, x-ray.
  const [first, last] = known > 0 ? [partLengthMin, word.length - partLengthMin] : [1, word.length - 2];
  for (let at = first; at <= last; at++) {
    const tokens = [word.slice(0, at), word.slice(at)];
    const videos = Math.min(...tokens.map((token) => vocabulary.count(token)));
    if (videos > (best?.videos ?? known - 1)) best = { tokens, videos };
  }
  return best && best.videos > 0 ? { tokens: best.tokens, fit: fit.joined } : undefined;
}

const seldomVideos = 36;
const partLengthMin = 3;
