import { expect, test } from 'vitest';
import type { Moment } from './moment.ts';
import { packMoments, unpackMoments } from './packed-moments.ts';

const line: Moment = {
  kind: 'Transcript',
  startMs: 4_000,
  endMs: 6_500,
  text: 'the Eagle has landed',
  source: 'sidecar',
  confidencePercent: 100,
};

test('moments come back from their packed row in order of time', () => {
  const later: Moment = {
    ...line,
    kind: 'Ocr',
    startMs: 9_000,
    endMs: 9_500,
    text: 'TRANQUILITY BASE',
    source: 'machine',
    confidencePercent: 93,
    speaker: 'Eagle',
  };
  expect(unpackMoments(packMoments([later, line]))).toEqual([line, later]);
});

test('tabs, line ends and control characters in a text never break the row', () => {
  const [back] = unpackMoments(packMoments([{ ...line, text: 'one\ttwo\nthree\u0000four' }]));
  expect(back?.text).toBe('one two three four');
});

test('a row that was not packed here is refused', () => {
  expect(() => unpackMoments('hello')).toThrow('not a packed moment');
});
