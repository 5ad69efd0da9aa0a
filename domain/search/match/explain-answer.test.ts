import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';

let archive: SearchableArchive;

beforeAll(async () => {
  archive = await createSearchableArchive({
    brain: { title: 'Talk', said: ['Magnificent desolation, he said.', 'It was twenty-one years ago.'], people: ['Ada Lovelace'] },
    ruins: { title: 'Walk', said: ['Desolation and e-mail everywhere.'] },
  });
});
afterAll(() => archive.drop());

const explained = async (query: string | string[]) => (await archive.search(query)).searchedFor;

test.each([
  ['magnificant desolation ', 'magnificent desolation', '"magnificant" desolation'],
  ['magnificant, desolation', 'magnificent, desolation', '"magnificant", desolation'],
  ['Magnificant DESOLASION ', 'Magnificent DESOLATION', '"Magnificant" "DESOLASION"'],
  ['desolation +said magnifisant ', 'desolation +said magnificent', 'desolation +said "magnifisant"'],
  ['said:magnificant ', 'said:magnificent', 'said:"magnificant"'],
  ['Lovelase desolation ', 'Lovelace desolation', '"Lovelase" desolation'],
  ['lovlace -ruins ', 'lovelace -ruins', '"lovlace" -ruins'],
  ['desolation magnif', 'desolation magnificent', 'desolation "magnif"'],
])('%s says what it was taken for', async (query, text, literally) => {
  expect(await explained(query)).toEqual({ text, literally });
  expect(await explained(literally)).toBeUndefined();
});

test.each([
  ['magnificent desolation '],
  ['years 21 '],
  ['desolations '],
  ['email '],
  ['"magnificant" desolation '],
  ['xylophonist desolation '],
  ['magnificant -desolation '],
  [''],
  ['?!'],
])('%s was taken as it is, so nothing is said', async (query) => {
  expect(await explained(query)).toBeUndefined();
});

test('of several texts nothing is said to have been taken for another, since any of them may have found', async () => {
  expect(await explained(['magnificant ', 'desolation '])).toBeUndefined();
});

test('every result says which words it lacks, as they were typed', async () => {
  const lacks = async (query: string) => (await archive.search(query)).results.map((found) => [found.video.externalId, found.lacks]);
  expect(await lacks('Magnificent desolation e-mail ')).toEqual([
    ['ruins', ['Magnificent']],
    ['brain', ['e-mail']],
  ]);
  expect(await lacks('the desolation of Lovelace ')).toEqual([
    ['brain', []],
    ['ruins', ['Lovelace']],
  ]);
  expect(await lacks('desolation 21 ')).toEqual([
    ['brain', []],
    ['ruins', ['21']],
  ]);
  expect(await lacks('desolation magnificant ')).toEqual([
    ['brain', []],
    ['ruins', ['magnificant']],
  ]);
  expect(await lacks('desolation written:magnificent ')).toEqual([
    ['brain', ['magnificent']],
    ['ruins', ['magnificent']],
  ]);
});

test('of several texts a result lacks what it lacks of the one that it holds most of', async () => {
  const lacks = async (...query: string[]) =>
    Object.fromEntries((await archive.search(query)).results.map((found) => [found.video.externalId, found.lacks]));
  expect(await lacks('magnificent desolation ', 'everywhere ')).toEqual({ brain: [], ruins: [] });
  expect(await lacks('magnificent e-mail ', 'years everywhere desolation ')).toEqual({ brain: ['everywhere'], ruins: ['years'] });
  expect(await lacks('lovelace xylophone ', 'gramophone ')).toEqual({ brain: ['xylophone'] });
  expect(await lacks('lovelace ', 'ruins ', 'desolation ')).toEqual({ brain: [], ruins: [] });
});
