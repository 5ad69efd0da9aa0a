import { expect, test } from 'vitest';
import { aimAtFrame, noFrames, seeFrame } from './aim-at.ts';
import { isRunning, statusOf } from './playback.ts';

const film = { readyState: 4, ended: false, paused: false, seeking: false, currentTime: 12 };

test('a film with data ahead of it plays or is paused', () => {
  expect(statusOf(film, null)).toBe('playing');
  expect(statusOf({ ...film, paused: true }, null)).toBe('paused');
});

test('before its first frame a film loads; without data later it buffers', () => {
  expect(statusOf({ ...film, readyState: 0, currentTime: 0, paused: true }, null)).toBe('loading');
  expect(statusOf({ ...film, readyState: 0, currentTime: 0 }, null)).toBe('loading');
  expect(statusOf({ ...film, readyState: 1 }, null)).toBe('buffering');
});

test('a film at its end has ended, and a fault comes before everything', () => {
  expect(statusOf({ ...film, ended: true, paused: true }, null)).toBe('ended');
  expect(statusOf({ ...film, ended: true }, 'absent')).toBe('absent');
});

test('what has come of a film plays, or stands, while what comes next is away', () => {
  expect(statusOf(film, 'away')).toBe('playing');
  expect(statusOf({ ...film, readyState: 2, paused: true }, 'away')).toBe('paused');
  expect(statusOf({ ...film, readyState: 2, ended: true, paused: true }, 'away')).toBe('ended');
  expect(statusOf({ ...film, readyState: 2 }, 'away')).toBe('away');
  expect(statusOf({ ...film, readyState: 0, currentTime: 0, paused: true }, 'away')).toBe('away');
});

test('what is away runs on for whoever let it run, and for nobody who paused it', () => {
  expect(isRunning({ status: 'away', isPaused: false })).toBe(true);
  expect(isRunning({ status: 'away', isPaused: true })).toBe(false);
});

test.each([24_000 / 1_001, 24, 25, 30_000 / 1_001, 50, 60])(
  'at %d frames a second every step shows the next frame or the one before',
  (rate) => {
    // As a browser shows a film that plays: now and then a frame is left out, and two stand nearer where pieces of it meet.
    const played = [0, 2, 4, 5, 6, 6.3, 7];
    let seen = played.reduce((before, frame) => seeFrame(before, frame / rate, true), noFrames);
    let currentTime = 7.4 / rate;
    const stepped = ([1, 1, 1, -1, -1, 1] as const).map((direction) => {
      currentTime = aimAtFrame(seen, direction, currentTime);
      const frame = Math.floor(currentTime * rate);
      seen = seeFrame(seen, frame / rate, false);
      return frame;
    });
    expect(stepped).toEqual([8, 9, 10, 9, 8, 9]);
  },
);

test('frames are a twenty-fifth of a second apart where nobody tells, and a step never stays where it is', () => {
  expect(aimAtFrame(noFrames, 1, 2)).toBeCloseTo(2.04);
  expect(aimAtFrame(noFrames, -1, 2)).toBeCloseTo(1.96);
  expect(aimAtFrame({ shownAt: 2, apart: 0.016 }, 1, 2.024)).toBeCloseTo(2.04);
  // What is on show is not yet what the film was sent to.
  expect(aimAtFrame({ shownAt: 20, apart: 0.02 }, 1, 2)).toBeCloseTo(2.02);
  // A frame that stands longer than others, and a browser that keeps whole microseconds.
  expect(aimAtFrame({ shownAt: 4.166666, apart: 0.033333 }, 1, 4.216665)).toBeCloseTo(4.25, 3);
});
