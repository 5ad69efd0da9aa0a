import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';

let archive: SearchableArchive;

const apart = Array.from({ length: 30 }, () => 'And so on.');

beforeAll(async () => {
  archive = await createSearchableArchive({
    seams: { said: ['The seams of the framework are its responsibility.'] },
    seems: { said: ['It seems late.', 'A framework.', ...apart, 'Your responsibility.'] },
    planes: { said: ['We do not crash planes 1,000 times.'] },
    plains: { said: ['The plains are wide.'] },
    weather: { said: ['An organisation that can weather a storm.'] },
    whether: { said: ['They wonder whether it is so.'] },
    caspar: { said: ['Then came Caspar Weinberger.'] },
    casper: { title: 'Casper', people: ['Casper'], said: ['Casper is a ghost. He eats burgers and drinks wine.'] },
    jeff: { said: ['We spoke with Jeff Meyerson.'] },
    geoff: { said: ['Geoff has a dog.', ...apart, 'Meyerson has a cat.'] },
    brighton: { said: ['Brighton lies by the sea.', ...apart, 'They walk along the pier.'] },
    pierre: { said: ['Pierre went to Brighton.'] },
    seasons: { said: ['There are four of them.', ...apart, 'The seasons change.', ...apart, 'A hotel stands there.'] },
    'for-all': { said: ['A hotel for all seasons.'] },
    sum: { said: ['In some, there is positive momentum in mortgages.'] },
  });
});
afterAll(() => archive.drop());

test.each([
  ['seems framework responsibility ', 'seams'],
  ['crash plains thousand times ', 'planes'],
  ['organisation whether a storm ', 'weather'],
  ['in sum positive momentum mortgages ', 'sum'],
])('of words that sound alike the others tell which is meant: %s', async (query, first) => {
  const [best] = (await archive.search(query)).results;
  expect(best?.video.externalId).toBe(first);
});

test.each([
  ['brighton pier ', 'brighton'],
  ['four seasons hotel ', 'seasons'],
])('the very words far apart come before what only sounds like one of them: %s', async (query, first) => {
  expect((await archive.found(query))[0]).toBe(first);
});

test('a first name that was only heard is found by the name behind it', async () => {
  expect((await archive.found('casper wineburger '))[0]).toBe('caspar');
  expect((await archive.found('casper '))[0]).toBe('casper');
  expect((await archive.found('geoff meyerson spoke '))[0]).toBe('jeff');
  expect((await archive.found('geoff '))[0]).toBe('geoff');
});

test.each([
  ['plains ', 'plains'],
  ['whether wonder ', 'whether'],
  ['the plains are wide ', 'plains'],
])('the very word comes first: %s', async (query, first) => {
  expect((await archive.found(query))[0]).toBe(first);
});
