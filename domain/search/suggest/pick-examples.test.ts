import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';

let archive: SearchableArchive;

beforeAll(async () => {
  archive = await createSearchableArchive();
});
afterAll(() => archive.drop());

test('an archive without videos has no examples', async () => {
  const none = { title: null, otherTitle: null, phrase: null, said: null, written: null, person: null, brand: null, label: null, id: null };
  expect(await archive.searching.examples({})).toEqual(none);
});

test('every example is found where it says, however long the films are', async () => {
  await archive.publish({
    'night-tram': {
      title: 'The "Night" tram [TR-1]',
      said: ["I don't know", 'the conductor waits', ...Array.from({ length: 900 }, (_, n) => `stop number ${n} passes`)],
      people: [{ name: 'Tobias "Tram" Kern', at: [1] }, 'Ines Caldeira'],
    },
  });
  await archive.publish({ pier: 'Boats' });
  await archive.publish({
    harbour: { title: 'Harbour at dusk', said: ['boats unload at the pier'], brands: ['Orion'], labels: ['fishing boat'] },
  });
  const examples = await archive.searching.examples({});
  expect(examples).toEqual({
    title: 'harbour',
    otherTitle: 'night',
    phrase: 'harbour at dusk',
    said: 'unload',
    written: null,
    person: 'Ines Caldeira',
    brand: 'Orion',
    label: 'fishing boat',
    id: expect.stringMatching(/^[0-9a-f]{10}$/),
  });
  const { title, otherTitle, phrase, said, person, brand, label, id } = examples;
  for (const query of [
    `${title} -${otherTitle}`,
    `title:${title}`,
    `"${phrase}"`,
    `said:${said}`,
    `brand:${brand}`,
    `label:"${label}"`,
    `id:${id}`,
  ])
    expect([query, await archive.found(query)]).toEqual([query, ['harbour']]);
  expect(await archive.found(`person:"${person}"`)).toEqual(['night-tram']);
});
