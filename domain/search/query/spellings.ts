import { toSoundKey, toSpokenForm } from '../../words/sounds-like.ts';
import { tokensOf } from '../../words/tokens.ts';
import type { Vocabulary } from '../../words/vocabulary.ts';
import { fit, ofSlip } from '../weights.ts';
import type { Alternative } from './search-plan.ts';

const spellingsMax = 6;
const mostFrequentMax = 6;
const slipsOfPartMax = 3;

/**
 * For a word that occurs nowhere: those one letter away or said the same, else two letters or much the same sound. What only
 * sounds alike is taken in any case when other words can tell whether it is meant. The digits of 18th, 1930s and A320 are no slips: another
 * number is another thing.
 */
export function spellingsOf(word: string, vocabulary: Vocabulary, { isAlone }: { isAlone: boolean }): Alternative[] {
  if (word.length < ofSlip.oneEditLengthMin || /^\d+$/.test(word)) return [];
  const digits = digitsOf(word);
  const isMeant = (term: string) => digits === '' || digitsOf(term) === digits;
  const sounds = wordsSoundingLike(word, vocabulary);
  const [said, alike] = [sounds.said.filter(isMeant), sounds.alike.filter(isMeant)];
  const nearOnes = vocabulary.near(word, 1).filter(({ term }) => isMeant(term));
  const one = nearOnes.map(({ term }) => ({ tokens: [term], fit: said.includes(term) ? fit.oneEditInSound : fit.oneEdit }));
  const likely = one.toSorted((a, b) => b.fit - a.fit).slice(0, spellingsMax);
  const others = chooseMostFrequent(said, vocabulary).map((term) => ({ tokens: [term], fit: fit.inSound }));
  const bySound = alike.map((term) => ({ tokens: [term], fit: fit.sound }));
  if (likely.length + others.length > 0) return [...likely, ...others, ...(isAlone ? [] : bySound)];
  const near = vocabulary
    .near(word, 2)
    .filter(({ term }) => term.length > 3 && isMeant(term))
    .slice(0, spellingsMax);
  const two = word.length < ofSlip.twoEditsLengthMin ? near.filter(({ term }) => alike.includes(term)) : near;
  return [
    ...two.map(({ term }) => ({ tokens: [term], fit: fit.twoEdits })),
    ...alike.map((term) => ({ tokens: [term], fit: near.some((other) => other.term === term) ? fit.oneEdit : fit.sound })),
  ];
}

function digitsOf(word: string): string {
  return word.replace(/\D/g, '');
}

/** Beside a name that the archive knows only as it is written right, this word may be misheard as well: Edward for Edvard, Casper for Caspar. */
export function partOfName(word: string, vocabulary: Vocabulary): string[] {
  if (word.length < ofSlip.oneEditLengthMin || /\d/.test(word)) return [];
  const near = vocabulary.near(word, 1).map(({ term }) => term);
  const { said, alike } = wordsSoundingLike(word, vocabulary);
  return [...new Set([...said, ...near.slice(0, spellingsMax), ...alike])];
}

/** For a word that the archive seldom holds: names said the same but written otherwise, and what a rare word may be a slip of. */
export function mistakenFor(word: string, vocabulary: Vocabulary): string[] {
  const videos = vocabulary.count(word);
  if (videos >= ofSlip.seldomVideos || word.length < ofSlip.oneEditLengthMin || /\d/.test(word)) return [];
  const mayBeSlip = videos <= ofSlip.rareVideos && word.length >= ofSlip.rareLengthMin;
  const nearer = mayBeSlip ? vocabulary.near(word, 1).filter((near) => near.videos >= videos * ofSlip.muchMore) : [];
  return [
    ...chooseMostFrequent(wordsSoundingLike(word, vocabulary).said, vocabulary),
    ...nearer.slice(0, spellingsMax).map(({ term }) => term),
  ];
}

/** Words that are said the same, and the nearest in letters of those that sound much alike. */
function wordsSoundingLike(word: string, vocabulary: Vocabulary): { said: string[]; alike: string[] } {
  const terms = vocabulary.alike(word).map(({ term }) => term);
  const spoken = toSpokenForm(word);
  const said = terms.filter((term) => term.length >= ofSlip.oneEditLengthMin && toSpokenForm(term) === spoken);
  return { said, alike: toSoundKey(word).length < ofSlip.alikeKeyMin ? [] : terms.slice(0, spellingsMax) };
}

/** What a part of tied words may be a slip of, when the archive seldom holds it: wily-nilly. */
export function slipsOfPart(token: string, vocabulary: Vocabulary): string[] {
  if (token.length < ofSlip.oneEditLengthMin || /\d/.test(token) || vocabulary.count(token) >= ofSlip.seldomVideos) return [];
  return vocabulary
    .near(token, 1)
    .slice(0, slipsOfPartMax)
    .map(({ term }) => term);
}

/** The most frequent of some words, of those that the archive holds. */
export function chooseMostFrequent(words: Iterable<string>, vocabulary: Vocabulary): string[] {
  return [...words]
    .map((word) => ({ word, videos: vocabulary.count(word) }))
    .filter(({ videos }) => videos > 0)
    .sort((a, b) => b.videos - a.videos)
    .slice(0, mostFrequentMax)
    .map(({ word }) => word);
}

/** The e of an umlaut written out: Mueller, Goethe; but not guest, queen. */
const writtenOut = /(?<=[ao]|(?<![qg])u)e/g;
const bare = /(?<=[aou])(?!e)/g;
const offsetsMax = 6;

/**
 * A folded word with its umlauts written out or taken back: mueller for muller (Müller), and the other way round.
 * `surface` is what was typed: an umlaut there counts in short words too. Most answers are no words, so ask the vocabulary.
 */
export function listUmlautWays(word: string, surface: string): Set<string> {
  const found = new Set<string>();
  const spelt = surface.normalize('NFC').toLowerCase();
  if (/[äöü]/.test(spelt)) {
    const [only = '', ...rest] = tokensOf(spelt.replace(/ä/g, 'ae').replace(/ö/g, 'oe').replace(/ü/g, 'ue'));
    if (rest.length === 0) found.add(only);
  }
  if (word.length >= ofSlip.umlautLengthMin) {
    for (const [pattern, length, other] of [
      [writtenOut, 1, ''],
      [bare, 0, 'e'],
    ] as const) {
      const offsets = Array.from(word.matchAll(pattern), ({ index }) => index).slice(0, offsetsMax);
      for (const at of offsets) found.add(word.slice(0, at) + other + word.slice(at + length));
      if (offsets.length > 1) found.add(word.replace(pattern, other));
    }
  }
  found.delete(word);
  return found;
}
