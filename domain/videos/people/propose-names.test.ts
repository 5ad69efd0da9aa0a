import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { sharedMedia } from '#testing/shared-media.ts';
import type { Layer, TextPlace } from '../../moments/layers.ts';
import type { Moment } from '../../moments/moment.ts';
import { nameIn, namesForFaces, ownNameIn } from './propose-names.ts';

test.each([
  ['KATHI WILLIAMS', 'Kathi Williams'],
  ['T.J. SIMERS', 'T.J. Simers'],
  ['Sen. JOHN McCAIN (R)', 'John McCain'],
  ['ROBERT MacNEIL', 'Robert MacNeil'],
  ["TERRY O'CONNELL", "Terry O'Connell"],
  ['MATHILDE KRIM, PH.D.', 'Mathilde Krim'],
  ['Charles van der Berg', 'Charles van der Berg'],
  ['ARNOLD MORGADO, JR.', 'Arnold Morgado Jr'],
  ['José Núñez-Ortega', 'José Núñez-Ortega'],
])('%s is a name', (line, name) => expect(nameIn(line)).toBe(name));

test.each([
  ['Denver Post'],
  ['UNIVERSITY OF DENVER'],
  ['Live from Honolulu'],
  ['Neil'],
  ['November 2010'],
  ['Apollo 15'],
  ['www.pbs.org'],
  ['the harbour lights came on'],
  ['HOW WE WORK'],
  ['Deputy Secretary of State'],
])('%s is none', (line) => expect(nameIn(line)).toBeUndefined());

test('somebody’s own name is what they say it is, and nothing that only follows the same words', () => {
  expect(ownNameIn('Good evening, I’m Hildegard Johnson, and this is the news.')).toBe('Hildegard Johnson');
  expect(ownNameIn('my name is Walter Brand and I was there')).toBe('Walter Brand');
  const none = ['I’m going home', 'I am Very happy', 'I’M REALLY SORRY', 'She said Walter Brand was there', 'I am from New York City'];
  expect(none.map(ownNameIn)).toEqual(none.map(() => undefined));
});

const face = (startMs: number, endMs: number) => ({ tracks: [{ startMs, endMs, places: [] }] });
const line = (text: string, startMs: number, kind: Moment['kind'] = 'Ocr'): Moment => ({
  kind,
  startMs,
  endMs: startMs + 3_000,
  text,
  source: 'machine' as const,
  confidencePercent: 90,
});
const at = (y: number): TextPlace => ({ x: 0.1, y, width: 0.4, height: 0.05 });
const written = (...lines: [text: string, startMs: number, y: number][]): Layer => ({
  name: 'text',
  moments: lines.map(([text, startMs]) => line(text, startMs)),
  places: lines.map(([, , y]) => at(y)),
});

test('a name in a lower third is proposed for the one face that is seen with it, once, and what stands below it is not', () => {
  const text = written(['KATHI WILLIAMS', 1_000, 0.74], ['GUIDE DOG USER', 1_000, 0.8], ['KATHI WILLIAMS', 9_000, 0.74]);
  expect(namesForFaces([text], [face(0, 12_000), face(20_000, 30_000)])).toEqual([
    { face: 0, name: 'Kathi Williams', by: 'lower-third', startMs: 1_000 },
  ]);
});

test('no name is proposed beside several faces or none, high in the picture, or among credits', () => {
  const third = written(['KATHI WILLIAMS', 1_000, 0.74]);
  expect(namesForFaces([third], [face(0, 5_000), face(3_500, 9_000)])).toEqual([]);
  expect(namesForFaces([third], [face(5_000, 9_000)])).toEqual([]);
  expect(namesForFaces([third], [face(3_500, 9_000)])).toEqual([]);
  expect(namesForFaces([written(['KATHI WILLIAMS', 1_000, 0.1])], [face(0, 5_000)])).toEqual([]);
  const credits = written(['Ann Archer', 1_000, 0.55], ['Bo Baker', 1_000, 0.61], ['Cy Cooper', 1_000, 0.89]);
  expect(namesForFaces([credits], [face(0, 5_000)])).toEqual([]);
});

test('a name that somebody gives as their own is proposed for the face that says it, unless it was heard roughly', () => {
  const said = line('Good evening, I’m Hildegard Johnson.', 2_000, 'Transcript');
  const proposed = [{ face: 0, name: 'Hildegard Johnson', by: 'speech', startMs: 2_000 }];
  expect(namesForFaces([{ name: 'captions', moments: [said] }], [face(0, 9_000)])).toEqual(proposed);
  expect(namesForFaces([{ name: 'captions', moments: [{ ...said, isRough: true }] }], [face(0, 9_000)])).toEqual([]);
});

const Broadcast = z.object({
  ocr: z.array(z.object({ start: z.number(), text: z.string() })),
  people: z.array(z.object({ name: z.string(), start: z.number() })),
});
const corpus = join(sharedMedia() ?? '', 'onscreen-open.jsonl.gz');

test.skipIf(!existsSync(corpus))(
  'of the names found in three thousand lower thirds of broadcasts nine in ten are right, and nine in ten are found',
  () => {
    const lines = gunzipSync(readFileSync(corpus)).toString().trim().split('\n');
    const counts = { right: 0, wrong: 0, missed: 0 };
    for (const { ocr, people } of lines.map((each) => Broadcast.parse(JSON.parse(each)))) {
      const everybody = people.map(({ name }) => bare(name));
      for (const { start, text } of ocr) {
        const told = people.filter((person) => Math.abs(person.start - start) < 0.5).map(({ name }) => bare(name));
        // What nobody told the truth of tells nothing; four hundred of these are names as well.
        if (told.length === 0) continue;
        const parts = text.split('|').map((part, n): [string, number, number] => [part.trim(), 0, 0.6 + n * 0.06]);
        const found = namesForFaces([written(...parts)], [face(0, 3_000)]).map(({ name }) => bare(name));
        for (const name of found) counts[told.includes(name) || everybody.includes(name) ? 'right' : 'wrong']++;
        if (!found.some((name) => told.includes(name))) counts.missed++;
      }
    }
    const { right, wrong, missed } = counts;
    expect(right / (right + wrong)).toBeGreaterThan(0.95);
    expect(right / (right + missed)).toBeGreaterThan(0.9);
  },
);

/** The letters of a name, without titles and degrees. */
function bare(name: string): string {
  return name
    .toLowerCase()
    .replace(
      /\b(?:sen|rep|cong|dr|gov|lt|col|maj|sgt|mrs?|ms|prof|rev|president|governor|senator|judge|jr|sr|phd|ph\.d|md|m\.d)\b\.?|\([a-z]\)/g,
      '',
    )
    .replace(/[^a-z]/g, '');
}
