import { wantsWholeCorpus } from '#testing/whole-corpus.ts';

/** How many entries a sample holds; a report runs the whole corpus. */
const sampleSize = 24;
const seed = 20_261_120;

/** A seeded sample of the attack corpus, spread over its classes, or all of it; and how many were left out. */
export function corpusSample<E extends { readonly cls: string }>(
  entries: readonly E[],
): { readonly chosen: readonly E[]; readonly leftOut: number } {
  if (wantsWholeCorpus) return { chosen: entries, leftOut: 0 };
  const next = randomNumbers(seed);
  const shuffled = entries.map((entry) => ({ entry, rank: next() })).sort((a, b) => a.rank - b.rank);
  const rounds = new Map<string, number>();
  const inRounds = shuffled.map(({ entry }) => {
    const round = rounds.get(entry.cls) ?? 0;
    rounds.set(entry.cls, round + 1);
    return { entry, round };
  });
  const chosen = inRounds
    .sort((a, b) => a.round - b.round)
    .slice(0, sampleSize)
    .map(({ entry }) => entry);
  return { chosen, leftOut: entries.length - chosen.length };
}

/** mulberry32: small, seeded, good enough to choose by. */
function randomNumbers(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
