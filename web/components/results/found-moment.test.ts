import { expect, test } from 'vitest';
import { chooseBestMoments, leadOf, toFoundMoment } from './found-moment.ts';

const at = (startTime: string, type = 'Transcript') => toFoundMoment({ startTime, type, text: startTime, exactText: startTime });

test('3.5 a card shows the best four: the very best leads, the others follow in time order', () => {
  const bestFirst = ['00:20:00', '00:05:00', '00:30:00', '00:01:00', '00:00:01'].map((time) => at(time));
  expect(chooseBestMoments(bestFirst, 4).map((moment) => moment.seconds)).toEqual([1200, 60, 300, 1800]);
  expect(chooseBestMoments([], 4)).toEqual([]);
});

test('a title leads only where nothing else answers', () => {
  const title = at('00:00:00', 'Title');
  expect(leadOf([title, at('00:07:00', 'Ocr')])?.seconds).toBe(420);
  expect(leadOf([title])).toBe(title);
});

test('3.4 a type that the page does not know gets a kind it can show', () => {
  expect(at('00:00:01', 'SomethingNew').kind).toBe('Annotations');
  expect(at('00:00:01', 'Description').kind).toBe('Title');
  expect(at('00:00:01', 'constructor').kind).toBe('Annotations');
});

test('a line that is rough, and a time that is an estimate, say so, any other does not', () => {
  const match = { startTime: '00:00:01', type: 'Transcript', text: 'harbour', exactText: 'harbour' };
  expect([toFoundMoment({ ...match, rough: true }), toFoundMoment(match)].map(({ isRough }) => isRough)).toEqual([true, false]);
  expect([toFoundMoment({ ...match, estimated: true }), toFoundMoment(match)].map(({ isEstimated }) => isEstimated)).toEqual([true, false]);
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
