import { afterAll, beforeAll, expect, test } from 'vitest';
import { markedTexts } from '#testing/marked-texts.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';

let archive: SearchableArchive;

beforeAll(async () => {
  archive = await createSearchableArchive({
    north: { title: 'Arctic', said: ['We sail north with the ice.'] },
    america: { title: 'Prairie', said: ['A road across america.'] },
    both: { title: 'Atlas', said: ['From north to south.', 'All of america on one sheet.'] },
    phrase: { title: 'Continent', said: ['A map of north america hangs here.'] },
    border: { title: 'Newsreel', said: ['Ships leave for north', 'america every morning.'] },
    shown: { title: 'Signs', ocr: [{ start: 1, end: 3, text: 'NORTH AMERICA LINE' }], said: ['A sign.'] },
    ada: { title: 'Engines', said: ['She writes of engines.'], people: ['Ada Lovelace'] },
    charles: { title: 'Engines again', said: ['Engines of brass.'], people: ['Charles Babbage'] },
    title: { title: 'North of the wall', said: ['Nothing but snow.'] },
  });
});
afterAll(() => archive.drop());

const sorted = async (query: string | string[]) => (await archive.found(query)).sort();

test.each([
  ['any of the words', 'north america ', ['america', 'border', 'both', 'north', 'phrase', 'shown', 'title']],
  ['a plus between words: both', 'north+america ', ['border', 'both', 'phrase', 'shown']],
  ['a bar between words: either', 'ice|road ', ['america', 'north']],
  ['a minus: not with this word', 'america -north ', ['america']],
  ['quotes: these words in this order, also from one cue to the next', '"north america"', ['border', 'phrase', 'shown']],
  ['curly quotes', '“north america”', ['border', 'phrase', 'shown']],
  ['a phrase of one field, also from one cue to the next', 'said:"north america"', ['border', 'phrase']],
  ['a phrase of another field', 'written:"north america"', ['shown']],
  ['a phrase or a word', '"north america" OR snow ', ['border', 'phrase', 'shown', 'title']],
  ['a phrase or a phrase', '"with the ice" OR "but snow" ', ['north', 'title']],
  ['a field or a field', 'person:ada OR written:line ', ['ada', 'shown']],
  ['a phrase that must occur', 'america +"one sheet" ', ['both']],
  ['not with this word in the title', 'north -title:wall ', ['border', 'both', 'north', 'phrase', 'shown']],
  ['not with this person', 'engines -person:"Ada Lovelace" ', ['charles']],
  ['not with this phrase', 'america -"north america" ', ['america', 'both']],
  ['not with this phrase where it is said', 'america -said:"north america" ', ['america', 'both', 'shown']],
  ['spoken: and speech: are said:', 'spoken:"north america" OR speech:brass ', ['border', 'charles', 'phrase']],
  ['text: and ocr: are written:', 'text:line -ocr:road ', ['shown']],
  ['who: is person:', 'engines who:ada ', ['ada', 'charles']],
  ['signs of another keyboard', 'america －north ', ['america']],
])('%s: %s', async (_what, query, expected) => {
  expect(await sorted(query)).toEqual(expected);
});

test('a repeated query finds what any of its texts finds', async () => {
  expect(await sorted(['ice ', 'snow '])).toEqual(['north', 'title']);
  expect(await sorted(['america -north ', '"but snow"'])).toEqual(['america', 'title']);
  expect(await sorted(['ice ', ''])).toEqual(['north']);
});

test('a phrase over a border of cues is one match with the words of both', async () => {
  const { results } = await archive.search('said:"north america"');
  const border = results.find(({ video }) => video.externalId === 'border');
  expect(border?.matches[0]).toMatchObject({ kind: 'Transcript', startMs: expect.any(Number) });
  expect(border?.matches.map(markedTexts)[0]).toEqual(['north america']);
});

test('only a video is left out that the id names', async () => {
  const { results } = await archive.search('"north america"');
  const [{ id } = { id: '' }] = results.map(({ video }) => video);
  expect((await archive.search(`"north america" -id:${id}`)).results.map(({ video }) => video.id)).toEqual(
    results.map(({ video }) => video.id).filter((other) => other !== id),
  );
});

test('words that are only ruled out find nothing, and are no error', async () => {
  expect(await sorted('-north')).toEqual([]);
});
