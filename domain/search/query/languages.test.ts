import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { markedTexts } from '#testing/marked-texts.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';

let mixed: SearchableArchive;
let german: SearchableArchive;
let eliding: SearchableArchive;
let unspaced: SearchableArchive;

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
    lille: { language: 'en', said: ['The words lhomme and leau, and late as ever.'] },
    untold: { language: 'English', said: ['Never the least, and nice.'] },
  });
  unspaced = await createSearchableArchive({
    landing: { language: 'th', title: 'A', said: ['นี่คือการลงจอดครั้งแรกบนดวงจันทร์'] },
    city: { language: 'th', title: 'B', said: ['เรามาถึงกรุงเทพมหานครแล้ว'] },
    moon: { language: 'ja', title: 'C', said: ['人類は月面に着陸した。', 'これがその映像です。'] },
    brazil: { language: 'ja', title: 'D', said: ['ブラジルの天気'] },
    brush: { language: 'ja', title: 'E', said: ['ﾌﾞﾗｼで描く'] },
    persian: { language: 'fa', title: 'F', said: ['کتاب و ۱۹۶۹ و سـلام'] },
    solution: { language: 'de', title: 'H', said: ['Eine 60 %ige Lösung.'] },
    share: { language: 'de', title: 'G', said: ['Es waren 50 % der 1,5 Millionen, und Kodak™ auf Seite 3½.'] },
  });
}, 60_000);
afterAll(async () => {
  await unspaced.drop();
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

test('in an archive of German films also says something: it is an example, a slip of it finds, and a phrase of such words runs over rows', async () => {
  const filler = Array.from({ length: 6 }, (_, n) => `Etwas anderes, Teil ${n}.`);
  const run = ['Also so was', 'will an', 'am in', 'her up', 'so was all', 'also am'];
  const archive = await createSearchableArchive({
    short: { language: 'de', title: 'Also', said: ['Also gut.'] },
    long: { language: 'de-CH', title: 'Also', said: [...filler, ...run, ...filler] },
  });
  onTestFinished(() => archive.drop());
  expect((await archive.searching.examples({})).title).toBe('also');
  expect((await archive.found('alsso ')).toSorted()).toEqual(['long', 'short']);
  expect(await archive.found(`"${run.join(' ')}" `)).toEqual(['long']);
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
  expect(await eliding.found('ever ')).toEqual(['lille']);
});

/** What a query finds, with what is marked there. */
async function marks(query: string): Promise<Record<string, string[]>> {
  const { results } = await unspaced.search(query);
  return Object.fromEntries(results.map(({ video, matches }) => [video.externalId ?? '', [...new Set(matches.flatMap(markedTexts))]]));
}

test('a sentence without blanks finds films by its words, and marks and lacks words, not letters', async () => {
  const { results } = await unspaced.search('การลงจอดบนดวงจันทร์ ');
  expect(results.map(({ video, lacks }) => [video.externalId, lacks])).toEqual([['landing', []]]);
  expect((await marks('การลงจอดบนดวงจันทร์ ')).landing?.every((mark) => mark.length > 1)).toBe(true);
  expect(await marks('月面着陸、映像 ')).toEqual({ moon: ['月面', '着陸', '映像'] });
  const [lacking] = (await unspaced.search('月面着陸の天気予報 ')).results.filter(({ video }) => video.externalId === 'moon');
  expect(lacking?.lacks).toEqual(['天気', '予報']);
});

test('what is left out in a script without blanks is the word, not every film with one of its letters', async () => {
  expect((await unspaced.found('ดวงจันทร์ -กรุงเทพมหานคร ')).toSorted()).toEqual(['landing']);
  expect(await unspaced.found('+กรุงเทพมหานคร ')).toEqual(['city']);
});

test('beside an OR or a plus stands all of what is written without blanks', async () => {
  expect(Object.keys(await marks('ブラジルの天気 OR 月面探査 '))).toEqual(['brazil']);
  expect(Object.keys(await marks('映像+月面探査 '))).toEqual([]);
  expect(Object.keys(await marks('月面探査+映像 '))).toEqual([]);
});

test('letters and digits that are typed as one another find each other, and are marked as they stand', async () => {
  expect(await marks('ブラジル ')).toEqual({ brazil: ['ブラジル'] });
  expect(await marks('ブラシ ')).toEqual({ brush: ['ﾌﾞﾗｼ'] });
  expect(await marks('كتاب ')).toEqual({ persian: ['کتاب'] });
  expect(await marks('1969 سلام ')).toEqual({ persian: ['۱۹۶۹', 'سـلام'] });
  for (const query of ['50% ', '50 % ', '５０％ ', '"50 percent"']) expect(await marks(query), query).toEqual({ share: ['50 %'] });
  for (const query of ['60 %ige ', '60%ige ', '60 % ige ']) expect(Object.keys(await marks(query)), query).toEqual(['solution']);
  expect(await marks('60 %ige Lösung ')).toEqual({ solution: ['60 %ige Lösung'] });
  expect(await marks('1,5 Millionen ')).toEqual({ share: ['1,5 Millionen'] });
  expect(await marks('Kodak ')).toEqual({ share: ['Kodak'] });
  expect(await marks('"Seite 3½" ')).toEqual({ share: ['Seite 3½'] });
});
