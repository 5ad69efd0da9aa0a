import { expect, test } from 'vitest';
import { frameAddresses, readStart } from './frame-addresses.ts';

const service = { widgetBase: '', accountId: 'acc', location: 'local' };
const watched = { videoId: '3a9220459b', accessToken: 'a+b&c', startInSeconds: null, query: '' };

test('7.4 the player frame carries token, locale, location, autoplay and t', () => {
  const { player } = frameAddresses(service, { ...watched, startInSeconds: 847 });
  const url = new URL(player, 'http://localhost');
  expect(url.pathname).toBe('/embed/player/acc/3a9220459b/');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    accessToken: 'a+b&c',
    locale: 'en',
    location: 'local',
    autoplay: 'true',
    t: '847',
  });
});

test('7.4 the insights frame carries token, locale and location, and no autoplay', () => {
  const url = new URL(frameAddresses(service, watched).insights, 'http://localhost');
  expect(Object.fromEntries(url.searchParams)).toEqual({ accessToken: 'a+b&c', locale: 'en', location: 'local' });
});

test('the search that the visitor comes from goes to both frames', () => {
  const { player, insights } = frameAddresses(service, { ...watched, query: 'small step & more' });
  for (const address of [player, insights]) {
    expect(new URL(address, 'http://localhost').searchParams.get('search')).toBe('small step & more');
  }
});

test('9.7 a start is whole seconds of one to seven digits, anything else is no start', () => {
  expect(readStart('0')).toBe(0);
  expect(readStart('847')).toBe(847);
  for (const t of [null, '', '-1', '1.5', '00:14:07', '12345678', '7&autoplay=false']) expect(readStart(t)).toBeNull();
});
