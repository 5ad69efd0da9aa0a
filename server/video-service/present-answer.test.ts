import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SearchResponse } from '#contract/video-service/answers.ts';
import { loadSecrets } from '#domain/tokens/secrets.ts';
import { readThumbnailId } from '#domain/tokens/thumbnail-ids.ts';
import { createSearchableArchive } from '#testing/searchable-archive.ts';
import { presentAnswer } from './present-answer.ts';
import { presentMatch } from './present-matches.ts';
import type { Reader } from './reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'rushes-secrets-'));
const secrets = loadSecrets(folder);
const accountId = '7d0e1f52-6c3b-4a9e-9b1d-2f8a5c04e6d3';
const asked = { texts: [], skip: 0, form: 'videos' } as const;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('3.3 only administrators see the external id, the dates and the encoding', async () => {
  const archive = await createSearchableArchive({ 'EXT-1': { title: 'Heron', said: ['The heron stands.'] } });
  try {
    const answer = await archive.search('heron ');
    const presentTo = (reading: Reader['reading']) =>
      SearchResponse.parse(presentAnswer(answer, asked, { secrets, accountId, reader: { reading, mayWatch: true, callerId: 'me' } }));
    const guest = presentTo('words');
    expect(JSON.stringify(guest.results)).not.toContain('EXT-1');
    expect(guest.results[0]).toMatchObject({ externalId: null, streamingPreset: null });
    expect(guest.results[0]).not.toHaveProperty('created');
    const admin = presentTo('admin');
    expect(admin.results[0]).toMatchObject({ externalId: 'EXT-1', streamingPreset: 'NoStreaming' });
    expect(admin.results[0]?.created).toMatch(/^\d{4}-\d\d-\d\dT.*\+00:00$/);
  } finally {
    await archive.drop();
  }
});

test('3.5 an answer says again what was asked', async () => {
  const archive = await createSearchableArchive({ film: { said: ['The heron stands.'] } });
  try {
    const reader = { reading: 'words', mayWatch: true, callerId: 'me' } as const;
    const echoOf = async (texts: string[], skip: number) => {
      const told = presentAnswer(await archive.search(texts, { skip }), { texts, skip, form: 'videos' }, { secrets, accountId, reader });
      return [SearchResponse.parse(told).query, told.skip];
    };
    expect(await echoOf(['heron '], 12)).toEqual(['heron ', 12]);
    expect(await echoOf(['heron', 'crane'], 0)).toEqual([['heron', 'crane'], 0]);
    expect(await echoOf([], 0)).toEqual(['', 0]);
  } finally {
    await archive.drop();
  }
});

test('a match that is rough, or stands at an estimate, says so, any other does not', () => {
  const match = { kind: 'Transcript', startMs: 0, isTimed: true, text: 'heron', ranges: [], score: 1 } as const;
  expect(presentMatch({ ...match, isRough: true }, undefined)).toMatchObject({ rough: true });
  expect(presentMatch(match, undefined)).not.toHaveProperty('rough');
  expect(presentMatch({ ...match, isEstimated: true }, undefined)).toMatchObject({ estimated: true });
  expect(presentMatch(match, undefined)).not.toHaveProperty('estimated');
});

test('a film with a picture has up to twelve stills over its whole length, and a frame per match for this caller alone', async () => {
  const archive = await createSearchableArchive({
    film: { durationSeconds: 60, said: ['The heron stands.', 'It flies.', 'The heron lands.'] },
  });
  try {
    await archive.database.pool.query('update videos set has_video = true, width = 1080, height = 1920');
    const reader = { reading: 'words', mayWatch: false, callerId: 'me' } as const;
    const [video] = presentAnswer(await archive.search('lands '), asked, { secrets, accountId, reader }).results;
    const stills = video?.stills ?? [];
    expect(stills).toHaveLength(12);
    expect(stills[0]?.startTime).toBe('00:00:02');
    expect(stills.at(-1)?.startTime).toBe('00:00:56');
    const thumbnailId = video?.searchMatches[0]?.thumbnailId ?? '';
    const named = { videoId: video?.id ?? '', thumbnailId };
    expect(readThumbnailId(secrets, { ...named, caller: 'me' })).toEqual({ kind: 'frame', frame: 5 });
    expect(readThumbnailId(secrets, { ...named, caller: 'somebody else' })).toBeNull();
    expect(video?.aspectRatio).toBeCloseTo(0.5625);
  } finally {
    await archive.drop();
  }
});
