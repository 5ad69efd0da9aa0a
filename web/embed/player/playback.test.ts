import { expect, test } from 'vitest';
import { statusOf } from './playback.ts';

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
