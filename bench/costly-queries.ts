import { limits } from '#contract/limits.ts';
import { lengthFilters, searchOrders } from '#contract/narrowing.ts';
import { type SeededRandom, seededRandom } from '#testing/seeded-random.ts';
import { misspelt } from './search-questions.ts';
import type { WordsByShare } from './words-by-share.ts';

/** A request that the service takes, by its parameters. */
export type CostlyQuery = readonly (readonly [name: string, value: string])[];

const deepestSkip = 900;
const wordsMax = 30;

/** Requests of every shape that the query language has, most of them such as nobody types: always the same for the same words and seed. */
export function makeCostlyQueries(words: WordsByShare, { count, seed }: { count: number; seed: number }): CostlyQuery[] {
  const random = seededRandom(seed);
  const shapes = textShapes(words, random);
  const text = () => cut(random.pick(shapes)?.() ?? '');
  return Array.from({ length: count }, () => {
    const alternatives = random.next() < 0.2 ? 2 + random.below(limits.queryAlternativesMax - 1) : 1;
    const texts = Array.from({ length: alternatives }, () => ['query', text()] as const);
    return [...texts, ...pageOf(random), ...narrowingOf(random)];
  });
}

function textShapes({ known, common, medium, rare, stops }: WordsByShare, random: SeededRandom): (() => string)[] {
  const frequent = common.length > 0 ? common : medium;
  const some = (list: readonly string[]) => Array.from({ length: 1 + random.below(wordsMax) }, () => random.pick(list) ?? '');
  const any = () => random.pick([frequent, medium, rare, stops]) ?? medium;
  const field = () => random.pick(['title', 'person', 'label', 'brand', 'said', 'written']);
  return [
    () => some(frequent).join(' '),
    () => some(any()).join(' '),
    () => `${some(stops).join(' ')} `,
    () =>
      some(stops.slice(0, 12))
        .map((word) => `+${word}`)
        .join(' '),
    () =>
      some(any())
        .map((word) => `+${word}`)
        .join(' '),
    () =>
      some(any())
        .map((word) => `-${word}`)
        .join(' '),
    () =>
      `${random.pick(medium)} ${some(frequent)
        .map((word) => `-${word}`)
        .join(' ')}`,
    () => some(any()).join(' OR '),
    () =>
      some(frequent)
        .map((word) => `"${word} ${random.pick(stops)} ${random.pick(frequent)}"`)
        .join(' '),
    () => `"${some(stops).join(' ')}"`,
    () =>
      some(medium)
        .map((word) => misspelt(random, word, known))
        .join(' '),
    () =>
      some(any())
        .map((word) => `${field()}:${word}`)
        .join(' '),
    () => `${random.pick(frequent)} ${(random.pick(medium) ?? '').slice(0, 1 + random.below(3))}`,
    () =>
      some(any())
        .map((word) => random.pick([word, `+${word}`, `-${word}`, `"${word}"`, `${field()}:${word}`]))
        .join(' '),
  ];
}

function pageOf(random: SeededRandom): CostlyQuery {
  return [
    ...(random.next() < 0.3 ? [['pageSize', String(limits.pageSizeMax)] as const] : []),
    ...(random.next() < 0.2 ? [['skip', String(random.below(deepestSkip))] as const] : []),
  ];
}

function narrowingOf(random: SeededRandom): CostlyQuery {
  return [
    ...(random.next() < 0.2 ? [['sort', random.pick(searchOrders) ?? 'best'] as const] : []),
    ...(random.next() < 0.2 ? [['length', random.pick(lengthFilters) ?? 'under-10'] as const] : []),
  ];
}

/** As long as the service takes; words are plain, so a character is a code point. */
function cut(text: string): string {
  return text.slice(0, limits.queryMaxCodePoints);
}
