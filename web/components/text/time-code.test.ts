import { expect, test } from 'vitest';
import { formatShortTime, formatTimeCode, parseTimeCode, readSeconds, spellTime } from './time-code.ts';

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

test.each([
  ['90', 90],
  ['12.9', 12],
  ['1m30s', 90],
  ['2H', 7_200],
  ['1h2m3.5s', 3_723],
  ['1:30', 90],
  ['1:02:03', 3_723],
  ['1m30', null],
  ['s', null],
  ['1:2', null],
  ['99999999999h', 9_999_999],
])('%j in an address begins at second %j', (text, seconds) => {
  expect(readSeconds(text)).toBe(seconds);
});
