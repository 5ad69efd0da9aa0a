import { afterAll, beforeAll, expect, test } from 'vitest';
import { markedTexts } from '#testing/marked-texts.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import { totalOf } from './match/count-matches.ts';

let archive: SearchableArchive;

beforeAll(async () => {
  archive = await createSearchableArchive({
    kennedy: {
      title: 'Inaugural address',
      said: ['My fellow Americans, ask not what your', 'country can do for you, ask what you', 'can do for your country.'],
    },
    harbour: {
      title: 'Harbour at dawn [AB-1234]',
      said: ['The ferries leave before sunrise.', 'Nobody is on the quay.'],
      people: ['Ada Lovelace'],
      labels: ['ship'],
      owner: 'Nordlys Archive',
    },
    line: { said: ['First a word.', 'A copper kettle and a velvet glove lie here.', 'Then another.'] },
    neighbours: { said: ['A copper kettle stood there.', 'Beside it lay a velvet glove.'] },
    scattered: {
      said: ['A copper kettle stood there.', ...Array.from({ length: 30 }, (_, n) => `Filler number ${n}.`), 'At last a velvet glove.'],
    },
    lacking: { said: ['Copper kettle, copper kettle, copper kettle, copper pot.', 'Another copper kettle.'] },
    brain: { said: ['We speak of neuroplasticity today.', 'Magnificent desolation, he said.', 'Candlesticks are no candles.'] },
    accents: { said: ['Wir treffen uns im Café an der Straße in İzmir.', 'Don’t forget the crème brûlée.'] },
    screens: {
      ocr: [{ start: 7, end: 9, text: 'LIGHTHOUSE KEEPER' }],
      said: ['A keeper speaks.'],
      brands: [{ name: 'Umbrella', mentions: 1, at: [3.5] }],
    },
    alike: { said: ['A periscope rises.'], ocr: [{ start: 0, end: 5, text: 'A PERISCOPE RISES' }] },
    cast: { title: 'Evening class', people: ['Ottilie Byron', 'Quist Lund'] },
    stops: { said: ['To be or not to be.', 'It is what it is.'] },
  });
});
afterAll(() => archive.drop());

test('a phrase is found across a caption border, with both lines and its surface text', async () => {
  const { results } = await archive.search('"what your country can do"');
  expect(results.map(({ video }) => video.externalId)).toEqual(['kennedy']);
  const [match] = results[0]?.matches ?? [];
  expect(match).toMatchObject({ kind: 'Transcript', startMs: 0 });
  expect(results[0]?.matches.map(markedTexts)[0]).toEqual(['what your country can do']);
  expect(match?.text).toBe('My fellow Americans, ask not what your country can do for you, ask what you');
});

test('words that run over a caption border are one match without quotation marks too', async () => {
  const { results } = await archive.search('ask not what your country ');
  expect(results[0]?.matches[0]).toMatchObject({ startMs: 0 });
  expect(results[0]?.matches.map(markedTexts)[0]).toEqual(['ask not what your country']);
});

test('a phrase does not match its words in another order', async () => {
  expect(await archive.found('"country your"')).toEqual([]);
});

test('one moment goes before neighbouring ones, those before scattered ones, and those before a video that lacks some', async () => {
  expect(await archive.found('copper velvet ')).toEqual(['line', 'neighbours', 'scattered', 'lacking']);
  expect(await archive.found('copper kettle glove ')).toEqual(['line', 'neighbours', 'scattered', 'lacking']);
});

test('a phrase ends with the name or the text that it began in', async () => {
  expect(await archive.found('"ottilie byron"')).toEqual(['cast']);
  expect(await archive.found('byron quist ')).toEqual(['cast']);
  expect(await archive.found('"byron quist"')).toEqual([]);
});

test('any of the words finds', async () => {
  expect(new Set(await archive.found('ferries desolation '))).toEqual(new Set(['harbour', 'brain']));
});

test('what is both said and written in the same words is found by either field word', async () => {
  for (const query of ['said:periscope ', 'written:periscope ', 'periscope ']) expect(await archive.found(query)).toEqual(['alike']);
});

test('a word with a minus excludes every video that holds it anywhere', async () => {
  expect(new Set(await archive.found('copper -velvet'))).toEqual(new Set(['lacking']));
  expect(new Set(await archive.found('copper -"velvet glove"'))).toEqual(new Set(['lacking']));
});

test('plus and a plus sign between words ask for all of them', async () => {
  expect(new Set(await archive.found('copper+velvet'))).toEqual(new Set(['line', 'neighbours', 'scattered']));
  expect(await archive.found('+copper pot +sunrise ')).toEqual([]);
});

test('OR, a bar and repeated parameters are alternatives', async () => {
  for (const query of ['ferries OR desolation ', 'ferries|desolation ', ['ferries ', 'desolation ']]) {
    expect(new Set(await archive.found(query))).toEqual(new Set(['harbour', 'brain']));
  }
});

test('the last word of results is a beginning only when it occurs nowhere as a word, nothing follows it and it is not quoted', async () => {
  expect(await archive.found('neuroplast')).toEqual(['brain']);
  expect(await archive.found('"neuroplast"')).toEqual([]);
  expect(await archive.found('neurop ')).toEqual([]);
  expect(await archive.found('neurop ', { purpose: 'suggestions' })).toEqual(['brain']);
  const marked = async (query: string) =>
    new Set((await archive.search(query)).results.flatMap(({ matches }) => matches.flatMap(markedTexts)));
  expect(await marked('can')).toEqual(new Set(['can']));
  expect(await marked('cand')).toEqual(new Set(['Candlesticks', 'candles']));
  expect(await marked('candle')).toEqual(new Set(['candles']));
});

test('a word that occurs nowhere is tried with one edit', async () => {
  const { results } = await archive.search('magnificant ');
  expect(results[0]?.matches.map(markedTexts)[0]).toEqual(['Magnificent']);
});

test('case, accents and apostrophes do not matter, and what is marked stands as in the footage', async () => {
  for (const [query, exact] of [
    ['CAFE ', 'Café'],
    ['strasse ', 'Straße'],
    ['izmir ', 'İzmir'],
    ['dont ', 'Don’t'],
    ['creme brulee ', 'crème brûlée'],
  ]) {
    const { results } = await archive.search(query ?? '');
    expect(results[0]?.video.externalId).toBe('accents');
    expect(results[0]?.matches.map(markedTexts)[0]).toContain(exact);
    expect(results[0]?.matches[0]?.text).toContain(exact);
  }
});

test('a line that holds only stop words is no match unless nothing else was asked for', async () => {
  const { results } = await archive.search('what country ');
  expect(results.flatMap(({ matches }) => matches).every(({ text }) => /country/i.test(text))).toBe(true);
  expect((await archive.found('to be or not to be '))[0]).toBe('stops');
});

test('3.4 titles, people, labels, brands, written text and owners are matches of their own kind', async () => {
  const kinds = async (query: string) =>
    (await archive.search(query)).results[0]?.matches.map((match) => [match.kind, match.startMs, markedTexts(match)[0]]);
  expect(await kinds('dawn ')).toEqual([['Title', 0, 'dawn']]);
  expect(await kinds('lovelace ')).toEqual([['Face', 0, 'Lovelace']]);
  expect(await kinds('ship ')).toEqual([['Annotations', 0, 'ship']]);
  expect(await kinds('umbrella ')).toEqual([['Brand', 3_500, 'Umbrella']]);
  expect(await kinds('lighthouse ')).toEqual([['Ocr', 7_000, 'LIGHTHOUSE']]);
  expect(await kinds('nordlys ')).toEqual([['Owner', 0, 'Nordlys']]);
});

test('fields ask for one kind alone', async () => {
  expect(await archive.found('written:keeper ')).toEqual(['screens']);
  expect((await archive.search('said:keeper ')).results[0]?.matches.map(({ kind }) => kind)).toEqual(['Transcript']);
  expect(await archive.found('person:"ada lovelace"')).toEqual(['harbour']);
  expect(await archive.found('title:dawn ')).toEqual(['harbour']);
  expect(await archive.found('said:lovelace ')).toEqual([]);
});

test('a scope answers with its kinds alone', async () => {
  const { results } = await archive.search('keeper ', { textScope: ['Ocr'] });
  expect(results.flatMap(({ matches }) => matches).map(({ kind }) => kind)).toEqual(['Ocr']);
});

test('5.4 an id finds exactly that video, and a made-up one finds none', async () => {
  const [id = ''] = (await archive.search('copper ')).results.map(({ video }) => video.id);
  expect((await archive.search([], { ids: [id] })).results.map(({ video }) => video.id)).toEqual([id]);
  expect((await archive.search([], { ids: ["0' or 1=1"] })).results).toEqual([]);
  expect((await archive.search('copper ', { ids: [id] })).results.map(({ video }) => video.id)).toEqual([id]);
});

test('no query lists everything, and a query without a word finds nothing', async () => {
  expect((await archive.search(['', '  '])).results).toHaveLength(12);
  expect(await archive.search(['?!'])).toMatchObject({ results: [], nextPage: { done: true } });
});

test('3.5 matches come best first and at most a hundred, with their true number beside', async () => {
  await archive.publish({
    talk: { said: Array.from({ length: 150 }, (_, n) => (n === 140 ? 'The walrus and the carpenter.' : `walrus ${n}`)) },
  });
  const [video] = (await archive.search('walrus carpenter ')).results;
  expect(video?.matches).toHaveLength(100);
  expect(totalOf(video?.counts ?? {})).toBe(150);
  expect(video?.matches[0]?.startMs).toBe(700_000);
  // Of a page of a hundred videos each has fewer, or an answer would have ten thousand.
  const [ofMany] = (await archive.search('walrus carpenter ', { pageSize: 100 })).results;
  expect([ofMany?.matches.length, totalOf(ofMany?.counts ?? {}), ofMany?.matches[0]?.startMs]).toEqual([25, 150, 700_000]);
});

test('conditions that most videos fail do not end the answer early', async () => {
  const films = Array.from({ length: 300 }, (_, n) => [
    `quail-${n}`,
    { said: n % 30 === 0 ? ['A quail runs.'] : ['A quail, a quail, a quail runs.', 'A partridge too.'] },
  ]);
  await archive.publish(Object.fromEntries(films));
  const { results, nextPage } = await archive.search('quail -partridge');
  expect(results).toHaveLength(10);
  expect(nextPage.done).toBe(true);
});
