import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Moment } from '../moments/moment.ts';
import { parseBrandList } from './brand-list.ts';
import { findBrands } from './find-brands.ts';

const list = parseBrandList(`
# what is looked for
Coca-Cola, Coca Cola
Hasselblad
Apple: iphone mac
Ford: car motor
Raspberry Pi
`);

const said = (...texts: string[]): Moment[] =>
  texts.map((text, n) => ({
    kind: 'Transcript',
    startMs: n * 1_000,
    endMs: n * 1_000 + 900,
    text,
    source: 'sidecar',
    confidencePercent: 100,
  }));
const brandsIn = (...texts: string[]) => findBrands(said(...texts), list).map(({ brand, moment }) => `${brand} ${moment.startMs / 1_000}`);

test('a brand is found however it is written, also as somebody’s or several, once a line', () => {
  expect(
    brandsIn('We took a Hasselblad’s lens.', 'Hasselblads and Hasselblad', 'A Coca Cola, please', 'coca-colas from Coca-Cola'),
  ).toEqual(['Hasselblad 0', 'Hasselblad 1', 'Coca-Cola 2', 'Coca-Cola 3']);
  expect(brandsIn('Runs on two Raspberry Pis.', 'A raspberry pie for tea.')).toEqual(['Raspberry Pi 0']);
});

test('a name that is a word as well counts where a neighbour tells, or a capital within a sentence does', () => {
  expect(brandsIn('An apple a day.', 'Apple trees were felled.', 'He bought the new iPhone from Apple.')).toEqual(['Apple 2']);
  expect(brandsIn('They left for Apple in the spring.')).toEqual(['Apple 0']);
  expect(brandsIn('President Ford spoke.', 'We met Gerald Ford there.', 'The car was a Ford.')).toEqual(['Ford 2']);
});

test('a film that means a brand often means it wherever its name begins a sentence', () => {
  expect(brandsIn('Apple is late.')).toEqual([]);
  expect(brandsIn('The iPhone by Apple sold.', 'A Mac from Apple did not.', 'Apple is late.')).toEqual(['Apple 0', 'Apple 1', 'Apple 2']);
});

test('where texts have no capitals a name counts if it means nothing else, or a neighbour tells', () => {
  expect(brandsIn('we took a hasselblad', 'an apple a day', 'the apple iphone')).toEqual(['Hasselblad 0', 'Apple 2']);
  const credit: Moment = { ...(said('HASSELBLAD AND APPLE')[0] as Moment), kind: 'Ocr' };
  expect(findBrands([...said('He spoke of Texas.'), credit], list).map(({ brand }) => brand)).toEqual(['Hasselblad']);
});

test('the list is read line by line: names, other ways to write them, words near them; remarks and empty lines say nothing', () => {
  expect(list.map(({ name, spellings, near }) => [name, spellings.length, near?.size])).toEqual([
    ['Coca-Cola', 2, undefined],
    ['Hasselblad', 1, undefined],
    ['Apple', 1, 2],
    ['Ford', 1, 2],
    ['Raspberry Pi', 1, undefined],
  ]);
});

test('the list that comes with the archive takes nobody’s first name for a brand', async () => {
  const shipped = parseBrandList(await readFile(join(import.meta.dirname, 'brand-list.txt'), 'utf8'));
  const written = (text: string): Moment => ({ ...(said(text)[0] as Moment), kind: 'Ocr' });
  expect(findBrands([written('Heinz Blatter, Heinz Wanner')], shipped)).toEqual([]);
  expect(findBrands([written('Heinz tomato ketchup')], shipped).map(({ brand }) => brand)).toEqual(['Heinz']);
});
