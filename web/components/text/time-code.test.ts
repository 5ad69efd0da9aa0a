import { expect, test } from 'vitest';
import { formatShortTime, formatTimeCode, parseTimeCode, spellTime } from './time-code.ts';

test('both time forms of the video service are read, with and without fractions', () => {
  expect(parseTimeCode('0:00:09.1333333')).toBeCloseTo(9.1333333);
  expect(parseTimeCode('00:14:07')).toBe(847);
  expect(parseTimeCode('0:04:32')).toBe(272);
  expect(parseTimeCode('1.02:00:01')).toBe(93_601);
});

test('a time that cannot be read is the beginning', () => {
  expect(parseTimeCode('soon')).toBe(0);
});

test('a time code is always hours, minutes and whole seconds', () => {
  expect(formatTimeCode(847.99)).toBe('00:14:07');
  expect(formatTimeCode(Number.NaN)).toBe('00:00:00');
  expect(formatShortTime(420)).toBe('07:00');
  expect(formatShortTime(3_725)).toBe('1:02:05');
});

test('a time is read aloud in hours, minutes and seconds', () => {
  expect(spellTime(847)).toBe('14 minutes 7 seconds');
  expect(spellTime(3_601)).toBe('1 hour 1 second');
  expect(spellTime(0)).toBe('0 seconds');
});
