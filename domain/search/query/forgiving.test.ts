import { afterAll, beforeAll, expect, test } from 'vitest';
import { markedTexts } from '#testing/marked-texts.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';

let archive: SearchableArchive;

const filler = (word: string, count: number) => Array.from({ length: count }, () => `${word}, ${word}, ${word}.`);

beforeAll(async () => {
  archive = await createSearchableArchive({
    // Each of these has every reason to come first, but for the word itself.
    'kahle-everywhere': { title: 'Kahle Kahle', people: ['Kahle'], said: filler('Kahle', 10) },
    kale: { title: 'Plain', said: ['A field.', 'Some kale grows there.'] },
    'landings-everywhere': { title: 'Landings', said: filler('Landings', 10) },
    landing: { title: 'Plain', said: ['A field.', 'One landing was seen.'] },
    'modem-everywhere': { title: 'Noise', ocr: [{ start: 1, end: 2, text: 'MODEM MODEM MODEM' }] },
    modern: { title: 'Plain', said: ['A field.', 'A modern one.'] },
    spider: { title: 'Comics', said: ['They call him Spider-Man here.'] },
    spiderman: { title: 'More comics', said: ['They call him Spiderman here.'] },
    'twenty-one': { said: ['She was twenty-one then.'] },
    'in-digits': { said: ['She was 21 then.'] },
    colour: { said: ['The colour of Müller’s coat.'] },
    color: { said: ['The color of Mueller’s coat.'] },
    surface: {
      said: ['👩‍🚀 İ says: die weiße Straße — co\u0302te d’Azur — HARB0UR.'],
      ocr: [{ start: 1, end: 2, text: '🎬 İHARB0UR 21' }],
    },
  });
});
afterAll(() => archive.drop());

test.each([
  ['kale ', ['kale', 'kahle-everywhere']],
  ['landing ', ['landing', 'landings-everywhere']],
  ['modern ', ['modern', 'modem-everywhere']],
  ['landings ', ['landings-everywhere', 'landing']],
])('what stands for %s never comes before the word itself', async (query, names) => {
  expect(await archive.found(query)).toEqual(names);
});

test.each([
  ['spider man ', ['spider', 'spiderman']],
  ['spider-man ', ['spider', 'spiderman']],
  ['spiderman ', ['spider', 'spiderman']],
  ['twenty one then ', ['in-digits', 'twenty-one']],
  ['twenty-one ', ['in-digits', 'twenty-one']],
  ['colour of ', ['color', 'colour']],
  ['color of ', ['color', 'colour']],
  ['müllers ', ['color', 'colour']],
  ['muellers ', ['color', 'colour']],
  ['mullers ', ['color', 'colour']],
])('%s is found in every way of writing it', async (query, names) => {
  const found = await archive.found(query);
  expect(found.filter((name) => names.includes(name)).sort()).toEqual(names);
});

test('a word with a plus, or in quotation marks, is taken to the letter', async () => {
  for (const query of ['+landing ', '"landing"', '+"landing"']) expect(await archive.found(query), query).toEqual(['landing']);
  expect(await archive.found('+spiderman')).toEqual(['spiderman']);
  expect(await archive.found('+magnificant')).toEqual([]);
});

test('whatever stands for a word, what is marked is cut from the footage as it stands there', async () => {
  for (const [query, exact] of [
    ['strase ', 'Straße'],
    ['weisse ', 'weiße'],
    ['cote ', 'co\u0302te'],
    ['muellers ', 'Müller’s'],
    ['spiderman ', 'Spider-Man'],
    ['twenty one ', '21'],
  ]) {
    const matches = (await archive.search(query ?? '')).results.flatMap((result) => result.matches);
    expect(matches.flatMap(markedTexts)).toContain(exact);
  }
});

test('id: asks for one video by its id, alone or with words', async () => {
  const ids = new Map((await archive.search([], { pageSize: 100 })).results.map(({ video }) => [video.externalId, video.id]));
  const [kale = '', modern = ''] = [ids.get('kale'), ids.get('modern')];
  expect(await archive.found(`id:${kale}`)).toEqual(['kale']);
  expect(new Set(await archive.found(`id:${kale} id:"${modern}"`))).toEqual(new Set(['kale', 'modern']));
  expect(await archive.found(`field id:${kale}`)).toEqual(['kale']);
  expect(await archive.found(`id:${kale} -grows`)).toEqual([]);
  expect(await archive.found(`id:${kale}`, { ids: [modern] })).toEqual([]);
  // The id that an archive gave a video itself is for administrators.
  expect(await archive.found('id:kale')).toEqual([]);
  expect(await archive.found("id:' id:")).toEqual([]);
});
