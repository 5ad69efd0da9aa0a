import { expect, test } from 'vitest';
import { isWithin } from './is-within.ts';

test.each([
  ['/data', true],
  ['/data/media', true],
  ['/data/..copies', true],
  ['/data/../other', false],
  ['/', false],
  ['/database', false],
])('%s lies in /data: %s', (path, is) => {
  expect(isWithin(path, '/data')).toBe(is);
});
