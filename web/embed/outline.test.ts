import { expect, test } from 'vitest';
import type { VideoIndex } from '#contract/video-service/answers.ts';
import { outlinesOfTexts, readOutlines } from './outline.ts';

const outline = { left: 0.1, top: 0.5, width: 0.25, height: 0.05, startInSeconds: 2, endInSeconds: 4 };

test('written texts are outlined where they stand, each time they do; one whose place is not known is not', () => {
  const line = { confidence: 1, language: 'en', angle: 0 };
  const instance = (start: string, end: string) => ({ start, end, adjustedStart: start, adjustedEnd: end });
  const ocr = [
    { ...line, id: 1, text: 'HARBOUR', left: 64, top: 180, width: 160, height: 18, instances: [instance('0:00:02', '0:00:04')] },
    { ...line, id: 2, text: 'MASTER', left: 0, top: 0, width: 0, height: 0, instances: [instance('0:00:02', '0:00:04')] },
    { ...line, id: 3, text: 'HARBOUR', left: 64, top: 180, width: 160, height: 18, instances: [instance('0:00:09', '0:00:10')] },
  ];
  const video = { insights: { ocr }, width: 640, height: 360 } as unknown as VideoIndex['videos'][number];
  expect([...outlinesOfTexts(video)]).toEqual([['HARBOUR', [outline, { ...outline, startInSeconds: 9, endInSeconds: 10 }]]]);
});

test('outlines of another document are read only when every one of them lies in the picture', () => {
  expect(readOutlines([outline])).toEqual([outline]);
  expect(readOutlines([])).toEqual([]);
  for (const wrong of [
    undefined,
    {},
    [null],
    [{ ...outline, left: 2 }],
    [{ ...outline, width: '1' }],
    [{ ...outline, endInSeconds: null }],
  ])
    expect(readOutlines(wrong)).toBeUndefined();
});
