import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';

let archive: SearchableArchive;

beforeAll(async () => {
  archive = await createSearchableArchive({
    moon: { title: 'Magnificent desolation', said: ['A magnificent desolation, he said.'], people: ['Neil Armstrong'] },
    garden: { title: 'A garden', said: ['What a magnificent garden.', 'A copper kettle stands there.'] },
    harbour: { title: 'Ferries', said: ['The harbour at dawn.', 'Copper and velvet.'], labels: ['harbour'] },
    velvet: { said: ['Velvet and copper again.'] },
    harper: { said: ['A harper plays.'] },
  });
});
afterAll(() => archive.drop());

const nearest = async (query: string) => (await archive.search(query)).nearest?.map(({ text, videos }) => `${text}: ${videos}`) ?? [];

test('a word in quotation marks that occurs nowhere is offered in the spellings that occur', async () => {
  expect(await nearest('"magnificant"')).toEqual(['"magnificent": 2']);
  expect(await nearest('"Harbor"')).toEqual(['"Harbour": 1', '"Harper": 1']);
  expect((await nearest('+MAGNIFICANT'))[0]).toBe('+MAGNIFICENT: 2');
});

test('words of a phrase are spelt otherwise where they stand', async () => {
  expect((await nearest('"magnificant desolation"'))[0]).toBe('"magnificent desolation": 1');
  expect((await nearest('"magnificant desolaton"'))[0]).toBe('"magnificent desolation": 1');
  expect((await nearest('person:"Niel Armstrong"'))[0]).toBe('person:"Neil Armstrong": 1');
});

test('of many words that occur nowhere only the first few are looked for in other spellings', async () => {
  const strange = (count: number) => Array.from({ length: count }, (_, n) => `zqxjv${String.fromCharCode(97 + n).repeat(4)}wkq`).join(' ');
  expect(await nearest(`${strange(3)} +copper +kettel`)).toContain(`${strange(3)} +copper +kettle: 1`);
  expect(await nearest(`${strange(9)} +copper +kettel`)).not.toContain(`${strange(9)} +copper +kettle: 1`);
});

test('a phrase, a condition or a field that leaves nothing is taken away', async () => {
  expect(await nearest('"velvet kettle"')).toEqual(['velvet kettle: 3']);
  expect(await nearest('title:harbour ')).toEqual(['harbour: 1']);
  expect(await nearest('+kettle +velvet ')).toEqual(['kettle +velvet: 2', '+kettle velvet: 1', 'kettle velvet: 3']);
  expect(await nearest('kettle -copper')).toEqual(['kettle: 1']);
  expect(await nearest('id:0123456789 kettle ')).toEqual(['kettle: 1']);
});

test('nothing is offered that finds nothing, and nothing beside results', async () => {
  for (const query of ['"xyzzyq"', '??', '-kettle', '12345 ', 'said:qqqqqqqq ']) expect(await nearest(query)).toEqual([]);
  expect((await archive.search('kettle ')).nearest).toBeUndefined();
  expect((await archive.search('+kettle copper ', { narrowing: { length: 'over-60' } })).nearest).toBeUndefined();
  expect((await archive.search('"magnificant"', { narrowing: { length: 'over-60' } })).nearest).toHaveLength(1);
});

test('a field word that there is none of is answered by those that there are', async () => {
  expect(await nearest('dialogue:harbour ')).toEqual(['said:harbour: 1', 'harbour: 1']);
  expect(await nearest('Persn:Armstrong ')).toEqual(['person:Armstrong: 1', 'Armstrong: 1']);
  expect((await nearest('speach:"copper kettle"'))[0]).toBe('said:"copper kettle": 1');
  // Beside what the other words find, as long as nothing holds it as it stands.
  expect(await nearest('velvet dialogue:kettle ')).toEqual(['velvet said:kettle: 3']);
  expect(await nearest('velvet https://kettle ')).toEqual([]);
  await archive.publish({ fiction: { said: ['Science fiction: kettle of the stars.'] } });
  expect(await nearest('velvet fiction:kettle ')).toEqual([]);
});

test('every query that is offered for any text at all finds as many videos as it says', async () => {
  const entries = readCorpus('search-queries', z.object({ q: z.string().nullish() }));
  const broken = [
    '"magnificant" -copper',
    '+velvit|"kettel"',
    '"copper harbour" title:velvit',
    '(said:"hrabour")',
    '“magnificant kettle',
    '"İharbor"',
  ];
  let offers = 0;
  for (const text of [...broken, ...entries.flatMap(({ q }) => (q && q.length < 500 ? [q] : []))]) {
    for (const { text: offered, videos, orMore } of (await archive.search(text)).nearest ?? []) {
      const { results } = await archive.search(offered, { pageSize: 100 });
      expect([offered, results.length, orMore]).toEqual([offered, videos, undefined]);
      offers++;
    }
  }
  expect(offers).toBeGreaterThan(broken.length - 1);
});

test('where more videos hold its words than are counted, a query that is offered finds at least as many as it says', async () => {
  await archive.publish(Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`kestrel-${n}`, 'A kestrel hovers.'])));
  expect((await archive.search('"kestrle"')).nearest?.[0]).toEqual({ text: '"kestrel"', videos: 250, orMore: true });
  const [conditional] = (await archive.search('"kestrle" -harbour')).nearest ?? [];
  expect(conditional).toMatchObject({ text: '"kestrel" -harbour', orMore: true });
  expect(conditional?.videos).toBeLessThanOrEqual(250);
});
