import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SearchResponse } from '#contract/video-service/answers.ts';
import { loadSecrets } from '#domain/tokens/secrets.ts';
import { makeMeaning } from '#testing/made-meaning.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import { readSearch } from '../routes/search.ts';
import { presentAnswer, tellMatches } from './present-answer.ts';
import type { Reader, SeeingReader } from './reader.ts';

const secretsFolder = mkdtempSync(join(tmpdir(), 'rushes-secrets-'));
const secrets = loadSecrets(secretsFolder);
const inOtherWords = 'the storm tore a roof from the barn while animals escaped';
let archive: SearchableArchive;

beforeAll(async () => {
  const said = [
    'Last night was terrible out here.',
    'High winds destroyed the top of our farm building,',
    'and the cows ran into the field.',
  ];
  archive = await createSearchableArchive({
    farm: { title: 'Recording', said },
    bread: { title: 'Recording', said: ['Flour and water.'] },
  });
  await makeMeaning(archive.database.pool);
  await archive.meaning.find('a question', { limit: 1, among: [] });
});
afterAll(async () => {
  await archive.drop();
  rmSync(secretsFolder, { recursive: true, force: true });
});

/** What a reader is answered; `lines`: how many lines of a film they may still read. */
async function answerFor(reader: Pick<Reader, 'reading' | 'mayWatch'>, lines = 40): Promise<SearchResponse> {
  const whole = { ...reader, callerId: 'somebody', sight: 'guest' } as SeeingReader;
  const asked = readSearch({ query: [inOtherWords] }, whole, secrets);
  const found = await archive.searching.answer(asked);
  let left = lines;
  const budget = ({ things }: { things: readonly unknown[] }) => {
    left -= things.length;
    return left >= 0;
  };
  const results = tellMatches(found.results, asked, { reader: whole, networks: [], lines: { budget, perHour: 40 } });
  return presentAnswer(
    { ...found, results },
    { texts: asked.query, skip: asked.skip, form: 'videos' },
    { reader: whole, secrets, accountId: 'account' },
  );
}

test('a film that is found by its meaning says so, and so does the line', async () => {
  const { results } = await answerFor({ reading: 'words', mayWatch: true });
  const [match] = results.find(({ byMeaning }) => byMeaning)?.searchMatches ?? [];
  expect(match).toMatchObject({ byMeaning: true, type: 'Transcript', ranges: [], exactText: '', startTime: '00:00:05' });
  expect(match?.text).toBe('High winds destroyed the top of our farm building, and the cows ran into the field.');
});

test('who may not watch pays for these lines as for any other', async () => {
  const guest = { reading: 'words', mayWatch: false } as const;
  const meant = ({ results }: SearchResponse) => results.flatMap(({ searchMatches }) => searchMatches.filter(({ byMeaning }) => byMeaning));
  expect(meant(await answerFor(guest))).not.toEqual([]);
  const spent = await answerFor(guest, 1);
  expect(meant(spent)).toEqual([]);
  expect(spent.results.some(({ searchMatchesWithheld }) => searchMatchesWithheld)).toBe(true);
});

test.each(['counts', 'locked'] as const)('who reads %s learns nothing by meaning', async (reading) => {
  const { results } = await answerFor({ reading, mayWatch: false });
  const byWords = await archive.found(inOtherWords);
  expect(results.map(({ id }) => id)).toHaveLength(byWords.length);
  expect(JSON.stringify(results)).not.toContain('byMeaning');
});
