import { join } from 'node:path';
import type { Moment } from '#domain/moments/moment.ts';
import { packMoments } from '#domain/moments/packed-moments.ts';
import { rowsOf, type StoredRow, type VideoRows } from '#domain/search-index/index-row.ts';
import { timesMax } from '#domain/search-index/postings/part-file.ts';
import { RowWordsWriter } from '#domain/search-index/write-row-words.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

/** The rows of a film with their words, as they stand in the file of words. */
export interface MadeFilm {
  readonly id: string;
  readonly head: StoredRow;
  readonly passages: readonly StoredRow[];
}

/** The n-th film in hexadecimal digits. */
export function madeFilmId(n: number): string {
  return n.toString(16).padStart(10, '0');
}

/**
 * Writes the rows of films that say `word0` to `word59`, the first of them most often, into `row-words.bin` of a folder. A film is made
 * `n` seconds after 1970, and published half a second later. `lengthen` makes lines of some films longer.
 */
export async function writeMadeFilms(
  folder: string,
  films: readonly number[],
  { seed = 7, lengthen = () => 1 }: { seed?: number; lengthen?: (n: number) => number } = {},
): Promise<MadeFilm[]> {
  const random = seededRandom(seed);
  const words = await RowWordsWriter.open(join(folder, 'row-words.bin'), { bytes: 0, rows: 0 });
  const made = films.map((n) => {
    const { head, passages } = words.add(madeFilm(n, random, lengthen(n)));
    return { id: madeFilmId(n), head, passages };
  });
  await words.flush();
  await words.close();
  return made;
}

function madeFilm(n: number, random: SeededRandom, times: number): VideoRows {
  const line = () => Array.from({ length: (3 + random.below(9)) * times }, () => `word${Math.floor(random.next() ** 2 * 60)}`).join(' ');
  const moments = (['Transcript', 'Ocr'] as const).flatMap((kind) =>
    [1, 2, 3].map((startMs): Moment => ({ kind, startMs, endMs: 9, text: line(), source: 'catalogue', confidencePercent: 100 })),
  );
  return rowsOf({
    id: madeFilmId(n),
    revision: 1,
    isPlayable: false,
    name: line(),
    description: null,
    place: null,
    recordedAt: null,
    owner: null,
    language: 'de',
    people: [],
    brands: [],
    labels: [],
    createdAt: new Date(n * 1_000),
    publishedAt: new Date(n * 1_000 + 500),
    body: packMoments(moments).body,
  });
}

/** Every row that answers, going through all `rows` and all words of them: what it comes to by BM25, by its offset. Rows that are not allowed count for how rare a word is. */
export function findPlainly(
  rows: readonly StoredRow[],
  words: readonly string[],
  isAllowed: (row: StoredRow) => boolean = () => true,
): Map<number, number> {
  const texts = rows.map(({ text }) => text.split(/[ \n]/).filter((word) => word !== ''));
  const meanLength = texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length);
  const found = new Map<number, number>();
  for (const word of new Set(words)) {
    const holding = texts.filter((text) => text.includes(word)).length;
    const weight = Math.log(1 + (rows.length - holding + 0.5) / (holding + 0.5));
    for (const [n, row] of rows.entries()) {
      const text = texts[n] ?? [];
      const times = Math.min(text.filter((one) => one === word).length, timesMax);
      if (times === 0 || !isAllowed(row)) continue;
      const share = (times * 2.2) / (times + 1.2 * (0.25 + (0.75 * text.length) / meanLength));
      found.set(row.offset, (found.get(row.offset) ?? 0) + weight * share);
    }
  }
  return found;
}

/** Every row in which these words stand one after the other, by its offset, in order. */
export function findRunPlainly(rows: readonly StoredRow[], words: readonly string[]): number[] {
  const run = ` ${words.join(' ')} `;
  return rows.filter(({ text }) => ` ${text.replaceAll('\n', ' ').replaceAll(/ +/g, ' ')} `.includes(run)).map(({ offset }) => offset);
}
