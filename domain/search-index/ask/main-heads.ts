import type { Table } from '@lancedb/lancedb';
import { SearchTimeSlice } from '../../scheduling/search-time-slice.ts';
import type { RowWordsReader } from '../read-row-words.ts';
import { holdsRun, wordCodesOf } from '../word-code.ts';
import type { StoredScore } from './found-row.ts';
import type { IndexQuestion } from './index-question.ts';
import { conditionSql } from './row-condition.ts';
import { type RowTests, WeighedRows } from './weighed-rows.ts';

/**
 * The heads of the main table, found in memory by the codes of their words: four bytes a word. There is one for each film, and to ask
 * LanceDB takes a millisecond of a processor, also where no head holds any of the words.
 */
export class MainHeads {
  #rows = new WeighedRows();
  /** Where the words of each row stand, in bytes, by the numbers of rows; NaN where the row is gone. */
  #offsets: number[] = [];
  /** The version of the table that these are the rows of. */
  #version: Table | undefined;
  #isReading = false;

  /**
   * The rows that answer a question, as `RecentRows` finds them; undefined where the table has to be asked: until its rows are read, which
   * nobody waits for, and for rows of a time or of some films alone.
   */
  find(table: Table, question: IndexQuestion, words: Pick<RowWordsReader, 'read'>): StoredScore[] | undefined {
    if (this.#version !== table) {
      if (!this.#isReading) void this.#follow(table);
      return undefined;
    }
    if (question.only && conditionSql(question.only)) return undefined;
    const offsetOf = (number: number) => this.#offsets[number] ?? Number.NaN;
    const tests: RowTests = {
      mayAnswer: (number: number) => !Number.isNaN(offsetOf(number)),
      holdsRun: (number: number, codes: readonly number[]) =>
        tests.mayAnswer(number) && holdsRun(words.read(offsetOf(number)).words, codes),
    };
    return this.#rows.find(question, tests).map(({ number, score }) => ({ offset: offsetOf(number), score }));
  }

  /** Reads the rows of a table; of a later version, which only lost some, which of them are left. */
  async #follow(table: Table): Promise<void> {
    this.#isReading = true;
    try {
      if (this.#offsets.length === 0) await this.#read(table);
      else await this.#leaveOut(table);
      this.#version = table;
    } catch {
      // It was closed meanwhile, or cannot be read, which the question itself hears of: the next one tries again.
    } finally {
      this.#isReading = false;
    }
  }

  async #read(table: Table): Promise<void> {
    const slice = new SearchTimeSlice();
    const weighed = new WeighedRows();
    const stored: number[] = [];
    for await (const rows of table.query().select(['text', 'offset'])) {
      const [texts, offsets] = [rows.getChild('text'), rows.getChild('offset')];
      for (let n = 0; n < rows.numRows; n++) {
        weighed.add(wordCodesOf(String(texts?.get(n))));
        stored.push(Number(offsets?.get(n)));
        if (slice.isOver) await slice.next();
      }
    }
    this.#rows = weighed;
    this.#offsets = stored;
  }

  async #leaveOut(table: Table): Promise<void> {
    const found = await table.query().select(['offset']).toArrow();
    const left = new Set(Array.from(found.getChild('offset')?.toArray() ?? [], Number));
    for (const [number, offset] of this.#offsets.entries()) {
      if (Number.isNaN(offset) || left.has(offset)) continue;
      this.#rows.remove(number);
      this.#offsets[number] = Number.NaN;
    }
  }
}
