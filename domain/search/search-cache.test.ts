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
});

test('a value that is replaced leaves its place to the new one, and one that is too large is not kept', () => {
  const cache = new SearchCache(1_000);
  const plans = cache.of<string>('plans', (text) => text.length);
  plans.set('a', 'old');
  plans.set('a', 'new');
  expect(plans.get('a')).toBe('new');
  plans.set('a', 'x'.repeat(2_000));
  expect(plans.get('a')).toBeUndefined();
});

test('what is deleted or forgotten is gone, and its room is free again', () => {
  const cache = new SearchCache(1_000);
  const plans = cache.of<string>('plans', (text) => text.length);
  const large = 'x'.repeat(490);
  plans.set('a', large);
  plans.set('b', large);
  plans.delete('a');
  plans.set('c', large);
  expect(['a', 'b', 'c'].map((key) => plans.get(key)?.length)).toEqual([undefined, 490, 490]);
  cache.forget();
  plans.set('d', large);
  plans.set('e', large);
  expect(['b', 'c', 'd', 'e'].map((key) => plans.get(key)?.length)).toEqual([undefined, undefined, 490, 490]);
});
