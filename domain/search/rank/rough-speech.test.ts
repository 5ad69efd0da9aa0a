import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#domain/db/sql.ts';
import { openJobQueue } from '#domain/jobs/job-queue.ts';
import { catchUpIndex } from '#domain/search-index/keep-index.ts';
import { createSearchableArchive, type SearchableArchive } from '#testing/searchable-archive.ts';
import type { Moment } from '../../moments/moment.ts';
import { publishLayers } from '../../videos/recompose-video.ts';
import { followRoughSpeech, setRoughSpeech } from '../../videos/rough-speech.ts';

const named = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}-${n}`);
/** Of so many lines that their rows fill what the index is asked for at first. */
const roughFilms = named('rough', 80);
const linesEach = 20;
const otherFilms = named('other', 30);
const asked = 'harbour pilot climbs';

let archive: SearchableArchive;
beforeAll(async () => {
  const rough = roughFilms.map((name) => [name, { title: name }]);
  // Each has one of the words, in a line that the index puts behind all short ones.
  const other = otherFilms.map((name) => [name, { title: name, said: [`a pilot ${'murmurs '.repeat(40)}`] }]);
  const mixed = { title: 'Mixed', said: ['they come aboard', 'and somebody waits'] };
  archive = await createSearchableArchive({ ...Object.fromEntries(rough), mixed });
  const heardOften = Array.from({ length: linesEach }, (_, n) => heard(n * 3_000, `the ${asked} again`));
  for (const name of roughFilms) await hear(name, ...heardOften);
  await hear('mixed', heard(2_500, 'the lanterns waits'));
  // In one batch: of each table the index is asked for so many rows.
  await archive.publish(Object.fromEntries(other));
});
afterAll(() => archive.drop());

function heard(startMs: number, text: string): Moment {
  return {
    kind: 'Transcript',
    source: 'machine',
    engine: 'pocketsphinx',
    confidencePercent: 20,
    isRough: true,
    startMs,
    endMs: startMs + 2_000,
    text,
  };
}

async function hear(name: string, ...moments: Moment[]): Promise<void> {
  const { pool } = archive.database;
  const { rows } = await pool.query<{ id: string }>(sql`select id from videos where external_id = ${name}`);
  await publishLayers(pool, rows[0]?.id ?? '', { madeBy: 'speech', version: 1, layers: [{ name: 'captions', moments }] });
}

test('films that only rough speech finds come behind all others, on whatever page, and none is missed', async () => {
  const seen: string[] = [];
  let createdBefore: Date | undefined;
  for (let skip = 0, done = false; !done; ) {
    const answer = await archive.search(asked, { skip, ...(createdBefore ? { createdBefore } : {}) });
    seen.push(...answer.results.map(({ video }) => video.externalId ?? ''));
    ({ skip, done } = answer.nextPage);
    createdBefore = answer.nextPage.createdBefore;
  }
  expect(seen.slice(0, otherFilms.length).sort()).toEqual(otherFilms.toSorted());
  expect(seen.slice(otherFilms.length).sort()).toEqual(roughFilms.toSorted());
});

test('alternatives of which one finds rough speech alone leave it behind what the other one finds', async () => {
  const found = await archive.found(['harbour', 'murmurs'], { pageSize: 100 });
  expect(found.slice(0, otherFilms.length).sort()).toEqual(otherFilms.toSorted());
  expect(found.slice(otherFilms.length).every((name) => roughFilms.includes(name))).toBe(true);
});

test('within a film a rough line comes behind all else, told as rough and numbered among all that is said', async () => {
  const [found] = (await archive.search('waits')).results;
  expect(found?.matches.map(({ text, isRough, ofKind }) => [text, isRough, ofKind])).toEqual([
    ['and somebody waits', undefined, [3]],
    ['the lanterns waits', true, [2]],
  ]);
});

test('a rough line that somebody has looked at is rough no more', async () => {
  const moment = heard(2_500, 'the lanterns waits');
  const { isRough: _, ...seen } = moment;
  await hear('mixed', { ...seen, review: 'verified' });
  await catchUpIndex(archive.database.pool, archive.copy);
  const [found] = (await archive.search('lanterns')).results;
  expect(found?.matches.map(({ isRough }) => isRough)).toEqual([undefined]);
});

test('hidden rough speech is found by nobody, but for lines that somebody has looked at; shown again it is as before', async () => {
  const { pool } = archive.database;
  const queue = await openJobQueue(pool, { onError: () => {} });
  const turn = async (isHidden: boolean) => {
    expect(await setRoughSpeech({ pool, queue }, { isHidden })).toBe(roughFilms.length);
    await followRoughSpeech(pool, new AbortController().signal);
    await catchUpIndex(pool, archive.copy);
  };
  const found = async () => (await archive.found(asked, { pageSize: 200 })).toSorted();
  await turn(true);
  expect(await found()).toEqual(otherFilms.toSorted());
  expect(await archive.found('lanterns')).toEqual(['mixed']);
  // A film that comes meanwhile is no exception.
  await hear('mixed', heard(2_500, 'the lanterns waits'));
  await catchUpIndex(pool, archive.copy);
  expect(await archive.found('lanterns')).toEqual([]);
  await hear('mixed');
  await turn(false);
  expect(await found()).toEqual([...otherFilms, ...roughFilms].toSorted());
  await queue.stop();
});
