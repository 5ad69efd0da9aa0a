import { afterAll, beforeAll, expect, test } from 'vitest';
import { addFilm } from '#testing/add-film.ts';
import { emptyDisk, openMemoryStore } from '#testing/memory-store.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { findCorrectedCaptions, writeCaptionText } from '../../moments/captions.ts';
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

const spoken = { kind: 'Transcript', source: 'machine', confidencePercent: 62 } as const;
const twoLines: Moment[] = [
  { ...spoken, startMs: 1_000, endMs: 2_500, text: 'teh dunlin', speaker: 'Ann' },
  { ...spoken, startMs: 4_000, endMs: 7_000, text: 'it flies', speaker: 'Bo' },
];

/** A film in which a machine heard two lines, of two people, or these. */
async function filmThatSays(moments = twoLines): Promise<string> {
  const id = await addFilm({ pool: database.pool, store });
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
  const saved = writeCaptionText(await findMoments(database.pool, id), 'srt');
  await load(id, saved.replace('teh', 'the'));
  const said = (await listLines(database.pool, id)).map(({ text, speaker }) => [text, speaker]);
  expect(said).toEqual([
    ['the dunlin', 'Ann'],
    ['it flies', 'Bo'],
  ]);
});

test('of two who speak at once, in the same words, the one that is meant is corrected and confirmed, and a file leaves each to theirs', async () => {
  const both = [
    { ...spoken, startMs: 1_000, endMs: 2_000, text: 'Amen.', speaker: 'Ann' },
    { ...spoken, startMs: 1_000, endMs: 2_000, text: 'Amen.', speaker: 'Bob' },
    { ...spoken, startMs: 3_000, endMs: 4_000, text: 'Hi.', speaker: 'Ann' },
    { ...spoken, startMs: 3_000, endMs: 4_000, text: 'Hello.', speaker: 'Bob' },
  ];
  const id = await filmThatSays(both);
  const bobs = { startMs: 1_000, endMs: 2_000, text: 'Amen.', speaker: 'Bob' };
  const change = (lines: (typeof bobs)[]) => correctLines(database.pool, { videoId: id, changes: [{ replaces: [bobs], lines }], ...by });
  const lines = async () => (await listLines(database.pool, id)).map(({ text, speaker, review }) => [speaker, text, review]);
  await change([bobs]);
  expect((await lines()).slice(0, 2)).toEqual([
    ['Ann', 'Amen.', null],
    ['Bob', 'Amen.', 'verified'],
  ]);
  await change([{ ...bobs, text: 'Amen!' }]);
  expect((await lines()).slice(0, 2)).toEqual([
    ['Ann', 'Amen.', null],
    ['Bob', 'Amen!', 'corrected'],
  ]);
  await load(id, writeCaptionText(await findMoments(database.pool, id), 'vtt').replace('Hello.', 'Hello!'));
  expect((await lines()).map(([speaker, text]) => `${speaker}: ${text}`)).toEqual(['Ann: Amen.', 'Bob: Amen!', 'Ann: Hi.', 'Bob: Hello!']);
});

test('marks that nobody sees make no other line of one that is confirmed, and none by themselves', async () => {
  const khmer = { startMs: 1_000, endMs: 2_500, text: 'ខ្ញុំ\u200bស្រឡាញ់\u200bអ្នក', speaker: null };
  const { speaker: _, ...moment } = khmer;
  const id = await filmThatSays([{ ...spoken, ...moment }]);
  await correctLines(database.pool, { videoId: id, changes: [{ replaces: [khmer], lines: [khmer] }], ...by });
  expect(await listLines(database.pool, id)).toMatchObject([{ text: khmer.text, review: 'verified' }]);
  await load(id, ['WEBVTT\n', cue(1, '\u200e'), cue(3, 'It flies.')].join('\n'));
  expect((await listLines(database.pool, id)).map(({ text }) => text)).toEqual(['It flies.']);
});

test('what a file has twice at once stands there once', async () => {
  const id = await filmThatSays();
  await load(id, ['WEBVTT\n', cue(1, 'The dunlin'), cue(1, 'The dunlin'), cue(3, 'The dunlin')].join('\n'));
  expect((await listLines(database.pool, id)).map(({ startMs, text }) => [startMs, text])).toEqual([
    [1_000, 'The dunlin'],
    [3_000, 'The dunlin'],
  ]);
});

test('whoever turns captions on is told that a machine heard them, as long as nobody has looked at all of them', async () => {
  const engine = 'Whisper small 1.7';
  const id = await filmThatSays(twoLines.map((one) => ({ ...one, engine })));
  const change = async (...[from, to]: [string, string]) => {
    const was = (await listLines(database.pool, id)).find(({ text }) => text === from);
    if (!was) throw new Error('no such line');
    const { startMs, endMs, text, speaker } = was;
    const seen = { startMs, endMs, text, speaker };
    await correctLines(database.pool, { videoId: id, changes: [{ replaces: [seen], lines: [{ ...seen, text: to }] }], ...by });
  };
  expect(await findCorrectedCaptions(database.pool, id)).toBeNull();
  await change('teh dunlin', 'the dunlin');
  expect(await findCorrectedCaptions(database.pool, id)).toContain(
    '00:00:00.000 --> 00:00:04.000\n[Captions by a machine: Whisper small]\n',
  );
  await change('it flies', 'it flies');
  expect(await findCorrectedCaptions(database.pool, id)).not.toContain('machine');
});

test('lines of a film whose length is not known yet are bounded by nothing', async () => {
  const id = await filmThatSays();
  await database.pool.query('update videos set duration_seconds = 0 where id = $1', [id]);
  await load(id, `WEBVTT\n\n01:00:00.000 --> 01:00:02.000\nLate\n`);
  expect((await listLines(database.pool, id)).map(({ startMs, text }) => [startMs, text])).toEqual([[3_600_000, 'Late']]);
});
