import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { isTooLong, readQuery } from './read-query.ts';

const queryOf = (query: string) => readQuery(new URLSearchParams({ query }));

test('controls and line ends alone are no query', () => {
  for (const nothing of ['', '  ', '\u0000', '\u0001\u001f \u007f', '\r\n\u2028', '\ufffd']) expect(queryOf(nothing)).toBe('');
  expect(readQuery(new URLSearchParams())).toBe('');
});

test('a query with a control in it is read as the archive reads it', () => {
  expect(queryOf(' harbour\u0000lights\n')).toBe('harbour lights');
});

test('a query is measured in characters, not in units of UTF-16', () => {
  expect(isTooLong('🌊'.repeat(limits.queryMaxCodePoints))).toBe(false);
  expect(isTooLong('🌊'.repeat(limits.queryMaxCodePoints + 1))).toBe(true);
});
