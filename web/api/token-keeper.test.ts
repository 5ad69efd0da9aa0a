import { expect, test } from 'vitest';
import { keepToken } from './token-keeper.ts';

function counted() {
  let fetched = 0;
  let clock = 0;
  const keeper = keepToken(
    () => {
      fetched += 1;
      return Promise.resolve(`token ${fetched}`);
    },
    () => clock,
  );
  return { keeper, fetches: () => fetched, advance: (ms: number) => (clock += ms) };
}

test('9.3 a token is kept for 3,540,000 ms and fetched anew after that', async () => {
  const { keeper, fetches, advance } = counted();
  expect(await keeper.read()).toBe('token 1');
  advance(3_539_999);
  expect(await keeper.read()).toBe('token 1');
  advance(1);
  expect(await keeper.read()).toBe('token 2');
  expect(fetches()).toBe(2);
});

test('callers at the same time share one fetch', async () => {
  const { keeper, fetches } = counted();
  expect(await Promise.all([keeper.read(), keeper.read(), keeper.read()])).toEqual(['token 1', 'token 1', 'token 1']);
  expect(fetches()).toBe(1);
});

test('a refused token is replaced once, however many callers were refused', async () => {
  const { keeper, fetches } = counted();
  const refused = await keeper.read();
  const [first, second] = await Promise.all([keeper.replace(refused), keeper.replace(refused)]);
  expect([first, second]).toEqual(['token 2', 'token 2']);
  expect(await keeper.replace(refused)).toBe('token 2');
  expect(fetches()).toBe(2);
});

test('waking up with an old token renews it, and with a fresh one does not', async () => {
  const { keeper, fetches, advance } = counted();
  await keeper.read();
  keeper.renewIfOld();
  expect(fetches()).toBe(1);
  advance(4_000_000);
  keeper.renewIfOld();
  expect(fetches()).toBe(2);
});

test('a failed fetch leaves room for the next try', async () => {
  let tries = 0;
  const keeper = keepToken(() => (tries++ === 0 ? Promise.reject(new Error('no connection')) : Promise.resolve('token')));
  await expect(keeper.read()).rejects.toThrow('no connection');
  expect(await keeper.read()).toBe('token');
});

test('a token that was on its way when the caller changed is not kept', async () => {
  let arrive: (token: string) => void = () => undefined;
  const keeper = keepToken(() => new Promise<string>((resolve) => (arrive = resolve)));
  const early = keeper.read();
  keeper.forget();
  arrive('of the caller before');
  await early;
  expect(keeper.current()).toBeUndefined();
});

test('listeners hear of every change', async () => {
  const { keeper } = counted();
  let heard = 0;
  const stop = keeper.subscribe(() => (heard += 1));
  await keeper.read();
  keeper.forget();
  stop();
  await keeper.read();
  expect(heard).toBe(2);
});
