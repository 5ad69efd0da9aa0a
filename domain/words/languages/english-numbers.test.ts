import { expect, test } from 'vitest';
import { listNumberWays } from './english-numbers.ts';

const ways = (number: string) => listNumberWays(number.split(' ')).map((words) => words.join(' '));

test.each([
  ['7', ['seven']],
  ['21st', ['twenty first', 'twentyfirst']],
  ['150', ['one hundred fifty', 'one hundred and fifty', 'hundred fifty', 'hundred and fifty', 'one fifty']],
  ['1000', ['thousand', 'one thousand', '1k', '1 thousand']],
  ['1010', ['one thousand ten', 'one thousand and ten']],
  ['1500', ['fifteen hundred', 'one thousand five hundred']],
  ['1905', ['nineteen oh five']],
  ['1969', ['nineteen sixty nine']],
  ['2000', ['two thousand', '2k', '2 thousand']],
  ['2021', ['twenty twenty one', 'two thousand twenty one', 'two thousand and twenty one']],
  ['10000', ['ten thousand', '10k', '10 thousand']],
  ['404', ['four oh four', 'four hundred four', 'four hundred and four']],
  ['04', ['oh four', 'zero four']],
  ['17 8', ['seventeen point eight']],
  ['60s', ['sixties', '1960s', 'nineteen sixties']],
])('%s may be written %j, and each of these as all the others', (digits, words) => {
  expect(ways(digits).sort()).toEqual(words.toSorted());
  for (const way of words) expect(ways(way), way).toContain(digits);
});

test('20.04 is read as two numbers, and may be written without its point', () => {
  expect(ways('20 04').sort()).toEqual(['twenty oh four', 'twenty point oh four']);
  expect(ways('one point oh')).toEqual(['1 0']);
});

test.each(['2100', '1e3', '007', 'sixty nineteen', 'constructor', '', 'point', 'point five', 'one point', 'one point harbour', '1 2 3'])(
  '%s is no number that is known in words',
  (other) => {
    expect(ways(other)).toEqual([]);
  },
);
