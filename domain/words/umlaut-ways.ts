import { tokensOf } from './tokens.ts';

const lengthMin = 5;
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
  if (word.length >= lengthMin) {
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
