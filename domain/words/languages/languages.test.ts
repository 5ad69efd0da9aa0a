import { expect, test } from 'vitest';
import { isOfLanguage, languagesAmong, toLanguageNumber } from './languages.ts';

test.each([
  ['en', 'en'],
  ['en-GB', 'en'],
  ['EN_us', 'en'],
  ['deu', 'deu'],
])('the tag %s names the language %s', (tag, code) => {
  expect(toLanguageNumber(tag)).toBe(toLanguageNumber(code));
  expect(toLanguageNumber(tag)).toBeGreaterThan(0);
});

test('different languages have different numbers, which leave room for the kind of a row', () => {
  const codes = ['en', 'de', 'ed', 'zz', 'zzz', 'aa', 'aaa', 'a-'];
  const numbers = codes.map(toLanguageNumber);
  expect(new Set(numbers).size).toBe(codes.length);
  expect(Math.max(...numbers)).toBeLessThan(2 ** 15);
});

test.each(['', 'English', 'e', '東京', '4en'])('%j names no language, so the film may be of any', (tag) => {
  expect(toLanguageNumber(tag)).toBe(0);
  expect(isOfLanguage(toLanguageNumber('en'), toLanguageNumber(tag))).toBe(true);
  expect(languagesAmong([tag]).map(({ code }) => code)).toEqual(['en']);
  expect(isOfLanguage(toLanguageNumber('fr'), toLanguageNumber(tag))).toBe(false);
});

test('an archive asks the languages of its films', () => {
  expect(languagesAmong(['de', 'pl']).map(({ code }) => code)).toEqual([]);
  expect(languagesAmong(['de', 'fr-CA']).map(({ code }) => code)).toEqual(['fr']);
  expect(languagesAmong(['de', 'en-GB']).map(({ code }) => code)).toEqual(['en']);
  expect(isOfLanguage(toLanguageNumber('en'), toLanguageNumber('de'))).toBe(false);
});
