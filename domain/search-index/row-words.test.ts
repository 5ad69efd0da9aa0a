import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Moment } from '../moments/moment.ts';
import { packMoments } from '../moments/packed-moments.ts';
import { toLanguageNumber } from '../words/languages/languages.ts';
import { codeFilmText } from './films/film-codes.ts';
import { readFilmText } from './films/film-text.ts';
import { descriptionsOf } from './head-lines.ts';
import { rowsOf, type VideoToIndex } from './index-row.ts';
import { RowWordsReader } from './read-row-words.ts';
import { dropMarks, toWordCode, wordCodesOf } from './word-code.ts';
import { RowWordsWriter } from './write-row-words.ts';

const nothing = { bytes: 0, rows: 0 };

function filmOf(id: string, lines: readonly Pick<Moment, 'kind' | 'text' | 'speaker'>[]): VideoToIndex {
  const moments = lines.map((line, n): Moment => {
    return { ...line, source: 'sidecar', startMs: n * 1_000, endMs: n * 1_000 + 900, confidencePercent: 100 };
  });
  const facts = {
    name: 'A film',
    isPlayable: true,
    language: 'de-AT',
    description: null,
    place: null,
    recordedAt: null,
    owner: null,
    people: ['Ada'],
    brands: [],
    labels: ['harbour'],
  };
  return { ...facts, id, revision: 1, createdAt: new Date(0), publishedAt: null, body: packMoments(moments).body };
}

const speech = (count: number) => Array.from({ length: count }, (_, n) => ({ kind: 'Transcript' as const, text: `Word ${n} of a talk.` }));

const named = (['Face', 'Annotations', 'Brand'] as const).map((kind) => ({ kind, text: `Zoë of ${kind}` }));

const films: [string, VideoToIndex][] = [
  ['nothing but a head', filmOf('0000000001', [])],
  ['one line', filmOf('00000abcde', speech(1))],
  ['a whole passage', filmOf('ffffffffff', speech(10))],
  ['passages that share lines', filmOf('0123456789', speech(77))],
  [
    'the same line over and over',
    filmOf(
      '0123456789',
      speech(77).map((line) => ({ ...line, text: 'Again.' })),
    ),
  ],
  [
    'what was said and written in turns',
    filmOf(
      '00000fffff',
      speech(60).map((line, n) => ({ ...line, kind: n % 2 ? 'Ocr' : 'Transcript' })),
    ),
  ],
  [
    'long silences',
    filmOf(
      'fffff00000',
      speech(60).map((line, n) => ({ ...line, text: n > 5 && n < 40 ? '…' : line.text })),
    ),
  ],
  [
    'lines of thousands of words',
    filmOf(
      '0123456789',
      speech(30).map((line) => ({ ...line, text: line.text.repeat(700) })),
    ),
  ],
  [
    'hundreds of lines without a word, and one with',
    filmOf(
      '0123456789',
      speech(300).map((line, n) => ({ ...line, text: n === 204 ? 'At last!' : '♪' })),
    ),
  ],
  [
    'nothing but lines without a word',
    filmOf(
      '0123456789',
      speech(25).map((line) => ({ ...line, text: '' })),
    ),
  ],
  [
    'people, labels and brands among its lines, again and again',
    filmOf(
      '0123456789',
      speech(40).flatMap((line) => [line, ...named]),
    ),
  ],
  [
    'speakers, some of them written in several ways',
    filmOf(
      '0123456789',
      speech(50).map((line, n) => ({ ...line, speaker: ['Ada', 'ADA', 'Ada Łovelace', '♪', undefined][n % 5] })),
    ),
  ],
  [
    'rough speech among its lines, and people who speak it',
    filmOf(
      '0123456789',
      speech(50).map((line, n) => (n % 3 > 0 ? { ...line, isRough: true, speaker: 'Ada' } : line)),
    ),
  ],
  ['nothing but names', filmOf('0123456789', named)],
  [
    'letters of many scripts',
    filmOf(
      '0123456789',
      speech(30).map((line, n) => ({ ...line, text: `Ünïcode ${n} 東京 مرحبا` })),
    ),
  ],
];

test.each(films)('a film with %s: every row reads as it was written', async (_, film) => {
  await withFile(async (path) => {
    const writer = await RowWordsWriter.open(path, nothing);
    const rows = rowsOf(film);
    const { head, passages } = writer.add(rows);
    await writer.flush();
    await writer.close();
    const reader = new RowWordsReader(path);
    for (const row of [head, ...passages]) {
      const { words, ...read } = reader.read(row.offset);
      expect(read).toEqual({ video: film.id, kind: row.kind, language: toLanguageNumber('de'), isPlayable: true });
      expect([...words]).toEqual([...wordCodesOf(row.text)]);
    }
    expect([head, ...passages]).toHaveLength(rows.passages.length + 1);
    reader.close();
  });
});

test.each(films)('a film with %s: its record says what its packed row says', async (_, film) => {
  await withFile(async (path) => {
    const writer = await RowWordsWriter.open(path, nothing);
    writer.add(rowsOf(filmOf('0000000001', speech(20))));
    const { head } = writer.add(rowsOf({ ...film, revision: 2 ** 40 + 7 }));
    writer.add(rowsOf(filmOf('0000000002', named)));
    await writer.flush();
    await writer.close();
    const reader = new RowWordsReader(path);
    const { revision, ...recorded } = reader.readFilm(head.offset);
    expect([revision, recorded.language]).toEqual([2 ** 40 + 7, toLanguageNumber('de')]);
    expect(readable(recorded)).toEqual(readable(codeFilmText(readFilmText(film.body))));
    const { starts } = recorded.lineOffsets();
    const lines = film.body === '' ? [] : film.body.split('\n');
    expect(lines.map((_line, n) => Buffer.from(film.body).toString('utf8', starts[n], (starts[n + 1] ?? 0) - 1))).toEqual(lines);
    reader.close();
  });
});

/** The same without what only tells where rows begin. */
function readable({ lines, names, lineOffsets }: ReturnType<typeof codeFilmText>) {
  const codesOf = (codes: Int32Array) => [...dropMarks(codes)];
  const coded = names.map(({ codes, ...name }) => ({ ...name, codes: codesOf(codes) }));
  return {
    spoken: codesOf(lines.Transcript),
    written: codesOf(lines.Ocr),
    rough: codesOf(lines.Rough),
    names: coded,
    lineOffsets: lineOffsets(),
  };
}

test('rows come behind those that count, whatever a killed writer left there', async () => {
  await withFile(async (path) => {
    const [first, killed, last] = ['0000000001', '0000000002', '0000000003'].map((id) => rowsOf(filmOf(id, speech(20))));
    if (!first || !killed || !last) throw new Error('no films');
    const writer = await RowWordsWriter.open(path, nothing);
    const stored = writer.add(first);
    const counts = await writer.flush();
    writer.add(killed);
    await writer.flush();
    await writer.close();
    const next = await RowWordsWriter.open(path, counts);
    const added = next.add(last);
    expect((await next.flush()).rows).toBe(first.passages.length + last.passages.length);
    await next.close();
    const reader = new RowWordsReader(path);
    const videos = [stored.head, ...stored.passages, added.head, ...added.passages].map(({ offset }) => reader.read(offset).video);
    expect([...new Set(videos)]).toEqual(['0000000001', '0000000003']);
    reader.close();
  });
});

test('a offset where no row begins is refused', async () => {
  await withFile(async (path) => {
    const writer = await RowWordsWriter.open(path, nothing);
    writer.add(rowsOf(filmOf('0000000001', speech(20))));
    const { bytes } = await writer.flush();
    await writer.close();
    const reader = new RowWordsReader(path);
    for (const offset of [4, 7, bytes, bytes * 2]) {
      expect(() => reader.read(offset)).toThrow('No row of the index');
      expect(() => reader.readFilm(offset)).toThrow('No row of the index');
    }
    reader.close();
    expect(() => reader.read(0)).toThrow('closed');
  });
});

test('a word has the same code alone and in a line', () => {
  expect([...wordCodesOf('to be\nor not')]).toEqual([toWordCode('to'), toWordCode('be'), 0, toWordCode('or'), toWordCode('not'), 0]);
});

async function withFile(work: (path: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'row-words-'));
  await work(join(folder, 'row-words.bin')).finally(() => rmSync(folder, { recursive: true }));
}

test('a film is found by every year in which it was recorded, and by no other number', () => {
  const of = (recordedAt: string | null) => descriptionsOf({ description: null, place: 'Norvik', recordedAt });
  expect(of('1965–1968')).toEqual(['Norvik', '1965', '1968']);
  expect(of('2024-10-18')).toEqual(['Norvik', '2024']);
  expect(of('Reel 20451')).toEqual(['Norvik']);
  expect(of(null)).toEqual(['Norvik']);
});
