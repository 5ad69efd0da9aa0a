import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';

let mixed: SearchableArchive;
let german: SearchableArchive;
let eliding: SearchableArchive;

beforeAll(async () => {
  mixed = await createSearchableArchive({
    british: { language: 'en-GB', said: ['Two landings at the harbour.'] },
    german: { language: 'de', said: ['Die landings im harbor waren am 3. Mai.'], people: ['Geoff'] },
    pier: { language: 'en', said: ['A landing, and three herons.'], people: ['Jeff'] },
    unknown: { language: '', said: ['There were landings in the harbor.'] },
  });
  german = await createSearchableArchive({
    question: { language: 'de-AT', said: ['Was nun?'] },
    cake: { language: 'de', said: ['Ein Kuchen.'] },
  });
  eliding = await createSearchableArchive({
    paris: { language: 'fr', said: ['C’est l’homme du musée d’Orsay.', "Qu'il boive de l'eau."] },
    man: { language: 'fr', said: ['Un homme et une dame.'] },
    abruzzo: { language: 'it-IT', title: "Storia dell'Aquila", said: ['Si va a piedi.'] },
    lille: { language: 'en', said: ['The words lhomme and leau, and late.'] },
  });
}, 60_000);
afterAll(async () => {
  await mixed.drop();
  await german.drop();
  await eliding.drop();
});

test('what stands for a word in English finds films in English and those that tell no language, and no others', async () => {
  expect((await mixed.found('landing ')).toSorted()).toEqual(['british', 'pier', 'unknown']);
  expect(await mixed.found('said:three ')).toEqual(['pier']);
  expect(await mixed.found('person:jeff ')).toEqual(['pier']);
});

test('the word itself, and a slip of it, find films in every language', async () => {
  expect((await mixed.found('landings ')).toSorted()).toEqual(['british', 'german', 'pier', 'unknown']);
  expect((await mixed.found('landinks ')).toSorted()).toEqual(['british', 'german', 'unknown']);
});

test('counts, and what a film lacks, go by its language too', async () => {
  const facets = await mixed.searching.facets({ query: ['landing '], skip: 0, pageSize: 12, purpose: 'results' });
  expect([facets.videos, facets.kinds]).toEqual([3, { Transcript: 3 }]);
  const { results } = await mixed.search('herons landing landings ');
  const german = results.find(({ video }) => video.externalId === 'german');
  expect(german?.lacks).toEqual(['herons', 'landing']);
});

test('an archive without English films has no English stop words', async () => {
  expect((await german.found('was kuchen ')).toSorted()).toEqual(['cake', 'question']);
  expect((await mixed.found('were harbor ')).toSorted()).toEqual(['british', 'german', 'unknown']);
});

test('a word is found behind an apostrophe in films whose language elides, and marked with it', async () => {
  expect((await eliding.found('homme ')).toSorted()).toEqual(['man', 'paris']);
  expect(await eliding.found('Orsay ')).toEqual(['paris']);
  expect(await eliding.found('Aquila ')).toEqual(['abruzzo']);
  const { results, searchedFor } = await eliding.search('eau ');
  expect(results.map(({ video }) => video.externalId)).toEqual(['paris']);
  expect(results[0]?.matches.map(({ text, ranges }) => ranges.map(([from, to]) => text.slice(from, to)))).toEqual([["l'eau"]]);
  expect(searchedFor).toBeUndefined();
});

test('words that only begin as if something was elided are no others, and English films hold none', async () => {
  expect(await eliding.found('âme ')).toEqual([]);
  expect(await eliding.found('ate ')).toEqual([]);
});
