import { expect, test } from 'vitest';
import type { Insights } from '#contract/video-service/answers.ts';
import { type LaneMarks, listLanes, nextAppearanceOn } from './list-lanes.ts';

const unmarked: LaneMarks = { ofName: () => undefined, ofLine: new Map() };

const nothing: Insights = {
  version: '1.0.0.0',
  duration: '0:01:40',
  sourceLanguage: 'en-US',
  sourceLanguages: ['en-US'],
  language: 'en-US',
  languages: ['en-US'],
};

function at(start: string, end: string) {
  return { start, end, adjustedStart: start, adjustedEnd: end };
}

function label(name: string, ...instances: ReturnType<typeof at>[]) {
  return { id: 1, name, language: 'en-US', instances: instances.map((one) => ({ ...one, confidence: 0.6 })) };
}

test('a video without insights has no lanes, and a kind without content is left out', () => {
  expect(listLanes(nothing, 100, unmarked)).toEqual([]);
  const sections = listLanes({ ...nothing, labels: [label('boat', at('0:00:10', '0:00:20'))], brands: [] }, 100, unmarked);
  expect(sections.map((section) => section.title)).toEqual(['Labels']);
});

test('bars stand where the appearance is on the film', () => {
  const [section] = listLanes({ ...nothing, labels: [label('boat', at('0:00:10', '0:00:35'))] }, 100, unmarked);
  expect(section?.lanes[0]?.bars).toEqual([{ startInSeconds: 10, startShare: 0.1, widthShare: 0.25 }]);
});

test('the same name twice is one lane, and a found lane comes first with its name marked', () => {
  const labels = [
    label('boat', at('0:00:50', '0:00:51')),
    label('harbour', at('0:00:05', '0:00:06')),
    label('boat', at('0:00:10', '0:00:11')),
  ];
  const ofName: LaneMarks['ofName'] = (kind, name) => (kind === 'Annotations' && name === 'harbour' ? [[0, 7]] : undefined);
  const [section] = listLanes({ ...nothing, labels }, 100, { ...unmarked, ofName });
  expect(section?.lanes.map(({ name, bars, ranges }) => [name, bars.map((bar) => bar.startInSeconds), ranges])).toEqual([
    ['harbour', [5], [[0, 7]]],
    ['boat', [10, 50], []],
  ]);
});

test('a lane goes to its next appearance, or back, and round at the ends', () => {
  const [section] = listLanes({ ...nothing, labels: [label('boat', at('0:00:10', '0:00:11'), at('0:00:50', '0:00:51'))] }, 100, unmarked);
  const lane = section?.lanes[0] ?? expect.fail('the lane is missing');
  expect(nextAppearanceOn(lane, 10, 'on')).toBe(50);
  expect(nextAppearanceOn(lane, 50, 'on')).toBe(10);
  expect(nextAppearanceOn(lane, 50, 'back')).toBe(10);
  expect(nextAppearanceOn(lane, 5, 'back')).toBe(50);
});

test('a lane tells who found it and how sure of it they are: of one name twice what was corrected, and the surer', () => {
  const [boat, buoy] = [label('boat', at('0:00:10', '0:00:11')), label('buoy', at('0:00:10', '0:00:11'))];
  const labels = [{ ...boat, provenance: 'corrected' as const }, { ...boat, provenance: 'machine' as const }, buoy];
  const line = { id: 1, text: 'PILOT 7', language: 'en-US', instances: [at('0:00:10', '0:00:11')] };
  const ocr = [0.7, 0.9].map((confidence) => ({ ...line, confidence, provenance: 'machine' as const, ...nowhere }));
  const sections = listLanes({ ...nothing, labels, ocr }, 100, unmarked);
  const told = sections.flatMap(({ lanes }) => lanes.map(({ name, provenance, confidence }) => [name, provenance, confidence]));
  expect(told).toEqual([
    ['boat', 'corrected', 0.6],
    ['buoy', undefined, 0.6],
    ['PILOT 7', 'machine', 0.9],
  ]);
});

const nowhere = { left: 0, top: 0, width: 0, height: 0, angle: 0 };
