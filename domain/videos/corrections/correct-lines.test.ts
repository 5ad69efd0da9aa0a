import { afterAll, beforeAll, expect, test } from 'vitest';
import { addFilm } from '#testing/add-film.ts';
import { emptyDisk, openMemoryStore } from '#testing/memory-store.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { captionText } from '../../moments/captions.ts';
import { findMoments } from '../../moments/find-moments.ts';
import type { Moment } from '../../moments/moment.ts';
import { publishLayers } from '../recompose-video.ts';
import { correctLines, listLines, replaceTranscript } from './correct-lines.ts';

let database: TestDatabase;
const store = openMemoryStore(emptyDisk());
const by = { actorUid: 'ann', from: '127.0.0.1' };
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query(`insert into users (id, email, name) values ('ann', 'ann@people.example', 'Ann')`);
});
afterAll(() => database.drop());

/** A film in which a machine heard two lines, of two people. */
async function filmThatSays(): Promise<string> {
  const id = await addFilm({ pool: database.pool, store });
  const heard = { kind: 'Transcript', source: 'machine', confidencePercent: 62 } as const;
  const moments: Moment[] = [
    { ...heard, startMs: 1_000, endMs: 2_500, text: 'teh dunlin', speaker: 'Ann' },
    { ...heard, startMs: 4_000, endMs: 7_000, text: 'it flies', speaker: 'Bo' },
  ];
  await publishLayers(database.pool, id, { madeBy: 'captions', version: 1, layers: [{ name: 'captions', moments }] });
  return id;
}

const load = (videoId: string, text: string) => replaceTranscript(database.pool, { videoId, bytes: Buffer.from(text), ...by });
const cue = (second: number, text: string) => `00:0${second}.000 --> 00:0${second}.900\n${text}\n`;

test('each line of a file tells how many would go back with it; one that is corrected after that goes back alone', async () => {
  const id = await filmThatSays();
  await load(id, ['WEBVTT\n', cue(1, 'A dunlin calls.'), cue(3, 'It flies.'), cue(5, 'It dives.')].join('\n'));
  const together = async () => (await listLines(database.pool, id)).map((line) => line.together);
  expect(await together()).toEqual([3, 3, 3]);
  const was = { startMs: 1_000, endMs: 1_900, text: 'A dunlin calls.', speaker: null };
  await correctLines(database.pool, { videoId: id, changes: [{ replaces: [was], lines: [{ ...was, text: 'A knot calls.' }] }], ...by });
  expect(await together()).toEqual([1, 2, 2]);
});

test('a file that names nobody leaves the lines at their times to those who said them', async () => {
  const id = await filmThatSays();
  const saved = captionText(await findMoments(database.pool, id), 'srt');
  await load(id, saved.replace('teh', 'the'));
  const said = (await listLines(database.pool, id)).map(({ text, speaker }) => [text, speaker]);
  expect(said).toEqual([
    ['the dunlin', 'Ann'],
    ['it flies', 'Bo'],
  ]);
});

test('what a file has twice at once stands there once', async () => {
  const id = await filmThatSays();
  await load(id, ['WEBVTT\n', cue(1, 'The dunlin'), cue(1, 'The dunlin'), cue(3, 'The dunlin')].join('\n'));
  expect((await listLines(database.pool, id)).map(({ startMs, text }) => [startMs, text])).toEqual([
    [1_000, 'The dunlin'],
    [3_000, 'The dunlin'],
  ]);
});

test('lines of a film whose length is not known yet are bounded by nothing', async () => {
  const id = await filmThatSays();
  await database.pool.query('update videos set duration_seconds = 0 where id = $1', [id]);
  await load(id, `WEBVTT\n\n01:00:00.000 --> 01:00:02.000\nLate\n`);
  expect((await listLines(database.pool, id)).map(({ startMs, text }) => [startMs, text])).toEqual([[3_600_000, 'Late']]);
});
