import { expect, test } from 'vitest';
import type { SearchFacets } from '#contract/search-facets.ts';
import { describeFilter, describeTotal, describeWithout } from './describe-filter.ts';
import { type Filters, noFilters } from './filters.ts';

const facets = (kinds: SearchFacets['kinds'], isAll = true): SearchFacets => ({
  isAll,
  videos: 0,
  kinds,
  lengths: [],
  playable: 0,
  people: [],
  labels: [],
  brands: [],
});

test('a filter is called what its chip is called, and several of a group are named together', () => {
  const filters: Filters = { ...noFilters, kind: ['Ocr', 'Title', 'Brand'], length: ['over-60'], person: ['Ines Caldeira', 'Amara Osei'] };
  expect(describeFilter(filters, 'kind')).toEqual({ label: 'Written text, Title and Brand', isSeveral: true });
  expect(describeFilter(filters, 'length')).toEqual({ label: '60+ min', isSeveral: false });
  expect(describeFilter(filters, 'person').label).toBe('Ines Caldeira and Amara Osei');
});

test('what taking a filter off would bring is counted in moments, of the kinds that stay pressed', () => {
  const counted = facets({ Transcript: 9, Ocr: 3 });
  expect(describeWithout(counted, noFilters, 'Without it')).toBe('Without it: 12 moments.');
  expect(describeWithout(counted, { ...noFilters, kind: ['Ocr', 'Title'] }, 'Without them')).toBe('Without them: 3 moments.');
  expect(describeWithout(facets({ Ocr: 1 }), noFilters, 'Without it')).toBe('Without it: 1 moment.');
  expect(describeWithout(facets({}), { ...noFilters, kind: ['Brand'] }, 'Without it')).toBe('Without it: still nothing.');
  // Then meaning may answer, which nobody counts.
  expect(describeWithout(facets({}), noFilters, 'Without it')).toBe('');
  expect(describeWithout(facets({ Ocr: 1_312 }, false), noFilters, 'Without it')).toBe('Without it: 1,000+ moments.');
});

test('a total counts the moments of the kinds that are pressed, in the videos that are left', () => {
  const found = { ...facets({ Transcript: 9, Ocr: 1 }), videos: 4, query: 'harbour', hasMeant: false };
  expect(describeTotal(found, noFilters)).toBe('10 moments in 4 videos');
  expect(describeTotal({ ...found, videos: 1 }, { ...noFilters, kind: ['Ocr'] })).toBe('1 moment in 1 video');
  expect(describeTotal({ ...facets({ Ocr: 2_000 }, false), videos: 863, query: 'a', hasMeant: false }, noFilters)).toBe(
    '1,000+ moments in 863+ videos',
  );
  expect(describeTotal({ ...found, query: '', kinds: {} }, noFilters)).toBe('4 videos');
});

test('results of a search whose words find nothing were found by meaning', () => {
  const found = { ...facets({}), query: 'a boastful mariner', hasMeant: true };
  expect(describeTotal(found, noFilters)).toBe('No words match: these are closest by meaning');
  expect(describeTotal(found, { ...noFilters, length: ['under-10'] })).toBe(
    'No words match within these filters: these are closest by meaning',
  );
});

test('a total says that further results were found by meaning', () => {
  const found = { ...facets({ Transcript: 3 }), videos: 1, query: 'a boastful mariner', hasMeant: true };
  expect(describeTotal(found, noFilters)).toBe('3 moments in 1 video by words, and more closest by meaning');
});
