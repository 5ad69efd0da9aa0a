import { tokensOf } from './tokens.ts';

const umlautLengthMin = 5;
/** The e of an umlaut written out: Mueller, Goethe; but not guest, queen. */
const writtenOut = /(?<=[ao]|(?<![qg])u)e/g;
const bare = /(?<=[aou])(?!e)/g;
const placesMax = 6;

/**
 * A folded word with its umlauts written out or taken back: mueller for muller (Müller), and the other way round.
 * `surface` is what was typed: an umlaut there counts in short words too. Most answers are no words, so ask the vocabulary.
 */
export function umlautWays(word: string, surface: string): Set<string> {
  const found = new Set<string>();
  const spelt = surface.normalize('NFC').toLowerCase();
  if (/[äöü]/.test(spelt)) {
    const [only = '', ...rest] = tokensOf(spelt.replace(/ä/g, 'ae').replace(/ö/g, 'oe').replace(/ü/g, 'ue'));
    if (rest.length === 0) found.add(only);
  }
  if (word.length >= umlautLengthMin) {
    for (const [pattern, length, other] of [
      [writtenOut, 1, ''],
      [bare, 0, 'e'],
    ] as const) {
      const places = Array.from(word.matchAll(pattern), ({ index }) => index).slice(0, placesMax);
      for (const at of places) found.add(word.slice(0, at) + other + word.slice(at + length));
      if (places.length > 1) found.add(word.replace(pattern, other));
    }
  }
  found.delete(word);
  return found;
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
const slipLengthMin = 3;

/** How a word may stand in text that was read off a picture; most of the answers are no words, so ask the vocabulary. */
export function writtenSlips(word: string): Set<string> {
  const found = new Set<string>();
  if (word.length < slipLengthMin) return found;
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
