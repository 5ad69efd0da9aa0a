import { expect, test } from 'vitest';
import type { Moment } from '#domain/moments/moment.ts';
import { countSpeech } from './count-speech.ts';

const said = (startMs: number, endMs: number, text: string, speaker?: string): Moment => ({
  kind: 'Transcript',
  startMs,
  endMs,
  text,
  source: 'sidecar',
  confidencePercent: 100,
  ...(speaker ? { speaker } : {}),
});

test('each speaker has their words, their longest speech and their share of all that is spoken', () => {
  const lines = [
    said(0, 4_000, 'the harbour is empty', 'Ida'),
    said(4_000, 9_900, 'since the morning', 'Ida'),
    said(10_000, 20_000, 'was it ever full', 'Nils'),
    said(20_000, 20_100, 'yes', 'Ida'),
    said(21_000, 30_000, 'nobody knows who says this'),
  ];
  expect(countSpeech(lines)).toEqual({
    correspondenceCount: 2,
    speakerTalkToListenRatio: { 1: 0.5, 2: 0.5 },
    speakerLongestMonolog: { 1: 9, 2: 10 },
    speakerNumberOfFragments: { 1: 2, 2: 1 },
    speakerWordCount: { 1: 8, 2: 4 },
  });
});

test('a film in which nobody is known to speak has no numbers', () => {
  expect(countSpeech([said(0, 1_000, 'the sea')])).toEqual({
    correspondenceCount: 0,
    speakerTalkToListenRatio: {},
    speakerLongestMonolog: {},
    speakerNumberOfFragments: {},
    speakerWordCount: {},
  });
});
