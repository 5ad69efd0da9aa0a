import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { VideoIndex } from '#contract/video-service/answers.ts';
import { faceMarkOf } from '#domain/moments/faces.ts';
import type { Shot } from '#domain/moments/layers.ts';
import type { Moment } from '#domain/moments/moment.ts';
import type { NamedFace } from '#domain/moments/name-faces.ts';
import { loadSecrets } from '#domain/tokens/secrets.ts';
import { readThumbnailId } from '#domain/tokens/thumbnail-ids.ts';
import { type SpeechOfFilm, sayWhySkipped } from '#domain/videos/speech-of-film.ts';
import type { Video } from '#domain/videos/video.ts';
import { presentIndex } from './present-index.ts';
import type { Presenting } from './present-video.ts';
import type { Reader } from './reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'rushes-secrets-'));
const secrets = loadSecrets(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const video: Video = {
  id: '3a9220459b',
  state: 'Processed',
  name: 'Harbour at dawn [AB-1234]',
  externalId: 'AB-1234',
  description: null,
  owner: 'Nordlys',
  recordedAt: null,
  place: null,
  language: 'en',
  rights: null,
  people: ['Ida Storm', 'Nils Vik'],
  labels: [],
  brands: [],
  origin: 'file',
  durationInSeconds: 61.5,
  width: 640,
  height: 360,
  hasVideo: true,
  hasAudio: true,
  streamingPreset: 'SingleBitrate',
  failureCode: null,
  failureMessage: null,
  processingPercent: 100,
  views: 7,
  posterMs: null,
  posterVersion: 0,
  picturesVersion: 0,
  createdAt: new Date('2026-11-20T10:00:00Z'),
  modifiedAt: new Date('2026-11-20T10:00:00Z'),
  publishedAt: new Date('2026-11-20T10:00:00Z'),
};
const base = { endMs: 9_000, source: 'sidecar', confidencePercent: 90 } as const;
const moments: Moment[] = [
  { ...base, kind: 'Transcript', startMs: 5_750, text: 'the storm', speaker: 'Ida' },
  { ...base, kind: 'Transcript', startMs: 7_000, text: 'is over' },
  { ...base, kind: 'Face', startMs: 8_000, text: 'Ida Storm' },
  { ...base, kind: 'Brand', startMs: 7_000, text: 'Nordlys' },
  { ...base, kind: 'Brand', startMs: 8_500, text: 'Havila' },
];
const seenFace = (name: string, isNamed: boolean, startMs: number): NamedFace => ({
  name,
  isNamed,
  confidencePercent: 80,
  engine: 'an eye',
  clearest: { atMs: startMs, place: [100, 100, 50, 80] },
  tracks: [{ startMs, endMs: startMs + 2_000, places: [{ atMs: startMs, place: [100, 100, 50, 80] }] }],
});
const faces = [seenFace('Ida Storm', true, 8_000), seenFace('Unknown 2', false, 30_000)];
const shotsWithStills: readonly Shot[] = [
  { startMs: 0, stillMs: 10_200 },
  { startMs: 20_300, stillMs: 20_700 },
  { startMs: 20_900, stillMs: 41_100 },
];
const speech: SpeechOfFilm = { speechMs: [5_750, 30_000].map((ms) => [ms, ms + 3_250]), noTranscript: null, noMeaning: null };
const inGerman = { is: 'other-language', understood: 'English', language: 'de' } as const;
const film = {
  video,
  moments,
  placedTexts: [],
  faces,
  shots: shotsWithStills,
  speech,
  keywords: [{ text: 'gale warnings', weight: 0.8, times: [{ startMs: 5_750, endMs: 9_000 }] }],
  isSummarized: false,
} satisfies Parameters<typeof presentIndex>[0];
const presentingTo = (reading: Reader['reading']): Presenting => {
  return { reader: { reading, mayWatch: true, callerId: 'me' }, secrets, accountId: 'a' };
};
const indexFor = (reading: Reader['reading'], isSummarized = false) => presentIndex({ ...film, isSummarized }, presentingTo(reading));
const document = indexFor('words');
const insights = document.videos[0]?.insights;

test('shots stand one behind the other to the end of the film, each with a picture of its own', () => {
  const times = insights?.shots?.map(({ instances: [one] }) => [one?.start, one?.end]);
  expect(times).toEqual([
    ['0:00:00', '0:00:20.3'],
    ['0:00:20.3', '0:00:20.9'],
    ['0:00:20.9', '0:01:01.5'],
  ]);
  expect(picturesOf(document)).toEqual([10_200, 20_700, 41_100].map((atMs) => [{ kind: 'shot', atMs }]));
  expect(indexFor('counts').videos[0]?.insights.shots).toBeUndefined();
});

test('a shot without a still has the small frame nearest to its middle, and none rather than one of another shot', () => {
  const starts = [0, 20_300, 20_900, 24_050, 26_050];
  const shots = starts.map((startMs) => ({ startMs, stillMs: null }));
  const older = presentIndex({ ...film, shots }, presentingTo('words'));
  // Where the frame of 26 s stands, the next shot may have begun.
  expect(picturesOf(older)).toEqual([[5], [], [11], [], [22]].map((frames) => frames.map((frame) => ({ kind: 'frame', frame }))));
});

function picturesOf({ videos: [one] }: VideoIndex) {
  return one?.insights.shots?.map(({ keyFrames }) =>
    keyFrames.flatMap(({ instances }) => instances.map(({ thumbnailId }) => read(thumbnailId, 'me'))),
  );
}

test('where somebody speaks stands as the effect of that name, for those who read words', () => {
  const [speech, ...others] = insights?.audioEffects ?? [];
  expect([speech?.type, others, speech?.instances.map(({ start, end }) => [start, end])]).toEqual([
    'Speech',
    [],
    [
      ['0:00:05.75', '0:00:09'],
      ['0:00:30', '0:00:33.25'],
    ],
  ]);
  expect(indexFor('counts').videos[0]?.insights.audioEffects).toBeUndefined();
});

test('keywords stand in the index and its summary with the lines that hold them, for those who read words', () => {
  const times = { start: '0:00:05.75', end: '0:00:09' };
  expect(insights?.keywords).toMatchObject([{ id: 1, text: 'gale warnings', confidence: 0.8, instances: [times] }]);
  const summary = indexFor('words', true).summarizedInsights?.keywords;
  expect(summary).toMatchObject([
    { id: 1, name: 'gale warnings', isTranscript: true, appearances: [{ startSeconds: 5.8, endSeconds: 9 }] },
  ]);
  expect(indexFor('counts').videos[0]?.insights.keywords).toBeUndefined();
});

test('3.6 the index has the service’s own shape, with the name and the number of views', () => {
  expect(VideoIndex.parse(document)).toEqual(document);
  expect([document.name, document.social?.views, document.duration]).toEqual(['Harbour at dawn [AB-1234]', 7, '0:01:01.5']);
});

test('what is said stands at its time with its speaker; nobody known is -1', () => {
  expect(insights?.transcript?.map(({ text, speakerId, instances }) => [text, speakerId, instances[0]?.start])).toEqual([
    ['the storm', 1, '0:00:05.75'],
    ['is over', -1, '0:00:07'],
  ]);
  expect(insights?.speakers?.map(({ name }) => name)).toEqual(['Ida']);
});

test('a person who was seen stands at that time, one who is only named is there for the whole film', () => {
  expect(insights?.faces?.map(({ name, instances }) => [name, instances[0]?.start, instances[0]?.end])).toEqual([
    ['Ida Storm', '0:00:08', '0:00:09'],
    ['Nils Vik', '0:00:00', '0:01:01.5'],
    ['Unknown 2', '0:00:30', '0:00:32'],
  ]);
});

test('a written text has its box in the picture where that is known, corrected or not, beside one of a catalogue of the same time', () => {
  const at = { startMs: 2_000, endMs: 4_000, kind: 'Ocr', confidencePercent: 90 } as const;
  const written: Moment[] = [
    { ...at, source: 'catalogue', text: 'HARBOUR MASTER' },
    { ...at, source: 'machine', text: 'HARBOUR', review: 'corrected' },
    { ...at, source: 'machine', text: 'MASTER' },
  ];
  const place = { x: 0.1, y: 0.5, width: 0.25, height: 0.05 };
  const placedTexts = [
    { ...at, place },
    { ...at, place: { ...place, y: 0.6 } },
  ];
  const { videos } = presentIndex({ ...film, moments: written, placedTexts, faces: [] }, presentingTo('words'));
  expect(videos[0]?.insights.ocr?.map(({ text, left, top, width, height }) => [text, left, top, width, height])).toEqual([
    ['HARBOUR MASTER', 0, 0, 0, 0],
    ['HARBOUR', 64, 180, 160, 18],
    ['MASTER', 64, 216, 160, 18],
  ]);
});

test('everything tells whether a machine found it, what people made of that or said before it, which names came with it, and a label how sure each sighting is', () => {
  const at = { startMs: 2_000, endMs: 4_000, source: 'machine' } as const;
  const found: Moment[] = [
    { ...at, kind: 'Ocr', text: 'HARBOUR', confidencePercent: 90, review: 'corrected' },
    { ...at, kind: 'Ocr', text: 'PILOT', confidencePercent: 70, review: 'verified' },
    { ...at, kind: 'Transcript', text: 'the harbour', confidencePercent: 20, isRough: true },
    { ...at, kind: 'Annotations', text: 'boat', confidencePercent: 60 },
    { ...at, kind: 'Annotations', text: 'boat', startMs: 3_000, confidencePercent: 80, review: 'verified' },
    { ...at, kind: 'Brand', text: 'Norvik', confidencePercent: 50 },
    { ...at, kind: 'Brand', text: 'Norvik', confidencePercent: 100, source: 'catalogue' },
    { ...at, kind: 'Brand', text: 'Nordlys', confidencePercent: 80 },
  ];
  const byEditors = { people: ['Nils Vik'], labels: [], brands: ['Nordlys'] };
  const { videos } = presentIndex({ ...film, moments: found, byEditors }, presentingTo('words'));
  const { ocr, transcript, labels, brands, faces: seen } = videos[0]?.insights ?? {};
  expect([ocr, transcript, labels, brands, seen].map((list) => list?.map(({ provenance }) => provenance))).toEqual([
    ['corrected', 'verified'],
    ['rough'],
    ['machine'],
    ['catalogue', 'corrected'],
    ['catalogue', 'corrected', 'machine'],
  ]);
  expect(labels?.[0]?.instances.map(({ confidence }) => confidence)).toEqual([0.6, 0.8]);
  expect(insights?.transcript?.[0]).toMatchObject({ provenance: undefined, confidence: 0.9 });
  expect(insights?.keywords?.[0]?.provenance).toBe('machine');
});

test('a face has a picture, which opens for the caller of this answer only; somebody who is only named has none', () => {
  const pictures = insights?.faces?.map(({ thumbnailId, thumbnails }) =>
    thumbnails.map(({ id }) => [id === thumbnailId, ...['me', 'somebody'].map((caller) => read(id, caller))]),
  );
  const mark = (n: number) => ({ kind: 'face', mark: faces[n] && faceMarkOf(faces[n]) });
  expect(pictures).toEqual([[[true, mark(0), null]], [], [[true, mark(1), null]]]);
});

function read(thumbnailId: string, caller: string) {
  return readThumbnailId(secrets, { videoId: video.id, thumbnailId, caller });
}

test('a kind without content is left out', () => {
  expect(insights && JSON.parse(JSON.stringify(insights))).not.toHaveProperty('ocr');
});

test('the item’s own number is not for viewers', () => {
  expect(document.videos[0]?.externalId).toBeNull();
});

test('the older summary is there for those who ask: every name once with when it is seen, and who speaks how much', () => {
  expect(document.summarizedInsights).toBeNull();
  const summarized = indexFor('words', true);
  expect(VideoIndex.parse(summarized)).toEqual(summarized);
  expect(summarized.summarizedInsights).toMatchObject({
    name: 'Harbour at dawn [AB-1234]',
    duration: { time: '0:01:01.5', seconds: 61.5 },
    faces: [
      {
        id: 1,
        name: 'Ida Storm',
        confidence: 0.9,
        appearances: [{ startTime: '0:00:08', endTime: '0:00:09', startSeconds: 8, endSeconds: 9 }],
        seenDuration: 1,
        seenDurationRatio: 0.0163,
      },
      { id: 2, name: 'Nils Vik', seenDuration: 61.5, seenDurationRatio: 1 },
      { id: 3, name: 'Unknown 2', seenDuration: 2, seenDurationRatio: 0.0325 },
    ],
    audioEffects: [{ audioEffectKey: 'Speech', seenDuration: 6.5 }],
    labels: [],
    statistics: {
      correspondenceCount: 0,
      speakerTalkToListenRatio: { 1: 1 },
      speakerLongestMonolog: { 1: 3 },
      speakerNumberOfFragments: { 1: 1 },
      speakerWordCount: { 1: 2 },
    },
  });
});

test.each(['counts', 'locked'] as const)(
  'a reader of %s would learn the length and the language of a film from its index, and no word of it',
  (reading) => {
    const lacking = { ...film, moments: [], speech: { ...speech, noTranscript: { is: 'nobody-speaks' }, noMeaning: inGerman } } as const;
    const told = (reader: Reader['reading']) => presentIndex(lacking, presentingTo(reader)).videos[0]?.insights;
    expect(told('words')).toMatchObject({ noTranscript: 'Nobody speaks in it.', noMeaning: sayWhySkipped(inGerman) });
    expect(told(reading)).not.toHaveProperty('noTranscript');
    expect(told(reading)).not.toHaveProperty('noMeaning');
    const [one] = indexFor(reading, true).videos;
    expect(one?.insights).toEqual({
      version: '1.0.0.0',
      duration: '0:01:01.5',
      sourceLanguage: 'en',
      sourceLanguages: ['en'],
      language: 'en',
      languages: ['en'],
    });
    expect(indexFor(reading, true).summarizedInsights).toBeNull();
  },
);

test('each appearance of a face names its pictures, a brand where it stands, and the summary shows everybody and who speaks', () => {
  const [ida, nils, unknown] = insights?.faces ?? [];
  expect([ida?.instances[0]?.thumbnailsIds, nils?.instances[0]?.thumbnailsIds]).toEqual([[ida?.thumbnailId], []]);
  expect(unknown?.instances[0]?.thumbnailsIds).toEqual([unknown?.thumbnails[0]?.id]);
  const [said, written] = insights?.brands ?? [];
  expect([said, written].map((brand) => brand?.instances.map(({ instanceSource }) => instanceSource))).toEqual([
    ['Transcript'],
    ['General'],
  ]);
  expect(insights?.statistics?.speakerWordCount).toEqual({ 1: 2 });
  const summary = indexFor('words', true).summarizedInsights;
  expect(summary?.faces.map(({ name, thumbnailId }) => [name, thumbnailId])).toEqual(
    insights?.faces?.map(({ name, thumbnailId }) => [name, thumbnailId]),
  );
});
