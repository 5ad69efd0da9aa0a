import { expect, test } from 'vitest';
import { cutText, describeFilm, writeLicenceLetter } from './about-film.ts';

const nothing = { description: null, recordedAt: null, place: null, language: 'en', rights: null };

test('of a film only what is known is told, in words', () => {
  const known = { description: 'A tram.', recordedAt: '2024-03-02', place: 'Norvik', language: 'pt-BR', rights: 'By request' };
  expect(describeFilm(known, { isSpoken: true })).toEqual({
    description: 'A tram.',
    facts: [
      ['Recorded', '2 March 2024'],
      ['Place', 'Norvik'],
      ['Language', 'Brazilian Portuguese'],
    ],
    rights: 'By request',
  });
  expect(describeFilm(nothing, { isSpoken: false })).toEqual({ description: '', facts: [], rights: null });
});

test('a day and a language that nobody can read stand as they were written', () => {
  const odd = { ...nothing, recordedAt: 'summer', language: 'x_' };
  expect(describeFilm(odd, { isSpoken: true }).facts).toEqual([
    ['Recorded', 'summer'],
    ['Language', 'x_'],
  ]);
});

test('a long text is cut behind a word and never within a sign, one that is hardly longer stays whole', () => {
  expect(cutText('one two three four', 9)).toEqual(['one two', ' three four']);
  expect(cutText('one two three', 12)).toEqual(['one two three', '']);
  expect(cutText('🎞🎞🎞🎞🎞🎞', 5)).toEqual(['🎞🎞', '🎞🎞🎞🎞']);
});

test('a letter for a licence says which moment it is about and what is known of the rights, of a long note the beginning', () => {
  const asked = { video: { id: '0a', name: 'Harbour & sea' }, seconds: 62, until: null, link: 'https://a.example/video/0a?t=62' };
  const bodyOf = (rights: string | null) => new URLSearchParams(writeLicenceLetter({ ...asked, rights })).get('body');
  const beginning = 'Title: Harbour & sea\r\nId: 0a\r\nTime: 00:01:02\r\nLink: https://a.example/video/0a?t=62\r\n';
  expect(bodyOf(null)).toBe(`${beginning}\r\n`);
  expect(bodyOf('By request')).toBe(`${beginning}Rights: By request\r\n\r\n`);
  expect(bodyOf('by request '.repeat(90))?.length).toBeLessThan(beginning.length + 260);
  expect(writeLicenceLetter({ ...asked, rights: null })).not.toContain('+');
});
