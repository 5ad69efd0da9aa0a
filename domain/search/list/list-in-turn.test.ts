import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { listInTurn } from './list-in-turn.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
afterEach(() => {
  vi.useRealTimers();
});

test('one count begins when the one before it has ended, also when that failed', async () => {
  const events: string[] = [];
  const count = (name: string) =>
    listInTurn(database.pool, async () => {
      events.push(`${name} begins`);
      await database.pool.query(`select 1 / ${name === 'second' ? 0 : 1}`).finally(() => events.push(`${name} ends`));
    });
  const ends = await Promise.allSettled(['first', 'second', 'third'].map(count));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(events).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test('a count whose turn comes too late is given up, and the next one is made', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const begun = Promise.withResolvers<void>();
  const long = Promise.withResolvers<string>();
  const first = listInTurn(database.pool, () => {
    begun.resolve();
    return long.promise;
  });
  await begun.promise;
  const late = listInTurn(database.pool, () => Promise.resolve('late'));
  vi.advanceTimersByTime(2_001);
  const next = listInTurn(database.pool, () => Promise.resolve('next'));
  long.resolve('first');
  await expect(late).rejects.toThrow('timeout');
  expect([await first, await next]).toEqual(['first', 'next']);
});
