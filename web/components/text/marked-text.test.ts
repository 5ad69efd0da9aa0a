import { expect, test } from 'vitest';
import type { TextRange } from '#contract/video-service/answers.ts';
import { findRanges } from '#contract/video-service/exact-text.ts';
import { cutLine, markText, rooms } from './marked-text.tsx';

const marked = (text: string, ...ranges: TextRange[]) => shown(text, ranges);
const shown = (text: string, ranges: readonly TextRange[]) =>
  markText(text, ranges)
    .map((part) => (part.marked ? `<${part.text}>` : part.text))
    .join('');
const byText = (text: string, exactText: string) => shown(text, findRanges(text, exactText));

test('9.9 what is between the two ends of a range is marked, and shown as it stands', () => {
  expect(marked('PORT AUTHORITY / HARBOUR OFFICE', [17, 24])).toBe('PORT AUTHORITY / <HARBOUR> OFFICE');
  expect(marked('the last tram goes home', [19, 23], [4, 8])).toBe('the <last> tram goes <home>');
  expect(marked('🎞️🎞️ harbour 🎞️', [7, 14])).toBe('🎞️🎞️ <harbour> 🎞️');
});

test('ranges that overlap are marked once, and one beyond the text marks what is there', () => {
  expect(marked('one small step', [0, 9], [4, 14])).toBe('<one small>< step>');
  expect(marked('one small step', [0, 14], [4, 9])).toBe('<one small step>');
  expect(marked('harbour', [0, 99], [50, 60])).toBe('<harbour>');
  expect(marked('', [0, 4])).toBe('');
});

test('text that looks like markup stays text', () => {
  expect(markText('<b>harbour</b>', [[3, 10]])).toEqual([
    { text: '<b>', marked: false },
    { text: 'harbour', marked: true },
    { text: '</b>', marked: false },
  ]);
});

test('9.9 where a service sends no ranges its exact text is marked whatever its case', () => {
  expect(byText('PORT AUTHORITY / HARBOUR OFFICE', 'harbour')).toBe('PORT AUTHORITY / <HARBOUR> OFFICE');
  expect(byText('İİİ harbour İstanbul', 'HARBOUR')).toBe('İİİ <harbour> İstanbul');
  expect(byText('what (really) costs $5.00? a.c abc', '(really)')).toBe('what <(really)> costs $5.00? a.c abc');
  expect(byText('a.c abc', 'a.c')).toBe('<a.c> abc');
  expect(byText('harbour', '')).toBe('harbour');
  expect(byText('harbour', 'tram')).toBe('harbour');
});

test('a whole word is marked before a piece of another word', () => {
  expect(byText('start with art', 'art')).toBe('start with <art>');
  expect(byText('restarted', 'art')).toBe('rest<art>ed');
});

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
const shownCut = (text: string, exact: string, room: Parameters<typeof cutLine>[1] = rooms.card) =>
  cutLine(markText(text, findRanges(text, exact)), room)
    .map((part) => part.text)
    .join('');

test('a short line is shown whole', () => {
  expect(shownCut('and then the harbour lights came on', 'harbour')).toBe('and then the harbour lights came on');
});

test('a long line is cut around its match, at words, on both sides', () => {
  const cut = shownCut(`${words(60)} harbour ${words(60)}`, 'harbour');
  expect(cut).toMatch(/^… word\d+ .*harbour.* word\d+ …$/);
  expect(cut.length).toBeLessThan(190);
});

test('a match at the start has no ellipsis before it', () => {
  expect(shownCut(`harbour ${words(60)}`, 'harbour')).toMatch(/^harbour word0 .* …$/);
});

test('a mark longer than the window is kept whole', () => {
  const phrase = words(60);
  const parts = cutLine(markText(`before it ${phrase} after it`, [[10, 10 + phrase.length]]), rooms.card);
  expect(parts.some((part) => part.marked && part.text === phrase)).toBe(true);
});

test('a line without a space is cut all the same', () => {
  expect(shownCut('x'.repeat(5_000), 'nothing').length).toBeLessThan(200);
});

test('a long line without a mark shows its beginning', () => {
  expect(shownCut(words(100), 'nothing')).toMatch(/^word0 .* …$/);
});

test('where a line is not broken, a match late in it is shown with the few words before it', () => {
  const line = 'Line twenty eight runs down to the harbour, and this is its last tram home';
  expect(shownCut(line, 'last', rooms.row)).toBe('… and this is its last tram home');
  expect(shownCut(line, 'twenty', rooms.row)).toBe('Line twenty eight runs down to the harbour, and this …');
});
