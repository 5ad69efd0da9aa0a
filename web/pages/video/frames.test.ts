import { expect, test } from 'vitest';
import { z } from 'zod';
import { readCorpus } from '#testing/corpus/read-corpus.ts';
import { commandPlayer, frameAddresses, mediate, readEnd, readStart, tellFrames } from './frames.ts';

const origin = 'https://archive.example';

function stage() {
  const page = new EventTarget();
  const received: [frame: string, message: unknown, targetOrigin: string][] = [];
  const heard: unknown[] = [];
  // A window is known by its identity and spoken to by postMessage; nothing else of it is used.
  const frame = (name: string) =>
    ({ postMessage: (message: unknown, target: string) => received.push([name, message, target]) }) as unknown as Window;
  const player = frame('player');
  const insights = frame('insights');
  const frames = { origin, player: () => player, insights: () => insights, focusPlayer: () => heard.push('focus') };
  const stop = mediate(page as unknown as Window, frames, {
    onTime: (seconds) => heard.push(seconds),
    onExpired: () => heard.push('expired'),
    onCommand: (command) => heard.push(command),
    onTab: (tab) => heard.push(tab),
    onSearch: (search) => heard.push(search),
    onSaidToPlayer: () => undefined,
  });
  const post = (source: unknown, data: unknown, from = origin) =>
    page.dispatchEvent(Object.assign(new Event('message'), { source, data, origin: from }));
  return { player, insights, frames, received, heard, post, stop };
}

test('a pick in the insights seeks in the player, and the player’s time reaches the insights', () => {
  const { player, insights, received, heard, post } = stage();
  post(insights, { time: 12.5, origin });
  post(player, { currentTime: 13, origin });
  expect(received).toEqual([
    ['player', { time: 12.5, origin }, origin],
    ['insights', { currentTime: 13, origin }, origin],
  ]);
  expect(heard).toEqual([13]);
});

const boat = { id: 'Transcript-0', kind: 'Transcript', startInSeconds: 3, text: 'a boat', ranges: [[2, 6]], lines: [1] };

test('only the words of the list are carried on', () => {
  const { player, insights, received, post } = stage();
  post(insights, { play: true, pause: true, language: 'English', found: [boat], accessToken: 'stolen', theme: 'dark', other: 1 });
  post(player, { loaded: true, played: true });
  post(insights, { accessToken: 'stolen' });
  expect(received).toEqual([['player', { play: true, pause: true, language: 'English', found: [boat], origin }, origin]]);
});

test('another window or another origin is not heard', () => {
  const { player, received, heard, post } = stage();
  post({}, { time: 1 });
  post(player, { currentTime: 1, expired: true }, 'https://evil.example');
  expect(received).toEqual([]);
  expect(heard).toEqual([]);
});

test('what a key in a frame asks for comes to the page, and to the player from there', () => {
  const { player, insights, frames, received, heard, post } = stage();
  post(insights, { command: 'forward-10' });
  post(player, { command: 'to-search' });
  post(insights, { command: 'format-disk' });
  expect(heard).toEqual(['forward-10', 'to-search']);
  expect(received).toEqual([]);
  commandPlayer(frames, 'forward-10');
  expect(received).toEqual([['player', { command: 'forward-10', origin }, origin]]);
  commandPlayer(frames, 'show-help');
  expect(heard.at(-1)).toBe('focus');
});

test('the tab that somebody chooses in the insights comes to the page, and from there alone', () => {
  const { player, insights, received, heard, post } = stage();
  post(insights, { tab: 'timeline' });
  post(insights, { tab: 'admin' });
  post(player, { tab: 'insights' });
  expect([heard, received]).toEqual([['timeline'], []]);
});

test('what is searched for in the insights comes to the page, and from there alone', () => {
  const { player, insights, received, heard, post } = stage();
  post(insights, { search: 'tide' });
  post(insights, { search: '' });
  post(player, { search: 'boats' });
  expect([heard, received]).toEqual([['tide', ''], []]);
});

test('a frame can say that its token has expired, and the page answers both', () => {
  const { player, frames, received, heard, post } = stage();
  post(player, { expired: true });
  expect(heard).toEqual(['expired']);
  tellFrames(frames, { accessToken: 'fresh' });
  expect(received.map(([name]) => name)).toEqual(['player', 'insights']);
});

test('once stopped nothing is carried', () => {
  const { insights, received, post, stop } = stage();
  stop();
  post(insights, { time: 1 });
  expect(received).toEqual([]);
});

const service = { widgetBase: '', accountId: 'acc', location: 'local' };
const watched = {
  videoId: '3a9220459b',
  accessToken: 'a+b&c',
  startInSeconds: null,
  query: '',
  durationInSeconds: 60,
  lacks: null,
  tab: null,
};

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

test('where there is no film the player is told so and how long it is, and the insights which tab to open', () => {
  const { player, insights } = frameAddresses(service, { ...watched, lacks: 'media', tab: 'timeline' });
  expect(Object.fromEntries(new URL(player, 'http://localhost').searchParams)).toMatchObject({ lacks: 'media', duration: '60' });
  expect(new URL(insights, 'http://localhost').searchParams.get('tab')).toBe('timeline');
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

const StartEntry = z.object({
  cls: z.string(),
  value: z.string().nullish(),
  startAt: z.union([z.number(), z.literal('duration')]).optional(),
});
const starts = readCorpus('params', StartEntry).filter(({ cls }) => cls === 't');

test('9.7 a page begins at the whole second that its address names, at the end where that is past it, else at the beginning', () => {
  expect(starts).toHaveLength(28);
  for (const { value = null, startAt } of starts)
    expect([value, readStart(value, 600) ?? 0]).toEqual([value, startAt === 'duration' ? 600 : startAt]);
  expect([readStart(null, 600), readStart('7&autoplay=false', 600)]).toEqual([null, null]);
  // Nothing tells how long it is.
  expect(readStart('847', 0)).toBe(847);
});

test('a range ends with the second that its address names, at the end of the film where that is past it, and nowhere before its beginning', () => {
  expect(['16', '16.5', '17', '0m17s', '0:17'].map((end) => readEnd(end, 12, 600))).toEqual([16, 17, 17, 17, 17]);
  expect([readEnd('999', 12, 600), readEnd('601', 12, 600.4), readEnd('999', null, 0)]).toEqual([600, 601, 999]);
  for (const end of [null, '', 'abc', '-5', '12', '3', '1e3', 'NaN']) expect([end, readEnd(end, 12, 600)]).toEqual([end, null]);
});
