import { expect, test } from 'vitest';
import { endpoints } from '#contract/endpoints.ts';
import { type CallName, calls } from './calls.ts';

const names = Object.keys(calls).filter((name): name is CallName => name in calls);

test.each(names)('the page calls %s by the method and path of the contract', (name) => {
  const { method, path } = endpoints[name];
  expect(calls[name].route).toBe(`${method} ${path}`);
});

test('the page asks the video service where the contract speaks its language', () => {
  for (const name of names) {
    expect(calls[name].base === 'video-service', name).toBe(endpoints[name].surface === 'video-service');
  }
});
