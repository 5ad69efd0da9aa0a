import { expect, test } from 'vitest';
import type { TextSeen } from '../engines/text-reader.ts';
import { textsInFilm } from './texts-in-film.ts';

const film = { everySeconds: 0.5, durationInSeconds: 120, engine: 'an eye' };
const lower = { x: 0.1, y: 0.8, width: 0.3, height: 0.06 };

/** A text as one stretch tells of it, from one second to another; `readings` with the pictures that agree on each. */
function seen(from: number, to: number, readings: Record<string, number>): TextSeen {
  const told = Object.entries(readings).map(([text, pictures]) => ({ text, pictures, confidence: 0.95 }));
  return { readings: told, place: lower, heightPx: 30, fromSeconds: from, toSeconds: to };
}

const tell = (...stretches: TextSeen[][]) =>
  textsInFilm(
    stretches.map((texts) => ({ texts })),
    film,
  );

test('a text over two stretches is one moment, with the reading that most pictures agree on', () => {
  const { moments } = tell([seen(30, 39.5, { 'IDA ST0RM, PILOT': 1, 'IDA STORM, PILOT': 3 })], [seen(40, 44, { 'IDA STORM. PILOT': 2 })]);
  expect(moments).toMatchObject([{ kind: 'Ocr', text: 'IDA STORM, PILOT', startMs: 30_000, endMs: 44_500, place: lower }]);
});

test('what comes back after a while, or with other digits, is another text', () => {
  const { moments } = tell([seen(1, 3, { 'LINE 28': 2 }), seen(3.5, 6, { 'LINE 29': 2 }), seen(20, 22, { 'LINE 29': 2 })]);
  expect(moments.map(({ text, startMs }) => [text, startMs])).toEqual([
    ['LINE 28', 1_000],
    ['LINE 29', 3_500],
    ['LINE 29', 20_000],
  ]);
});

test('a clock that runs is left out and counted, a time on a timetable stays', () => {
  const running = seen(0, 39.5, { '12:04': 1, '12:05': 1, '12:06': 1 });
  expect(tell([running])).toMatchObject({ moments: [], leftOut: { clocks: 1 } });
  expect(tell([seen(0, 4, { '00:00:04;00': 1 })])).toMatchObject({ moments: [], leftOut: { clocks: 1 } });
  expect(tell([seen(0, 10, { '12:04': 5 })]).moments).toHaveLength(1);
});

test('small, lone and doubtful readings are left out and counted; what is no text at all is not', () => {
  const small = { ...seen(0, 4, { 'ALL RIGHTS': 2 }), heightPx: 11 };
  const doubtful = seen(10, 12, { 'BONKY LARD': 2 });
  const unsure = { ...doubtful, readings: doubtful.readings.map((one) => ({ ...one, confidence: 0.7 })) };
  const pattern = { ...doubtful, readings: [{ text: 'M', pictures: 1, confidence: 0.2 }] };
  const { moments, leftOut } = tell([small, seen(5, 8, { K: 3 }), unsure, pattern]);
  expect([moments, leftOut]).toEqual([[], { clocks: 0, small: 1, loneCharacters: 1, doubtful: 1 }]);
});
