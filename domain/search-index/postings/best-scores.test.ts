import { expect, test } from 'vitest';
import { seededRandom } from '#testing/seeded-random.ts';
import { BestScores } from './best-scores.ts';

test.each([1, 2, 7, 300])('the lowest of the best %i scores is known while they come, and 0 before there are so many', (limit) => {
  const random = seededRandom(limit);
  const best = new BestScores(limit);
  const all: number[] = [];
  for (let n = 0; n < 2_000; n++) {
    // Some of them equal.
    const score = 1 + random.below(500);
    best.offer(score);
    all.push(score);
    const inOrder = all.toSorted((a, b) => b - a);
    expect(best.least).toBe(inOrder[limit - 1] ?? 0);
  }
});
