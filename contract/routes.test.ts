import { expect, test } from 'vitest';
import { endpoints } from './endpoints.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';

const complete = { method: 'GET', path: '/api/thing', need: 'admin', rate: { none: 'staff' }, reads: 'people' } as const;
const { rate: _rate, ...withoutRate } = complete;
const { reads: _reads, ...withoutReads } = complete;

// Each of these is refused by the compiler; were one of them taken, its comment would be the error.
const incomplete: readonly unknown[] = [
  // @ts-expect-error a row says from which bucket it takes, or why from none
  withoutRate satisfies Route,
  // @ts-expect-error a row says what it reads
  withoutReads satisfies Route,
  // @ts-expect-error whoever is signed in does not read people
  { ...complete, need: 'signed-in' } satisfies Route,
  // @ts-expect-error a guest does not read a film
  { ...complete, need: 'guest', reads: 'film' } satisfies Route,
  // @ts-expect-error an account token does not list videos in every state
  { ...complete, need: 'account-token', reads: 'records' } satisfies Route,
  // @ts-expect-error what takes from no bucket has no price
  { ...complete, price: 3 } satisfies Route,
  // @ts-expect-error there is no such bucket
  { ...complete, rate: 'searches' } satisfies Route,
];

test('a row without a rate, without what it reads or with too weak a need for that does not compile', () => {
  expect(complete satisfies Route).toBeDefined();
  expect(incomplete).toHaveLength(7);
});

test('no two rows have the same method and path, and no parameter is named in two places of a path', () => {
  const addresses = Object.values(routes).map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`);
  expect(new Set(addresses).size).toBe(addresses.length);
  for (const { path } of Object.values(routes)) {
    const names = path.match(/:\w+/g) ?? [];
    expect([path, new Set(names).size]).toEqual([path, names.length]);
  }
});

test('an input has a field for every parameter of its path', () => {
  for (const [name, { path, input }] of Object.entries(endpoints)) {
    const fields = Object.keys(input.shape);
    for (const parameter of path.match(/(?<=:)\w+/g) ?? []) expect([name, fields]).toEqual([name, expect.arrayContaining([parameter])]);
  }
});
