import { expect, test } from 'vitest';
import { formatRecordedDate } from './result.ts';

test('a recording date is told as far as it is known: day, month or year', () => {
  expect(formatRecordedDate('1969-07-20')).toBe('Recorded 20 July 1969');
  expect(formatRecordedDate('1969-07-02')).toBe('Recorded 2 July 1969');
  expect(formatRecordedDate('1969-07')).toBe('Recorded July 1969');
  expect(formatRecordedDate('1969')).toBe('Recorded 1969');
  expect(formatRecordedDate('1969-07-20T20:17:40Z')).toBe('Recorded 20 July 1969');
});

test('what is no date is not told as one', () => {
  for (const other of [null, '', 'summer', '69', '20 July 1969']) expect(formatRecordedDate(other)).toBeNull();
});
