import { expect, test } from 'vitest';
import { toDisplayName } from './display-name.ts';

test.each([
  ['Harbour at dawn [AB-1234]', 'Harbour at dawn'],
  ['Moon landing (1969)', 'Moon landing (1969)'],
  ['Moon landing (1969) [NA_0007]', 'Moon landing (1969)'],
  ['Two codes [A1] [B-2]', 'Two codes'],
  ['Tight[X9]', 'Tight'],
  ['Trailing space [X9]  ', 'Trailing space'],
  ['Night train [director’s cut]', 'Night train [director’s cut]'],
  ['Night train [cut]', 'Night train [cut]'],
  ['[AB-1234]', '[AB-1234]'],
  ['[AB-1234] Harbour', '[AB-1234] Harbour'],
  ['Unbalanced AB-1234]', 'Unbalanced AB-1234]'],
  ['', ''],
])('9.11 %j is shown as %j', (name, shown) => {
  expect(toDisplayName(name)).toBe(shown);
});

test('a hostile name costs no more time than its length', () => {
  const name = `${'['.repeat(50_000)}${' 1]'.repeat(50_000)}`;
  expect(toDisplayName(name).length).toBeGreaterThan(0);
});
