import { expect, test } from 'vitest';
import {
  activeFiltersIn,
  countFilters,
  type Filters,
  keyKinds,
  narrowedBy,
  noFilters,
  readFilters,
  toggleValue,
  writeFilters,
} from './filters.ts';

const filters: Filters = { ...noFilters, kind: ['Ocr'], length: ['over-60'], person: ['Tomas & Harbour'], brand: ['Norvik', 'Astra'] };

test('2.5 the key has the six kinds in the order of the specification', () => {
  expect(keyKinds).toEqual(['Transcript', 'Ocr', 'Title', 'Face', 'Annotations', 'Brand']);
});

test('filters live in the address beside the query', () => {
  const written = writeFilters(new URLSearchParams('query=harbour&skip=0&kind=Title'), filters);
  expect(written.get('query')).toBe('harbour');
  expect(readFilters(written)).toEqual(filters);
  expect(writeFilters(written, noFilters).toString()).toBe('query=harbour&skip=0');
});

test('an address that makes no sense filters nothing, and one that repeats itself filters once', () => {
  expect(readFilters(new URLSearchParams('kind=Nonsense&length=long&person='))).toEqual(noFilters);
  expect(readFilters(new URLSearchParams('label=boat&label=boat')).label).toEqual(['boat']);
});

test('filters are counted one by one, and named by their groups', () => {
  expect(countFilters(filters)).toBe(5);
  expect(activeFiltersIn(filters)).toEqual(['kind', 'length', 'person', 'brand']);
  expect(countFilters(noFilters)).toBe(0);
});

test('the service is asked for what is on, and for nothing else', () => {
  expect(JSON.stringify(narrowedBy(noFilters))).toBe('{}');
  expect(JSON.parse(JSON.stringify(narrowedBy(filters)))).toEqual({
    matchKind: ['Ocr'],
    length: 'over-60',
    person: ['Tomas & Harbour'],
    brand: ['Norvik', 'Astra'],
  });
});

test('pressed twice, a filter is off again', () => {
  const on = toggleValue(['boat'], 'crane');
  expect(on).toEqual(['boat', 'crane']);
  expect(toggleValue(on, 'crane')).toEqual(['boat']);
});
