import { afterEach, expect, test, vi } from 'vitest';
import { SearchTimeout } from '../../scheduling/search-timeout.ts';
import { openWorkQueue } from './list-facets.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('one piece of work begins when the one before it has ended, also when that failed', async () => {
  const events: string[] = [];
  const enqueue = openWorkQueue();
  const work = (name: string) =>
    enqueue(async () => {
      events.push(`${name} begins`);
      await new Promise(setImmediate);
      events.push(`${name} ends`);
      if (name === 'second') throw new Error('failed');
    });
  const ends = await Promise.allSettled(['first', 'second', 'third'].map(work));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(events).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test('work that has waited too long is given up, and the next one is done', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const enqueue = openWorkQueue();
  const begun = Promise.withResolvers<void>();
  const long = Promise.withResolvers<string>();
  const first = enqueue(() => {
    begun.resolve();
    return long.promise;
  });
  await begun.promise;
  const late = enqueue(() => Promise.resolve('late'));
  vi.advanceTimersByTime(2_001);
  const next = enqueue(() => Promise.resolve('next'));
  long.resolve('first');
  await expect(late).rejects.toThrow(SearchTimeout);
  expect([await first, await next]).toEqual(['first', 'next']);
});
