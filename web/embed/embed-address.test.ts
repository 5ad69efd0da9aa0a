import { expect, test } from 'vitest';
import { z } from 'zod';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { readEmbedAddress, takeEmbedAddress } from './embed-address.ts';

const base = 'http://localhost:4000/embed/player/00000000-0000-0000-0000-000000000001/3a9220459b/';

test('9.7 the player reads its start in seconds from t', () => {
  expect(readEmbedAddress(`${base}?t=847`)).toMatchObject({ videoId: '3a9220459b', startInSeconds: 847, autoplay: true });
});

const StartEntry = z.object({
  cls: z.string(),
  enc: z.string().optional(),
  startAt: z.union([z.number(), z.literal('duration')]).optional(),
});
const starts = readCorpus('params', StartEntry).filter(({ cls }) => cls === 't');

test('a frame begins at the whole second that its address names, and at the beginning where that is none', () => {
  expect(starts).toHaveLength(28);
  for (const { enc = '', startAt } of starts) {
    const { startInSeconds } = readEmbedAddress(`${base}?t=${enc}`);
    // The player goes to the end for whatever lies past it.
    expect([enc, startInSeconds]).toEqual([enc, startAt === 'duration' ? 9_999_999 : startAt]);
  }
});

test('autoplay is on unless the address says false', () => {
  expect(readEmbedAddress(`${base}?autoplay=false`).autoplay).toBe(false);
  expect(readEmbedAddress(`${base}?autoplay=true`).autoplay).toBe(true);
  expect(readEmbedAddress(base).autoplay).toBe(true);
});

test('the tab is the one that the address asks for, else the choice is left to the frame', () => {
  expect(readEmbedAddress(`${base}?tab=timeline`).tab).toBe('timeline');
  expect(readEmbedAddress(`${base}?tab=insights`).tab).toBe('insights');
  expect(readEmbedAddress(`${base}?tab=elsewhere`).tab).toBeNull();
});

test('what a film lacks and how long it is are read, unless they make no sense', () => {
  expect(readEmbedAddress(`${base}?lacks=media&duration=60`)).toMatchObject({ lacks: 'media', durationInSeconds: 60 });
  expect(readEmbedAddress(`${base}?lacks=sense&duration=long`)).toMatchObject({ lacks: null, durationInSeconds: 0 });
});

test('taking the address removes the token from it and keeps the rest', () => {
  const shown: string[] = [];
  const location = new URL(`${base}?accessToken=secret&locale=en&t=5`);
  const history = { replaceState: (_state: unknown, _title: string, url: URL) => shown.push(url.href) };
  // Only these two members of a window are read.
  const frame = { location, history } as unknown as Window;
  expect(takeEmbedAddress(frame).accessToken).toBe('secret');
  expect(shown).toEqual([`${base}?locale=en&t=5`]);
});
