import { expect, test } from 'vitest';
import { Problem } from '#contract/problem.ts';
import { parseQuery } from './parse-query.ts';

/** A query in short: concepts parted by blanks, alternatives by `|`, words in a row by `_`, must by `+`, an open end by `…`. */
function inShort(text: string, options?: { suggesting: boolean }): string {
  const { concepts, not } = parseQuery(text, options);
  const term = ({ tokens, open, field }: { tokens: readonly string[]; open?: boolean; field?: string | undefined }) =>
    `${field ? `${field}:` : ''}${tokens.join('_')}${open ? '…' : ''}`;
  return [...concepts.map(({ anyOf, must }) => (must ? '+' : '') + anyOf.map(term).join('|')), ...not.map((one) => `-${term(one)}`)].join(
    ' ',
  );
}

test.each([
  ['one small step', 'one small step…'],
  ['one small step ', 'one small step'],
  ['"one small" step ', 'one_small step'],
  ['“curly quotes”', 'curly_quotes'],
  ['"never closed', 'never_closed'],
  ['moon -landing', 'moon -landing'],
  ['moon -"full moon" ', 'moon -full_moon'],
  ['moon OR luna ', 'moon|luna'],
  ['north|america ', 'north|america'],
  ['north+america ', '+north +america'],
  ['moon +landing ', 'moon +landing'],
  ['R2-D2 9/11 AT&T ', 'r2_d2 9_11 at_t'],
  ['one,two ', 'one two'],
  ['person:"Ada Lovelace" said:engine ', 'person:ada_lovelace said:engine'],
  ['foo:bar ', 'foo_bar'],
  ['OR | + - moon ', 'moon'],
  ['moon moon Moon ', 'moon'],
  ['C++ ', 'c'],
  ['a\u0000b\u001b[31mred ', 'a b 31mred'],
])('%s is read as %s', (text, expected) => {
  expect(inShort(text)).toBe(expected);
});

test('in suggestions the last word is open even before a blank', () => {
  expect(inShort('moon lan ', { suggesting: true })).toBe('moon lan…');
});

test.each([['a'.repeat(1_000)], ['😀'.repeat(1_000)], ['a '.repeat(500)], ['('.repeat(1_000)], ['-a '.repeat(300)], ['İ'.repeat(1_000)]])(
  'a thousand characters are read: %#',
  (text) => {
    expect(() => parseQuery(text)).not.toThrow();
  },
);

test('more than a thousand characters are refused with a code', () => {
  expect(() => parseQuery('😀'.repeat(1_001))).toThrow(expect.objectContaining({ code: 'query_too_long' }));
  expect(() => parseQuery('a'.repeat(1_001))).toThrow(Problem);
});
