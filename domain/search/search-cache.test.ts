import { expect, test } from 'vitest';
import { SearchCache } from './search-cache.ts';

test('values of all kinds share one budget, and what was used longest ago goes first', () => {
  const cache = new SearchCache(1_000);
  const plans = cache.of<string>('plans', (text) => text.length);
  const bodies = cache.of<string>('bodies', (text) => text.length);
  plans.set('a', 'x'.repeat(300));
  bodies.set('a', 'y'.repeat(300));
  expect([plans.get('a')?.length, bodies.get('a')?.length]).toEqual([300, 300]);
  plans.get('a');
  bodies.set('b', 'z'.repeat(500));
  expect([plans.get('a')?.length, bodies.get('a'), bodies.get('b')?.length]).toEqual([300, undefined, 500]);
  expect(cache.bytes).toBeLessThanOrEqual(1_000);
});

test('a value that is replaced leaves its place to the new one, and one that is too large is not kept', () => {
  const cache = new SearchCache(1_000);
  const plans = cache.of<string>('plans', (text) => text.length);
  plans.set('a', 'old');
  plans.set('a', 'new');
  expect(plans.get('a')).toBe('new');
  plans.set('a', 'x'.repeat(2_000));
  expect([plans.get('a'), cache.bytes]).toEqual([undefined, 0]);
});

test('what is deleted or forgotten is gone, and its room is free again', () => {
  const cache = new SearchCache(1_000);
  const plans = cache.of<string>('plans', (text) => text.length);
  plans.set('a', 'one');
  plans.set('b', 'two');
  plans.delete('a');
  expect([plans.get('a'), plans.get('b')]).toEqual([undefined, 'two']);
  cache.forget();
  expect([plans.get('b'), cache.bytes]).toEqual([undefined, 0]);
});
