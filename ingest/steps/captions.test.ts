import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Problem } from '#contract/problem.ts';
import type { FileStore } from '#domain/files/store.ts';
import { StoreAway } from '#domain/files/store-away.ts';
import { toVideoKeys } from '#domain/files/video-keys.ts';
import { keepSidecars } from '#domain/footage/kept-sidecars.ts';
import { findMoments } from '#domain/moments/find-moments.ts';
import { makeVideoId } from '#domain/videos/create-video.ts';
import { runStepAgain } from '#domain/videos/steps.ts';
import { copyOfSample } from '#testing/copy-of-sample.ts';
import { openTestIngest, type TestIngest } from '#testing/test-ingest.ts';
import { untilQuiet } from '#testing/until-quiet.ts';
import { findSidecars, toKeep } from '../footage/sidecars.ts';
import type { SubtitleStream } from '../media/media-description.ts';
import type { SubtitlePlan } from '../media/media-plans.ts';
import type { Step, StepContext } from '../step.ts';
import { captions } from './captions.ts';
import { type ProbeResult, probe } from './probe.ts';
import { renditions } from './renditions.ts';

let archive: TestIngest;
beforeAll(async () => {
  archive = await openTestIngest();
});
afterAll(() => archive.close());

const durationInSeconds = 60;
const words = [
  { word: ' Where' },
  { word: ' is', start: 1.4 },
  { word: ' the', start: 1.5, probability: 0.9 },
  { word: ' fairy', start: 1.75 },
];
const whisper = JSON.stringify({ language: 'en', segments: [{ start: 1, end: 3, text: ' Where is the fairy', words }] });
const unmarked = { preferred: false, forced: false, hearingImpaired: false };
const srt = (text: string) => `1\n00:00:01,000 --> 00:00:03,000\n${text}\n`;
const embedded = (track: number) => `WEBVTT\n\n00:01.000 --> 00:02.000\nFrom track ${track}\n`;

test('captions are read again for a published film without disturbing it', { timeout: 60_000 }, async () => {
  const { pool } = archive.context;
  const { id } = await archive.ingest(await copyOfSample('Dunes in the wind', archive.scratch));
  await untilQuiet(pool);
  const revision = async () => (await pool.query('select revision from videos where id = $1', [id])).rows;
  const before = [await findMoments(pool, id), await revision()];
  await runStepAgain(archive.context, { videoId: id, step: captions.name });
  await untilQuiet(pool);
  expect([await findMoments(pool, id), await revision()]).toEqual(before);
});

test('a transcript alone gives the spoken text, with its word starts, as heard by a machine that was this sure', async () => {
  const { moments, warnings } = await spokenText({ 'film.json': whisper });
  expect(moments).toEqual([
    {
      kind: 'Transcript',
      source: 'machine',
      confidencePercent: 90,
      engine: 'Whisper',
      startMs: 1_000,
      endMs: 3_000,
      text: 'Where is the fairy',
      wordStartsMs: [1_000, 1_400, 1_500, 1_750],
    },
  ]);
  expect(warnings).toEqual([]);
});

test('other words are another result, by which what was found in them is looked for anew; the same words are the same', async () => {
  const textOf = async (text: string) => (await spokenText({ 'film.srt': srt(text) })).text;
  const [one, again, other] = [await textOf('By Acme'), await textOf('By Acme'), await textOf('By Bell')];
  expect([one, one === again, one === other]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), true, false]);
});

test.each([
  ['subtitles beside the film', { 'film.srt': srt('Where is the ferry?'), 'film.json': whisper }, null, 'sidecar', 'Where is the ferry?'],
  ['subtitles within the film', { 'film.json': whisper }, 'en', 'embedded', 'From track 0'],
])('%s go before what a recogniser heard, and that is said', async (_, files, language, source, text) => {
  const subtitles = language === null ? [] : [{ index: 0, codec: 'subrip', language, ...unmarked }];
  const { moments, warnings } = await spokenText(files, { subtitles });
  expect(moments).toMatchObject([{ source, text, confidencePercent: 100 }]);
  expect(warnings).toEqual(['transcript not used: the video has subtitles']);
});

test('a transcript goes before subtitles that say the same and do not tell when their words begin', async () => {
  const { moments, warnings } = await spokenText({ 'film.srt': srt('Where is\nthe fairy'), 'film.json': whisper });
  expect(moments).toMatchObject([{ source: 'machine', wordStartsMs: [1_000, 1_400, 1_500, 1_750] }]);
  expect(warnings).toEqual([]);
  const karaoke = 'WEBVTT\n\n00:01.000 --> 00:03.000\nWhere is the <00:01.900>fairy\n';
  expect((await spokenText({ 'film.vtt': karaoke, 'film.json': whisper })).moments).toMatchObject([{ source: 'sidecar' }]);
});

test.each([
  [
    'is no transcript',
    'film.whisper.json',
    '{"title":"Harbour"}',
    'transcript not used: unknown format (supported: Whisper, whisper.cpp, pocketsphinx, Video Indexer)',
  ],
  ['holds no line', 'film.json', '{"segments":[]}', 'transcript: no lines found'],
  [
    'holds broken lines only',
    'film.json',
    '{"segments":[{"start":-1}]}',
    'transcript: 1 lines without text or with unreadable times ignored; transcript: no lines found',
  ],
  [
    'speaks after the film',
    'film.json',
    '{"segments":[{"start":61,"end":62,"text":"late"}]}',
    'transcript: 1 subtitles past the end ignored',
  ],
])('a file that %s is said, and gives no spoken text', async (_, name, text, warning) => {
  const { moments, warnings, hasCaptions } = await spokenText({ [name]: text });
  expect([moments, warnings.join('; '), hasCaptions]).toEqual([[], warning, false]);
});

test('of several transcripts the one in the language of the film is used, and one that cannot be read leaves the next', async () => {
  const inLanguage = (text: string) => JSON.stringify({ segments: [{ start: 1, end: 2, text }] });
  const both = { 'film.de.json': inLanguage('Deutsch'), 'film.en.json': inLanguage('English') };
  expect((await spokenText(both)).moments).toMatchObject([{ text: 'English' }]);
  expect((await spokenText({ ...both, 'film.en.json': 'nothing' })).moments).toMatchObject([{ text: 'Deutsch' }]);
});

test('spoken text whose captions grow over 20 MB by their stamps and signs is whole', async () => {
  const segments = Array.from({ length: 5_000 }, (_, n) => ({ start: n / 100, end: 60, text: `${n} ${'&'.repeat(3_900)}` }));
  const { moments } = await spokenText({ 'film.json': JSON.stringify({ segments }) });
  expect(moments).toHaveLength(5_000);
});

test.each([
  ['a store that is away', () => new StoreAway('it answers 503')],
  ['a disk that is full', () => new Problem('storage_full', 'No room.')],
])('%s is no fault of the subtitles, and takes no captions away', async (_, fault) => {
  const { store } = archive.context;
  const failing = { ...store, withLocalCopy: () => Promise.reject(fault()) };
  await expect(spokenText({ 'film.srt': srt('Where is the ferry?') }, { store: failing })).rejects.toThrow(fault().message);
});

test.each([
  ['Spanish', 'es', [['est'], ['spa']], 1],
  ['German by its old code', 'de', [['eng'], ['ger']], 1],
  ['Swedish', 'sv', [['swa'], ['swe']], 1],
  ['Chinese', 'zh', [['chu'], ['chi']], 1],
  ['Mexican Spanish', 'es-MX', [['eng'], ['spa']], 1],
  ['its own language without sounds', 'de', [['deu', { hearingImpaired: true }], ['deu'], ['eng']], 1],
  ['what players show, where the language is a guess', 'en', [['eng'], ['ger', { preferred: true }]], 1],
  ['a track that is not only signs', 'de', [['deu', { forced: true, preferred: true }], ['eng']], 1],
] as const)('of several tracks within a film %s is taken', async (_, language, tracks, index) => {
  const subtitles = tracks.map(([tag, more], n) => ({ index: n, codec: 'subrip', language: tag, ...unmarked, ...more }));
  expect((await spokenText({}, { subtitles, language })).moments).toMatchObject([{ text: `From track ${index}` }]);
});

test('a track of signs alone is no spoken text, and that is said', async () => {
  const subtitles = [{ index: 2, codec: 'subrip', language: 'en', ...unmarked, forced: true }];
  const { moments, warnings, hasCaptions } = await spokenText({}, { subtitles });
  expect([moments, warnings, hasCaptions]).toEqual([[], ['track 2 not used: it is marked as forced'], false]);
});

test('captions of before go where no record tells of them; those that were read from pictures or heard stay, wherever they lie', async () => {
  const left = ['captions', 'readCaptions', 'heardCaptions'] as const;
  expect((await spokenText({}, { left })).stays).toEqual(['readCaptions', 'heardCaptions']);
  expect((await spokenText({}, { left, record: { source: 'sidecar', warnings: [] } })).stays).toEqual(['readCaptions', 'heardCaptions']);
  // An earlier version put what it read from pictures there.
  expect((await spokenText({}, { left, record: { source: null, warnings: [] } })).stays).toEqual(left);
});

/** What the step makes of files that lie beside a film, and of tracks within it. */
async function spokenText(
  besides: Record<string, string>,
  {
    subtitles = [],
    language = 'en',
    store = archive.context.store,
    left = [],
    record,
  }: {
    subtitles?: SubtitleStream[];
    language?: string;
    store?: FileStore;
    /** Captions that lie there from before, and what was noted then. */
    left?: readonly ('captions' | 'readCaptions' | 'heardCaptions')[];
    record?: unknown;
  } = {},
) {
  const id = makeVideoId();
  const workFolder = join(archive.scratch, id);
  await mkdir(workFolder);
  for (const [name, text] of Object.entries(besides)) await writeFile(join(workFolder, name), text);
  const keys = toVideoKeys(id);
  await keepSidecars(store, keys.sidecars, toKeep(await findSidecars(join(workFolder, 'film.mp4')), 'film.mp4'));
  for (const name of left) await store.put(keys[name], Buffer.from('WEBVTT\n'));
  const extractSubtitles = (_: unknown, { path, stream }: SubtitlePlan) => writeFile(path, embedded(stream));
  const description = { format: 'mp4', startSeconds: 0, claimedSeconds: durationInSeconds, video: null, audio: null, subtitles };
  const probed: ProbeResult = { description, scan: { video: null, audio: null }, durationInSeconds, damage: null };
  const results: Record<string, unknown> = {
    [probe.name]: probed,
    [renditions.name]: { durationInSeconds, streamingPreset: 'SingleBitrate' },
  };
  const context: StepContext = {
    ...archive.context,
    store,
    workFolder,
    signal: new AbortController().signal,
    progress: () => {},
    tools: { ...archive.context.tools, extractSubtitles },
    video: { id, name: 'Film', fileName: 'film.mp4', language, keys, contentHash: null, isPublished: false },
    resultIfAny: <T>(step: Step<T>) => (step.name === captions.name ? step.Result.safeParse(record).data : undefined),
    resultOf: <T>(step: Step<T>) => step.Result.parse(results[step.name]),
    original: () => Promise.resolve(join(workFolder, 'film.mp4')),
    piece: (_name, _Result, work) => work(),
  };
  const outcome = await captions.run(context);
  if (outcome.is !== 'done') throw new Error(JSON.stringify(outcome.reason));
  const hasCaptions = (await store.stat(keys.captions)) !== null;
  const stays: string[] = [];
  for (const name of left) if (await store.stat(keys[name])) stays.push(name);
  const moments = outcome.layers?.flatMap((layer) => ('moments' in layer ? layer.moments : []));
  return { moments, warnings: outcome.result.warnings, text: outcome.result.text, hasCaptions, stays };
}
