import { expect, test } from 'vitest';
import { writeCitation } from './cite.ts';

const moment = { title: 'Harbour at six', seconds: 1630.9, archive: 'Rushes', link: 'https://a.example/video/0a?t=1630' };

test('a moment is cited with its line, title, time code, archive and link', () => {
  expect(writeCitation({ ...moment, line: 'and then the harbour lights came on' })).toBe(
    '"and then the harbour lights came on" — Harbour at six, 00:27:10, Rushes, https://a.example/video/0a?t=1630',
  );
});

test('without a line a citation is title, time code, archive and link', () => {
  const source = 'Harbour at six, 00:27:10, Rushes, https://a.example/video/0a?t=1630';
  expect([null, '', ' \n'].map((line) => writeCitation({ ...moment, line }))).toEqual([source, source, source]);
});

test('a film as a whole is cited with title, archive and link', () => {
  const film = { ...moment, seconds: null, line: null, link: 'https://a.example/video/0a' };
  expect(writeCitation(film)).toBe('Harbour at six, Rushes, https://a.example/video/0a');
});

test('a quotation stays one line, and what it quotes itself stands in single marks', () => {
  expect(writeCitation({ ...moment, line: 'he said\n“go”\tand "went"' })).toMatch(/^"he said 'go' and 'went'" — Harbour/);
});
