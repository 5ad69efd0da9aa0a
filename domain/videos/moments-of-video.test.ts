import { expect, test } from 'vitest';
import type { Moment } from '../moments/moment.ts';
import { captionText } from './moments-of-video.ts';

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
  expect(captionText([spoken, written], 'txt')).toBe('a <b> & c --> d\n');
  expect(captionText([spoken, written], 'srt')).toBe('1\n01:01:01,500 --> 01:01:03,000\na <b> & c --> d\n');
});

test('in WebVTT no spoken text is markup or the beginning of a cue', () => {
  expect(captionText([spoken], 'vtt')).toBe('WEBVTT\n\n01:01:01.500 --> 01:01:03.000\na &lt;b&gt; &amp; c --&gt; d\n');
});
