import type { Table } from '@lancedb/lancedb';
import { SearchTimeSlice } from '../../scheduling/search-time-slice.ts';
import type { RowWords, RowWordsReader } from '../read-row-words.ts';
import { holdsRun } from '../word-code.ts';
import type { FoundRow } from './found-row.ts';
import type { IndexQuestion } from './index-question.ts';
import { conditionTest } from './row-condition.ts';
import { WeighedRows } from './weighed-rows.ts';

const fragmentedRowsMin = 10_000;

interface RecentRow extends RowWords {
  readonly offset: number;
  readonly createdMs: number;
  readonly publishedMs: number;
}

/**
 * The rows of a recent table, in memory: they are few, change with every batch, and asking a table costs as much for ten rows
 * as for a million. They are found by the codes of their words.
 */
export class RecentRows {
  readonly #rows: (RecentRow | undefined)[] = [];
  readonly #numbers = new Map<number, number>();
  /** Where the latest row of each video stands. */
  readonly #latest = new Map<string, number>();
  readonly #weighed = new WeighedRows();

  /** Takes in the rows of a later version of the table, and lets those go that are no longer there. */
  async follow(table: Table, reader: Pick<RowWordsReader, 'ahead'>): Promise<void> {
    const read = reader.ahead();
    const found = await table.query().select(['offset', 'createdMs', 'publishedMs']).toArrow();
    const [offsets, created, published] = ['offset', 'createdMs', 'publishedMs'].map((name) => found.getChild(name)?.toArray());
    const isThere = new Uint8Array(this.#rows.length);
    const { numRows } = found;
    const slice = new SearchTimeSlice();
    for (let n = 0; n < numRows; n++) {
      const offset = Number(offsets?.[n]);
      const number = this.#numbers.get(offset);
      if (number === undefined)
        this.#add({ ...read(offset), offset, createdMs: Number(created?.[n]), publishedMs: Number(published?.[n]) });
      else isThere[number] = 1;
      if (slice.isOver) await slice.next();
    }
    for (const [number, is] of isThere.entries()) if (is === 0) this.#remove(number);
  }

  /** The rows that answer a question, best first: its `limit` by the words, and by each of the phrases. */
  find(question: IndexQuestion): FoundRow[] {
    const meets = conditionTest(question.only ?? {});
    const rowOf = (number: number) => this.#rows[number];
    const found = this.#weighed.find(question, {
      mayAnswer: (number) => {
        const row = rowOf(number);
        return row !== undefined && meets(row);
      },
      holdsRun: (number, codes) => holdsRun(rowOf(number)?.words ?? noWords, codes),
    });
    return found.flatMap(({ number, score }) => {
      const row = rowOf(number);
      if (!row) return [];
      const { video, kind, language, isPlayable, words, offset } = row;
      return { video, kind, language, isPlayable, words, offset, score };
    });
  }

  /** Where the latest row of a video stands, in bytes; undefined when it has none. */
  offsetOf(video: string): number | undefined {
    return this.#latest.get(video);
  }

  /** Whether most of what is kept are rows that are gone. */
  get isFragmented(): boolean {
    return this.#rows.length > 2 * this.#numbers.size + fragmentedRowsMin;
  }

  #add(row: RecentRow): void {
    const number = this.#weighed.add(row.words);
    this.#rows.push(row);
    this.#numbers.set(row.offset, number);
    this.#latest.set(row.video, row.offset);
  }

  #remove(number: number): void {
    const row = this.#rows[number];
    if (!row) return;
    this.#weighed.remove(number);
    this.#rows[number] = undefined;
    this.#numbers.delete(row.offset);
    // Its successor came before it went.
    if (this.#latest.get(row.video) === row.offset) this.#latest.delete(row.video);
  }
}

const noWords = new Int32Array(0);
