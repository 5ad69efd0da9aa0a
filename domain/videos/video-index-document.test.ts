import { expect, test } from 'vitest';
import { VideoIndex } from '#contract/video-service.ts';
import type { Moment } from '../moments/moment.ts';
import type { Video } from './video.ts';
import { videoIndexDocument } from './video-index-document.ts';

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
  createdAt: new Date('2026-11-20T10:00:00Z'),
  modifiedAt: new Date('2026-11-20T10:00:00Z'),
  publishedAt: new Date('2026-11-20T10:00:00Z'),
};
const base = { endMs: 9_000, source: 'sidecar', confidencePercent: 90 } as const;
const moments: Moment[] = [
  { ...base, kind: 'Transcript', startMs: 5_750, text: 'the storm', speaker: 'Ida' },
  { ...base, kind: 'Transcript', startMs: 7_000, text: 'is over' },
  { ...base, kind: 'Face', startMs: 8_000, text: 'Ida Storm' },
];
const document = videoIndexDocument(video, moments, { accountId: 'a', thumbnailId: null });
const insights = document.videos[0]?.insights;

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
  ]);
});

test('a kind without content is left out', () => {
  expect(insights && JSON.parse(JSON.stringify(insights))).not.toHaveProperty('ocr');
});

test('the item’s own number is not for viewers', () => {
  expect(document.videos[0]?.externalId).toBeNull();
});
