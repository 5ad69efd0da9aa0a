import { expect, test } from 'vitest';
import { cutLine } from './cut-line.ts';
import { markText, placesOf } from './mark-text.ts';

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
const shown = (text: string, exact: string) =>
  cutLine(markText(text, placesOf(text, exact)))
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
  const parts = cutLine(markText(`before it ${phrase} after it`, [[10, 10 + phrase.length]]));
  expect(parts.some((part) => part.marked && part.text === phrase)).toBe(true);
});

test('a line without a space is cut all the same', () => {
  expect(shown('x'.repeat(5_000), 'nothing').length).toBeLessThan(200);
});

test('a long line without a mark shows its beginning', () => {
  expect(shown(words(100), 'nothing')).toMatch(/^word0 .* …$/);
});
