import { expect, test } from 'vitest';
import { steps } from './steps.ts';

test('every step stands behind those that it needs, under a name of its own', () => {
  const names = steps.map(({ name }) => name);
  expect(new Set(names).size).toBe(steps.length);
  for (const [n, step] of steps.entries())
    for (const need of [...step.needs, ...(step.follows ?? [])]) expect(names.slice(0, n)).toContain(need.name);
});

test('what makes a film playable needs nothing that only understands it, and comes to the whole of what people wait for', () => {
  const playable = steps.filter((step) => step.class === 'playable');
  for (const step of playable) expect(step.needs.every((need) => need.class === 'playable')).toBe(true);
  for (const own of [playable, steps.filter((step) => step.class === 'understood')])
    expect(own.reduce((sum, { share }) => sum + share, 0)).toBe(100);
});
