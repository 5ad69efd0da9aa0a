import { expect, test } from 'vitest';
import { KnownNames } from './known-names.ts';

test('names are written as those write them who carry them, through every change, and go with the last of them', () => {
  const names = new KnownNames();
  const put = (id: string, revision: number, { name, people }: { name: string; people: string[] }) =>
    names.put({ id, revision, name, people, brands: [] });
  const known = (word: string) => names.withWord(word).map(({ text, videos }) => `${text}: ${videos.join(' ')}`);
  put('a', 1, { name: 'moon landing', people: ['ADA LOVELACE', 'ADA LOVELACE'] });
  put('b', 1, { name: 'Another', people: ['Ada Lovelace'] });
  expect([known('moon'), known('ada')]).toEqual([['moon landing: a'], ['ADA LOVELACE: a b']]);
  put('a', 2, { name: 'Moon Landing', people: ['Grace Hopper'] });
  expect([known('moon'), known('ada'), known('grace')]).toEqual([['Moon Landing: a'], ['ADA LOVELACE: b'], ['Grace Hopper: a']]);
  put('a', 3, { name: 'Moon Landing', people: ['GRACE HOPPER'] });
  expect([known('moon'), known('grace')]).toEqual([['Moon Landing: a'], ['GRACE HOPPER: a']]);
  names.drop('b');
  expect([known('ada'), known('another'), [...names.ids()]]).toEqual([[], [], ['a']]);
});
