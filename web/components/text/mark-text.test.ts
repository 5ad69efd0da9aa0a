import { expect, test } from 'vitest';
import { cutLine, markText } from './mark-text.ts';

const marked = (text: string, ...exactTexts: string[]) =>
  markText(text, exactTexts)
    .map((part) => (part.marked ? `<${part.text}>` : part.text))
    .join('');

test('9.9 the exact text is marked whatever its case, and shown as it stands', () => {
  expect(marked('PORT AUTHORITY / HARBOUR OFFICE', 'harbour')).toBe('PORT AUTHORITY / <HARBOUR> OFFICE');
});

test('a character that grows in lower case does not shift the marks after it', () => {
  expect(marked('İİİ harbour İstanbul', 'HARBOUR', 'istanbul')).toBe('İİİ <harbour> İstanbul');
  expect(marked('İİİ harbour İstanbul', 'İSTANBUL')).toBe('İİİ harbour <İstanbul>');
});

test('signs of a regular expression are only signs', () => {
  expect(marked('what (really) costs $5.00?', '(really)', '$5.00?')).toBe('what <(really)> costs <$5.00?>');
  expect(marked('a.c abc', 'a.c')).toBe('<a.c> abc');
});

test('a whole word is marked before a piece of another word', () => {
  expect(marked('start with art', 'art')).toBe('start with <art>');
  expect(marked('harbours of the harb', 'harb')).toBe('harbours of the <harb>');
  expect(marked('Small harbours', 'harb')).toBe('Small <harb>ours');
  expect(marked('restarted', 'art')).toBe('rest<art>ed');
});

test('marks that touch or overlap become one', () => {
  expect(marked('one small step', 'one small', 'small step')).toBe('<one small step>');
});

test('several words are marked each on its own', () => {
  expect(marked('the last tram goes home', 'last', 'home')).toBe('the <last> tram goes <home>');
});

test('an absent or empty exact text marks nothing', () => {
  expect(marked('harbour', '', 'tram')).toBe('harbour');
  expect(markText('', ['x'])).toEqual([]);
});

test('text that looks like markup stays text', () => {
  expect(markText('<b>harbour</b>', ['harbour'])).toEqual([
    { text: '<b>', marked: false },
    { text: 'harbour', marked: true },
    { text: '</b>', marked: false },
  ]);
});

test('characters outside the basic plane keep their places', () => {
  expect(marked('🎞️🎞️ harbour 🎞️', 'harbour')).toBe('🎞️🎞️ <harbour> 🎞️');
});

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
const shown = (text: string, exact: string) =>
  cutLine(markText(text, [exact]))
    .map((part) => part.text)
    .join('');

test('a short line is shown whole', () => {
  expect(shown('and then the harbour lights came on', 'harbour')).toBe('and then the harbour lights came on');
});

test('a long line is cut around its match, at words, on both sides', () => {
  const cut = shown(`${words(60)} harbour ${words(60)}`, 'harbour');
  expect(cut).toMatch(/^… word\d+ .*harbour.* word\d+ …$/);
  expect(cut.length).toBeLessThan(190);
});

test('a match at the start has no ellipsis before it', () => {
  expect(shown(`harbour ${words(60)}`, 'harbour')).toMatch(/^harbour word0 .* …$/);
});

test('a mark longer than the window is kept whole', () => {
  const phrase = words(60);
  const parts = cutLine(markText(`before it ${phrase} after it`, [phrase]));
  expect(parts.some((part) => part.marked && part.text === phrase)).toBe(true);
});

test('a line without a space is cut all the same', () => {
  expect(shown('x'.repeat(5_000), 'nothing').length).toBeLessThan(200);
});

test('a long line without a mark shows its beginning', () => {
  expect(shown(words(100), 'nothing')).toMatch(/^word0 .* …$/);
});
