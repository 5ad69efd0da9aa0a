import { expect, test } from 'vitest';
import { type MarkedMoment, marksOfCaption, marksOfLines } from './marked-moment.ts';
import { toLineKey } from './video-moments.ts';

const lines = ["that's one small step", 'for a man, one giant leap'];
const texts = new Map(lines.map((text, n) => [toLineKey('Transcript', n + 1), text]));
const spoken = (text: string, ranges: MarkedMoment['ranges'], ...numbers: number[]): MarkedMoment => ({
  id: text,
  kind: 'Transcript',
  startInSeconds: 1,
  text,
  ranges,
  isByMeaning: false,
  lines: numbers,
});
const overTheBorder = spoken(lines.join(' '), [[11, 31]], 1, 2);

test('9.9 words that run on over two lines are marked in both', () => {
  const marks = marksOfLines([overTheBorder], (key) => texts.get(key));
  const marked = (n: number) => marks.get(toLineKey('Transcript', n))?.map(([from, to]) => lines[n - 1]?.slice(from, to));
  expect([marked(1), marked(2)]).toEqual([['small step'], ['for a man']]);
});

test('a line that several moments show has the marks of all of them', () => {
  const marks = marksOfLines([overTheBorder, spoken('for a man, one giant leap', [[15, 20]], 2)], (key) => texts.get(key));
  expect(marks.get(toLineKey('Transcript', 2))).toEqual([
    [0, 9],
    [15, 20],
  ]);
});

test('a caption is marked as its lines are, also where two of them stand under one another', () => {
  const marked = (caption: string, ...found: MarkedMoment[]) => marksOfCaption(found, caption).map(([from, to]) => caption.slice(from, to));
  expect(marked(lines[0] ?? '', overTheBorder)).toEqual(['small step']);
  expect(marked(lines[1] ?? '', overTheBorder)).toEqual(['for a man']);
  expect(marked(lines.join('\n'), overTheBorder)).toEqual(['small step', 'for a man']);
  const three = ['one small', 'step for a', 'man'];
  const overThree = spoken(three.join(' '), [[4, 24]], 1, 2, 3);
  expect(three.map((cue) => marked(cue, overThree))).toEqual([['small'], ['step for a'], ['man']]);
  expect(marked('small step', overTheBorder)).toEqual([]);
  // A line that only begins alike is another one.
  expect(marked('for a', spoken('for a man, one giant leap', [[0, 9]], 2))).toEqual([]);
  expect(marked('nobody speaks', overTheBorder, { ...overTheBorder, kind: 'Ocr' })).toEqual([]);
});
