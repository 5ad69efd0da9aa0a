export interface SeededRandom {
  /** From 0 up to, but not, 1. */
  next(): number;
  /** From 0 up to, but not, `end`. */
  below(end: number): number;
  pick<T>(list: readonly T[]): T | undefined;
}

/**
 * Which share of what takes minutes a run takes (`RUSHES_TEST_TURN`): `npm test` takes that of the day, counted from 1970, and says which; a
 * file of tests that is run by itself takes the same one always.
 */
export const turnOfTests = Number(process.env.RUSHES_TEST_TURN ?? 20_784);

/** The same numbers for the same seed, so that two runs ask and build the same (mulberry32). */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (end: number) => Math.floor(next() * end);
  return { next, below, pick: (list) => list[below(list.length)] };
}
