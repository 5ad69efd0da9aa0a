import { expect, test } from 'vitest';
import { markText, placesOf, type TextRange } from './mark-text.ts';

const marked = (text: string, ...ranges: TextRange[]) => shown(text, ranges);
const shown = (text: string, ranges: readonly TextRange[]) =>
  markText(text, ranges)
    .map((part) => (part.marked ? `<${part.text}>` : part.text))
    .join('');
const byText = (text: string, exactText: string) => shown(text, placesOf(text, exactText));

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
