import { afterAll, beforeAll, expect, test } from 'vitest';
import { markedTexts } from '#testing/marked-texts.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import { totalOf } from './count-matches.ts';

const query = 'one small kettle for lighthouses';
/** Lines that hold one word of the query, which every film says. */
const passing = Array.from({ length: 12 }, (_, n) => `And one more word, ${['then', 'now', 'here'][n % 3]}.`);

let archive: SearchableArchive;
beforeAll(async () => {
  const others = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`other${n}`, `One of them speaks of number ${n}.`]));
  archive = await createSearchableArchive({
    ...others,
    podcast: {
      said: [...passing, 'They carried one small kettle to the lighthouse.', 'A kettle.', 'A small harbour.', ...passing],
      ocr: [{ start: 1, end: 4, text: 'CHAPTER ONE' }],
    },
    weak: { title: 'Lighthouses', said: passing },
    walk: { title: 'The road to the harbour', said: ['We went to the harbour.'] },
  });
});
afterAll(() => archive.drop());

const filmOf = async (name: string) => {
  const { results } = await archive.search(query);
  const found = results.find(({ video }) => video.externalId === name);
  if (!found) throw new Error(`${name} was not found`);
  return found;
};

test('a line that holds one common word of many is no match, on the card, in the film and beside the chips', async () => {
  const { video, matches, counts } = await filmOf('podcast');
  expect(matches.map(markedTexts)).toContainEqual(['one small kettle', 'lighthouse']);
  expect(matches.flatMap(markedTexts)).not.toContain('One');
  expect(matches.flatMap(markedTexts)).not.toContain('one');
  expect(matches.flatMap(markedTexts)).not.toContain('ONE');
  expect(totalOf(counts)).toBeLessThanOrEqual(3);
  const inFilm = await archive.searching.film({ videoId: video.id, query });
  expect(inFilm).toMatchObject({ counts });
  const facets = await archive.searching.facets({ query: [query], ids: [video.id], skip: 0, pageSize: 1, purpose: 'results' });
  expect(facets.kinds).toEqual(counts);
});

test('where no line of a film holds more, those that hold most are its matches', async () => {
  const { counts, lacks } = await filmOf('weak');
  expect(totalOf(counts)).toBe(1 + passing.length);
  expect(lacks).toEqual(['small', 'kettle']);
});

test('a title is marked as a line is: all stop words of the run that hold what is asked, and none elsewhere', async () => {
  const { results } = await archive.search('to the harbour');
  const walk = results.find(({ video }) => video.externalId === 'walk');
  const marked = new Map(walk?.matches.map((match) => [match.kind, markedTexts(match)]));
  expect([marked.get('Transcript'), marked.get('Title')]).toEqual([['to the harbour'], ['to the harbour']]);
});
