import { expect, test } from 'vitest';
import type { SearchResponse } from '#contract/video-service/answers.ts';
import { aSearchItem } from '#testing/a-search-item.ts';
import { joinPages, nextStartAfter } from './join-pages.ts';

const page = (ids: string[], nextPage: Partial<SearchResponse['nextPage']> = {}): SearchResponse => ({
  results: ids.map((id) => aSearchItem({ id })),
  nextPage: { pageSize: 12, skip: 0, done: true, ...nextPage },
});

test('4.3 further pages are appended, in their order', () => {
  expect(joinPages([page(['a', 'b']), page(['c'])]).map((item) => item.id)).toEqual(['a', 'b', 'c']);
});

test('a video that a later page repeats stands once', () => {
  expect(joinPages([page(['a', 'b']), page(['b', 'c'])]).map((item) => item.id)).toEqual(['a', 'b', 'c']);
});

test('further pages carry the time of the first', () => {
  const first = page(['a'], { skip: 12, done: false, createdBefore: 'time of one' });
  const second = page(['b'], { skip: 24, done: false, createdBefore: 'time of two' });
  expect(nextStartAfter([first], { skip: 0 })).toEqual({ skip: 12, createdBefore: 'time of one' });
  expect(nextStartAfter([first, second], { skip: 12 })).toEqual({ skip: 24, createdBefore: 'time of one' });
});

test('further pages carry the proof of that time as well', () => {
  const first = page(['a'], { skip: 12, done: false, createdBefore: 'time', createdBeforeSignature: 'proof' });
  expect(nextStartAfter([first], { skip: 0 })).toEqual({ skip: 12, createdBefore: 'time', createdBeforeSignature: 'proof' });
});

test('the last page is the last, whatever its skip says', () => {
  expect(nextStartAfter([page(['a'], { skip: 12, done: true })], { skip: 0 })).toBeUndefined();
});

test('a service whose skip does not grow is not asked again', () => {
  expect(nextStartAfter([page(['a'], { skip: 12, done: false })], { skip: 12 })).toBeUndefined();
});

test('a service that knows no createdBefore is asked without it', () => {
  expect(nextStartAfter([page(['a'], { skip: 12, done: false })], { skip: 0 })).toEqual({ skip: 12 });
});
