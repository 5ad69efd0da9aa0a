import { expect, test } from 'vitest';
import { paths } from './paths.ts';

test('2.14 a search carries the query and skip=0, whatever signs the query has', () => {
  expect(paths.search('"last tram" +home & more')).toBe('/search?query=%22last+tram%22+%2Bhome+%26+more&skip=0');
});

test('2.15 a match opens its video at that whole second', () => {
  expect(paths.video('3a9220459b', { seconds: 847.9, query: 'harbour' })).toBe('/video/3a9220459b?t=847&query=harbour');
  expect(paths.video('3a9220459b')).toBe('/video/3a9220459b');
});

test('the home page as return address is left out, because it is the default', () => {
  expect(paths.login('/')).toBe('/login');
  expect(paths.login('/video/3a9220459b?t=7')).toBe('/login?returnUrl=%2Fvideo%2F3a9220459b%3Ft%3D7');
});

test('4.2 whoever waits for activation takes along where they wanted to go', () => {
  expect(paths.activationPending('/video/3a9220459b?t=7')).toBe('/activation-pending?returnUrl=%2Fvideo%2F3a9220459b%3Ft%3D7');
});
