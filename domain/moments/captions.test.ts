import { expect, test } from 'vitest';
import { writeCaptionText } from './captions.ts';
import { linesAround } from './find-moments.ts';
import type { Moment } from './moment.ts';

const spoken: Moment = {
  kind: 'Transcript',
  startMs: 3_661_500,
  endMs: 3_663_000,
  text: 'a <b> & c --> d',
  source: 'sidecar',
  confidencePercent: 100,
};
const written: Moment = { ...spoken, kind: 'Ocr', text: 'EXIT' };

test('captions say what is spoken, in the form that is asked for', () => {
  expect(writeCaptionText([spoken, written], 'txt')).toBe('a <b> & c --> d\n');
  expect(writeCaptionText([spoken, written], 'srt')).toBe('1\n01:01:01,500 --> 01:01:03,000\na <b> & c --> d\n');
});

test('in WebVTT no spoken text is markup or the beginning of a cue', () => {
  expect(writeCaptionText([spoken], 'vtt')).toBe('WEBVTT\n\n01:01:01.500 --> 01:01:03.000\na &lt;b&gt; &amp; c --&gt; d\n');
});

test('a line stands between the one before it and two after it, of its own kind', () => {
  const line = (n: number): Moment => ({ ...spoken, startMs: n * 1_000, endMs: n * 1_000 + 900, text: `line ${n}` });
  const moments = [line(0), line(1), { ...written, startMs: 1_100 }, line(2), line(3), line(4)];
  expect(linesAround(moments, { kind: 'Transcript', atMs: 1_500 })).toEqual({ before: 'line 0', after: ['line 2', 'line 3'] });
  expect(linesAround(moments, { kind: 'Transcript', atMs: 0 })).toEqual({ before: null, after: ['line 1', 'line 2'] });
  expect(linesAround(moments, { kind: 'Transcript', atMs: 9_999 })).toEqual({ before: 'line 3', after: [] });
  expect(linesAround(moments, { kind: 'Ocr', atMs: 1_100 })).toEqual({ before: null, after: [] });
  const slide = [1_000, 5_000, 5_000, 5_000, 9_000].map((startMs, n): Moment => ({ ...written, startMs, text: `row ${n}` }));
  expect(linesAround(slide, { kind: 'Ocr', atMs: 5_000 })).toEqual({ before: 'row 0', after: ['row 4'] });
});
