import { expect, test } from 'vitest';
import { bestMoments, toFoundMoment } from './found-moment.ts';

const at = (startTime: string, type = 'Transcript') => toFoundMoment({ startTime, type, text: startTime, exactText: startTime });

test('3.5 a card shows the best four in time order', () => {
  const bestFirst = ['00:20:00', '00:05:00', '00:30:00', '00:01:00', '00:00:01'].map((time) => at(time));
  expect(bestMoments(bestFirst, 4).map((moment) => moment.seconds)).toEqual([60, 300, 1200, 1800]);
});

test('3.4 a type that the page does not know gets a kind it can show', () => {
  expect(at('00:00:01', 'SomethingNew').kind).toBe('Annotations');
  expect(at('00:00:01', 'Description').kind).toBe('Title');
  expect(at('00:00:01', 'constructor').kind).toBe('Annotations');
});

test('every place of a match that has several is kept', () => {
  const moment = toFoundMoment({
    startTime: '00:00:01',
    type: 'Ocr',
    text: 'last tram home',
    exactText: 'last',
    ranges: [
      [0, 4],
      [10, 14],
    ],
  });
  expect(moment.ranges.map(([from, to]) => moment.text.slice(from, to))).toEqual(['last', 'home']);
});
