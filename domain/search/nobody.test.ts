import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';

const spoken = (speaker: string) => [{ start: 0, end: 5, text: 'The otter dives.', speaker }];

let archive: SearchableArchive;
beforeAll(async () => {
  archive = await createSearchableArchive({
    numbered: { title: 'Otters', lines: spoken('Speaker 0'), people: [{ name: 'Speaker #1', at: [2] }, 'SPEAKER_02'] },
    named: { title: 'More otters', lines: spoken('Ada Lovelace') },
    said: { title: 'Hi-fi', said: ['Each speaker 0 to 9 hums like an otter.'], labels: ['speaker'] },
  });
});
afterAll(() => archive.drop());

const facets = (query: string) => archive.searching.facets({ query: [query], skip: 0, pageSize: 12, purpose: 'results' });

test('who has only a number is nobody: in no list of people, and found as no person', async () => {
  expect((await facets('otter ')).people).toEqual([{ name: 'Ada Lovelace', videos: 1 }]);
  expect((await facets('')).people).toEqual([]);
  expect(await archive.found('person:"speaker 0"')).toEqual([]);
  expect(await archive.found('person:speaker ')).toEqual([]);
  expect(await archive.found('person:lovelace ')).toEqual(['named']);
  expect(
    (await archive.search('speak', { purpose: 'suggestions' })).results.flatMap(({ matches }) => matches.map(({ kind }) => kind)),
  ).not.toContain('Face');
  // The word itself is a word like any other.
  expect(await archive.found('said:speaker ')).toEqual(['said']);
  expect(await archive.found('label:speaker ')).toEqual(['said']);
});

test('an archive that is older loses them from its lists, and indexes their films anew', async () => {
  const { pool } = archive.database;
  await pool.query("update videos set people = array['Speaker 3', 'Grace Hopper', 'unknown speaker'] where external_id = 'said'");
  const before = await revisions();
  const migration = readFileSync(new URL('../db/migrations/0076-nobody.sql', import.meta.url), 'utf8');
  // What a film says was text then, and is bytes now.
  await pool.query(migration.replaceAll('m.body', "convert_from(m.body, 'UTF8')"));
  expect(await revisions()).toEqual({ named: before.named, numbered: (before.numbered ?? 0) + 1, said: (before.said ?? 0) + 1 });
  const { rows } = await pool.query("select people from videos where external_id = 'said'");
  expect(rows).toEqual([{ people: ['Grace Hopper'] }]);
});

async function revisions(): Promise<Record<string, number>> {
  const { rows } = await archive.database.pool.query<{ name: string; revision: number }>(
    'select external_id as name, revision from videos',
  );
  return Object.fromEntries(rows.map(({ name, revision }) => [name, revision]));
}
