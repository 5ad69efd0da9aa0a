import { expect, test } from 'vitest';
import type { MatchKind } from '#contract/match-kinds.ts';
import type { FoundVideo } from '#web/components/results/found-video.ts';
import { countKinds, countNames } from './count-moments.ts';
import { applyFilters, countFilters, keyKinds, noFilters, readFilters, writeFilters } from './filters.ts';

const found = (id: string, minutes: number, ...moments: Array<[MatchKind, string]>): FoundVideo => ({
  id,
  name: id,
  durationInSeconds: minutes * 60,
  posterId: null,
  stills: [],
  isTall: false,
  moments: moments.map(([kind, text]) => ({ kind, text, seconds: 1, exactTexts: [text], thumbnailId: null })),
  momentsTotal: moments.length,
});

const videos = [
  found('harbour', 42, ['Transcript', 'the harbour'], ['Ocr', 'HARBOUR'], ['Face', 'Tomas Harbour']),
  found('tram', 11, ['Ocr', '28 HARBOUR'], ['Annotations', 'harbour']),
  found('sea', 74, ['Transcript', 'harbour'], ['Transcript', 'outer harbour'], ['Transcript', 'inner harbour'], ['Face', 'Tomas Harbour']),
];
const ids = (list: FoundVideo[]) => list.map((video) => video.id);

test('2.5 the key has the six kinds in the order of the specification', () => {
  expect(keyKinds).toEqual(['Transcript', 'Ocr', 'Title', 'Face', 'Annotations', 'Brand']);
});

test('pressed kinds keep their moments and the videos that have some', () => {
  const shown = applyFilters(videos, { ...noFilters, kinds: new Set<MatchKind>(['Ocr', 'Annotations']) });
  expect(shown.map((video) => [video.id, video.moments.length])).toEqual([
    ['harbour', 1],
    ['tram', 2],
  ]);
});

test('length, people and labels narrow the videos', () => {
  expect(ids(applyFilters(videos, { ...noFilters, length: '10-60' }))).toEqual(['harbour', 'tram']);
  expect(ids(applyFilters(videos, { ...noFilters, length: 'over-60' }))).toEqual(['sea']);
  expect(ids(applyFilters(videos, { ...noFilters, people: new Set(['Tomas Harbour']) }))).toEqual(['harbour', 'sea']);
  expect(ids(applyFilters(videos, { ...noFilters, labels: new Set(['harbour']) }))).toEqual(['tram']);
});

test('filters live in the address beside the query', () => {
  const filters = { ...noFilters, kinds: new Set<MatchKind>(['Ocr']), people: new Set(['Tomas & Harbour']), length: 'over-60' as const };
  const written = writeFilters(new URLSearchParams('query=harbour&skip=0&kind=Title'), filters);
  expect(written.get('query')).toBe('harbour');
  expect(readFilters(written)).toEqual(filters);
  expect(countFilters(filters)).toBe(3);
  expect(writeFilters(written, noFilters).toString()).toBe('query=harbour&skip=0');
});

test('an address that makes no sense filters nothing', () => {
  expect(readFilters(new URLSearchParams('kind=Nonsense&length=long'))).toEqual(noFilters);
});

test('moments are counted per kind, names per video', () => {
  expect(countKinds(videos).get('Transcript')).toBe(4);
  expect(countKinds(videos).get('Brand')).toBeUndefined();
  expect(countNames(videos, 'Face')).toEqual([{ name: 'Tomas Harbour', videos: 2 }]);
});
