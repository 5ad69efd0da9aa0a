import { afterAll, beforeAll, expect, test } from 'vitest';
import { markedTexts } from '#testing/marked-texts.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';

let archive: SearchableArchive;

beforeAll(async () => {
  archive = await createSearchableArchive({
    'harbour-at-six': { title: 'Harbour at six [AB-1]', said: ['The tide turns.'], people: ['Ines Caldeira'] },
    'small-harbours': {
      title: 'Small harbours of the north',
      said: ['Nobody is on the quay.'],
      people: ['Ines Caldeira', 'Tomas Harbour'],
    },
    lamps: { title: 'Lamps', said: ['and then the harbour lights came on'], people: ['INES CALDEIRA'], brands: ['Harbison'] },
    harbinger: { title: 'Notes', said: ['A harbinger of spring.'], brands: ['Harbison'], labels: ['harbour'] },
    // Spoken matches that would fill a page of videos.
    ...Object.fromEntries(
      Array.from({ length: 8 }, (_, n) => [`talk-${n}`, { title: `Talk ${n}`, said: [`harbour harbour harbour ${n}`] }]),
    ),
    speaker: { title: 'Interview', lines: [{ start: 0, end: 5, text: 'Good evening.', speaker: 'Beata Szymborska' }] },
  });
});
afterAll(() => archive.drop());

async function offered(typed: string, perKind = 3): Promise<Record<string, string[]>> {
  const { results } = await archive.searching.suggest({ query: [typed], perKind });
  const groups: Record<string, string[]> = {};
  for (const { kind, text, videos } of results.flatMap(({ matches }) => matches)) {
    groups[kind] = [...(groups[kind] ?? []), videos === undefined ? text : `${text} (${videos})`];
  }
  return groups;
}

test('2.14 search: titles, people and brands come although what is said would fill the page', async () => {
  const { Title, Face, Brand, Transcript } = await offered('harb');
  expect(Title).toEqual(['Harbour at six [AB-1]', 'Small harbours of the north']);
  expect(Face).toEqual(['Tomas Harbour (1)']);
  expect(Brand).toEqual(['Harbison (2)']);
  expect(Transcript).toHaveLength(3);
});

test('2.14 search: one or two letters are enough of a name, however frequent other words with them are', async () => {
  expect((await offered('s')).Title).toEqual(['Small harbours of the north', 'Harbour at six [AB-1]']);
  expect((await offered('ha')).Brand).toEqual(['Harbison (2)']);
});

const inSmall = (names: readonly string[] | undefined) => names?.map((name) => name.toLowerCase());

test('a name is offered once, with the number of videos that carry it in any case of letters', async () => {
  expect(inSmall((await offered('ines')).Face)).toEqual(['ines caldeira (3)']);
  expect(inSmall((await offered('caldeira in')).Face)).toEqual(['ines caldeira (3)']);
});

test('a name holds every word that was typed, the last one as a beginning, stop words left aside', async () => {
  expect((await offered('the small harb')).Title).toEqual(['Small harbours of the north']);
  expect((await offered('small harbour ')).Title).toEqual(['Small harbours of the north']);
  expect((await offered('small lamp')).Title).toBeUndefined();
});

test('what begins as typed goes before what holds it elsewhere', async () => {
  await archive.publish({ 'north-light': { title: 'North light' } });
  expect((await offered('north')).Title).toEqual(['North light', 'Small harbours of the north']);
});

test('a misspelt name is offered', async () => {
  expect(inSmall((await offered('caldiera ')).Face)).toEqual(['ines caldeira (3)']);
  const { searchedFor } = await archive.searching.suggest({ query: ['harbuor'] });
  expect(searchedFor).toEqual({ text: 'harbour', literally: '"harbuor"' });
});

test('a field word asks for names of that kind alone', async () => {
  const { Title, Face } = await offered('person:harb');
  expect([Title, Face]).toEqual([undefined, ['Tomas Harbour (1)']]);
});

test('who speaks is offered as a person, without a number that nobody has counted', async () => {
  expect((await offered('szymb')).Face).toEqual(['Beata Szymborska']);
});

test('never more than was asked for of a kind', async () => {
  await archive.publish(
    Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`tide-${n}`, { title: `Tide ${n}`, people: [`Tider ${n}`] }])),
  );
  expect(await offered('tide', 2)).toMatchObject({
    Title: [expect.any(String), expect.any(String)],
    Face: [expect.any(String), expect.any(String)],
  });
  expect((await offered('tide', 2)).Title).toHaveLength(2);
  expect((await offered('tide')).Title).toHaveLength(3);
});

test('a video that is withdrawn or deleted takes its names with it', async () => {
  await archive.publish({ gannet: { title: 'Gannets', people: ['Gwen Gannet'] }, other: { title: 'Birds', people: ['Gwen Gannet'] } });
  expect(await offered('gann')).toMatchObject({ Title: ['Gannets'], Face: ['Gwen Gannet (2)'] });
  await archive.database.pool.query(`update videos set state = 'Failed', modified_at = now() where external_id = 'gannet'`);
  expect((await offered('gann')).Title).toBeUndefined();
  await archive.publish({});
  expect(await offered('gann')).toEqual({ Face: ['Gwen Gannet (1)'] });
  await archive.database.pool.query(`delete from videos where external_id = 'other'`);
  await archive.publish({});
  expect(await offered('gann')).toEqual({});
});

test('a video that came by a transaction of a minute is offered like any other', async () => {
  await archive.publish({ kittiwake: { title: 'Kittiwakes' }, puffin: { title: 'Puffins' } });
  await archive.database.pool.query(`update videos set state = 'Failed', modified_at = now() where external_id = 'kittiwake'`);
  await archive.publish({ guillemot: { title: 'Guillemots' } });
  expect((await offered('kitt')).Title).toBeUndefined();
  await archive.database.pool.query(`
    update videos set state = 'Processed', revision = revision + 1, modified_at = now() - interval '1 minute'
     where external_id = 'kittiwake'`);
  await archive.publish({});
  expect((await offered('kitt')).Title).toEqual(['Kittiwakes']);
});

test('names keep their order, whichever videos carry them: what more videos carry goes first', async () => {
  const films = Array.from({ length: 4 }, (_, n) => [
    `quince-${n}`,
    { title: `Quince ${n}`, people: [`Quincy ${n}`, 'Ada Quincer', 'Quincer'] },
  ]);
  await archive.publish(Object.fromEntries(films));
  expect((await offered('quinc')).Face).toEqual(['Quincer (4)', 'Quincy 0 (1)', 'Quincy 1 (1)']);
  expect((await offered('quincer')).Face?.slice(0, 2)).toEqual(['Quincer (4)', 'Ada Quincer (4)']);
});

test('a text with conditions offers only what meets them', async () => {
  expect((await offered('north -quay')).Title).toEqual(['North light']);
  expect((await offered('north +small')).Title).toEqual(['Small harbours of the north']);
});

test('in an archive without English films its words that are stop words of English offer moments', async () => {
  const german = await createSearchableArchive({ frage: { title: 'Frage', said: ['Was nun?'], language: 'de' } });
  const offeredFor = async (typed: string) =>
    (await german.searching.suggest({ query: [typed] })).results.flatMap(({ matches }) => matches.map(({ text }) => text));
  expect(await offeredFor('was')).toEqual(['Was nun?']);
  await german.drop();
});

test('our own endpoint offers the names of the search box', async () => {
  const names = await archive.searching.suggestNames({ typed: 'harb' });
  expect(names).toEqual([
    { name: 'Harbour at six', kind: 'Title' },
    { name: 'Small harbours of the north', kind: 'Title' },
    { name: 'Tomas Harbour', kind: 'Face' },
    { name: 'Harbison', kind: 'Brand' },
  ]);
});

test.each(['', ' ', '"', '-', 'OR', '😀', 'İ', '(', '\u0000', 'a'.repeat(1_000), '“”', 'id:', 'person:'])(
  '%j is no error',
  async (typed) => {
    expect((await archive.searching.suggest({ query: [typed] })).nextPage.done).toBe(true);
  },
);

test('of a word that is still being typed its beginning is marked, and all of one that is whole', async () => {
  await archive.publish({
    zwieback: { title: 'Zwieback and tea', said: ['We ate zwieback all day.'] },
    strasse: { title: 'Zur Straßenbahn', language: 'de' },
  });
  const marked = async (typed: string) => {
    const { results } = await archive.searching.suggest({ query: [typed] });
    return [...new Set(results.flatMap(({ matches }) => matches.flatMap(markedTexts)))].sort();
  };
  expect(await marked('zwie')).toEqual(['Zwie', 'zwie']);
  expect(await marked('zwieback and te')).toEqual(['Zwieback and te', 'zwieback']);
  expect(await marked('zwieback ')).toEqual(['Zwieback', 'zwieback']);
  expect(await marked('-harbour zwie')).toEqual(['Zwie', 'zwie']);
  expect(await marked('strass')).toEqual(['Straß']);
});

test('what is marked stands in the text, whatever the letters', async () => {
  const titles = ['İstanbul ﬁlm', 'Straße ＡＢＣ', '👩‍👩‍👧 Zürich', 'e\u0301tude cafe\u0301', 'ŒUVRE ǅ', '한국 영화', 'Ａｄａ ½ ﬀ'];
  await archive.publish(
    Object.fromEntries(titles.map((title, n) => [`letters-${n}`, { title, people: [title], said: [`${title} ${title}`] }])),
  );
  const parts = titles.flatMap((title) => Array.from({ length: [...title].length }, (_, n) => [...title].slice(0, n + 1).join('')));
  let offers = 0;
  for (const typed of [...parts, 'strasse', 'istan', 'film', 'abc', 'etude', 'oeuvre', 'ff']) {
    const { results } = await archive.searching.suggest({ query: [typed] });
    for (const match of results.flatMap(({ matches }) => matches)) {
      expect([typed, markedTexts(match).length > 0 && markedTexts(match).every((exact) => exact.length > 0)]).toEqual([typed, true]);
      offers++;
    }
  }
  expect(offers).toBeGreaterThanOrEqual(titles.length);
});
