import { expect, test } from 'vitest';
import { aSearchItem } from '#testing/a-search-item.ts';
import { arrangeVideos, readView, writeView } from './arrange-videos.ts';
import { toListedVideo } from './listed-video.ts';

const videos = [
  aSearchItem({ id: 'c3', name: 'Tape 10', externalId: null, created: '2026-11-03T10:00:00+00:00', streamingPreset: 'NoStreaming' }),
  aSearchItem({ id: 'b2', name: 'tape 2', externalId: 'RU-9', created: '2026-11-02T10:00:00+00:00', streamingPreset: 'AdaptiveBitrate' }),
  aSearchItem({ id: 'a1', name: 'Été [AB-77]', externalId: 'RU-10', created: '2026-11-01T10:00:00+00:00', state: 'Failed' }),
].map(toListedVideo);
const names = (view: string) => arrangeVideos(videos, readView(new URLSearchParams(view))).map(({ name }) => name);

test('2.9 what failed comes first and then the newest, until a column is chosen', () => {
  expect(names('')).toEqual(['Été', 'Tape 10', 'tape 2']);
  expect(names('sort=created&order=asc')).toEqual(['Été', 'tape 2', 'Tape 10']);
});

test('names are sorted as people count and read', () => {
  expect(names('sort=name')).toEqual(['Été', 'tape 2', 'Tape 10']);
  expect(names('sort=name&order=desc')).toEqual(['Tape 10', 'tape 2', 'Été']);
});

test('a video without an external id or an encoding comes last, whichever the order', () => {
  expect(names('sort=externalId&order=asc')).toEqual(['tape 2', 'Été', 'Tape 10']);
  expect(names('sort=externalId&order=desc')).toEqual(['Été', 'tape 2', 'Tape 10']);
  expect(names('sort=encoding&order=asc')).toEqual(['tape 2', 'Tape 10', 'Été']);
});

test.each([
  ['TAPE', ['Tape 10', 'tape 2']],
  ['ete', ['Été']],
  ['ab-77', ['Été']],
  ['ru-9', ['tape 2']],
  ['c3', ['Tape 10']],
  ['failed', ['Été']],
  ['processed', []],
  ['.*', []],
])('the filter %s is looked for in name, ids and unfinished state as it is', (filter, found) => {
  expect(names(String(new URLSearchParams({ filter })))).toEqual(found);
});

test('a view that the address cannot mean is the usual one, and the usual one leaves the address clean', () => {
  expect(readView(new URLSearchParams('sort=secret&order=sideways'))).toEqual({ filter: '', sort: 'created', order: 'desc' });
  expect(String(writeView({ filter: '', sort: 'created', order: 'desc' }))).toBe('');
  expect(String(writeView({ filter: 'a b', sort: 'name', order: 'asc' }))).toBe('filter=a+b&sort=name&order=asc');
});

test('2.9 encodings are told in words, and only an unfinished state is told at all', () => {
  expect(videos.map(({ encoding }) => encoding)).toEqual(['No streaming', 'Adaptive bitrate', '']);
  expect(videos.map(({ stateInWords }) => stateInWords)).toEqual([null, null, 'Failed']);
});
