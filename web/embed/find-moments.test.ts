import { expect, test } from 'vitest';
import { findMoments } from './find-moments.ts';
import type { VideoMoment } from './video-moments.ts';

function spoken(...lines: string[]): VideoMoment[] {
  return lines.map((text, index) => ({
    id: `Transcript-${index}-0`,
    kind: 'Transcript',
    startInSeconds: index * 4,
    endInSeconds: index * 4 + 4,
    text,
    speaker: null,
  }));
}

function marked(moments: VideoMoment[], query: string): string[] {
  return findMoments(moments, query).map(({ moment, ranges }) => ranges.map(([start, end]) => moment.text.slice(start, end)).join('|'));
}

test('9.9 a word is found whatever its case and accents, as it stands in the footage', () => {
  expect(marked(spoken('The HARBOUR at dawn', 'a café by the quay', 'nothing here'), 'harbour Cafe ')).toEqual(['HARBOUR', 'café']);
});

test('any of the words finds a line', () => {
  expect(marked(spoken('lamps on the quay', 'boats at night'), 'lamps night ')).toEqual(['lamps', 'night']);
});

test('a line that holds only stop words is no match unless the search is nothing else', () => {
  expect(marked(spoken('the quay', 'the boat'), 'the boat ')).toEqual(['boat']);
  expect(marked(spoken('to be or not', 'a boat'), 'to be ')).toEqual(['to|be']);
});

test('a phrase is found inside a line and across two lines, and marked in both', () => {
  expect(marked(spoken("that's one small step", 'for a man, one giant leap'), '"small step for a man"')).toEqual([
    'small step',
    'for a man',
  ]);
  expect(marked(spoken('one small step', 'a step too small'), '"small step"')).toEqual(['small step']);
});

test('a line with an unwanted word is left out', () => {
  expect(marked(spoken('harbour lights', 'harbour master'), 'harbour -master')).toEqual(['harbour']);
});

test('the word that is still being typed counts from its beginning', () => {
  expect(marked(spoken('the harbour'), 'harb')).toEqual(['harbour']);
  expect(marked(spoken('the harbour'), 'harb ')).toEqual([]);
});

test('the id of a video is no word to look for in it', () => {
  expect(marked(spoken('lamps on the quay', 'an abc of boats'), 'lamps id:abc')).toEqual(['lamps']);
});

test('field words, signs and any quotes leave the words that they stand for', () => {
  const lines = spoken('one small step', 'Ada writes', 'a giant leap');
  expect(marked(lines, 'said:"small step"')).toEqual(['small step']);
  expect(marked(lines, 'said:step person:Ada -title:small')).toEqual(['step', 'Ada']);
  expect(marked(lines, 'PERSON:ada OR label:leap')).toEqual(['Ada', 'leap']);
  expect(marked(lines, 'step+leap ')).toEqual(['step', 'leap']);
  expect(marked(lines, '+giant +"small step"')).toEqual(['small step', 'giant']);
  expect(marked(lines, '“small step” „giant leap“')).toEqual(['small step', 'giant leap']);
  expect(marked(lines, '(giant|ada) ')).toEqual(['Ada', 'giant']);
  expect(marked(lines, '+gia')).toEqual([]);
});

test('an empty search finds nothing', () => {
  expect(findMoments(spoken('the harbour'), '  ')).toEqual([]);
  expect(findMoments(spoken('the harbour'), '""')).toEqual([]);
});
