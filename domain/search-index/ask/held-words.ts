import type { Table } from '@lancedb/lancedb';
import { SearchTimeSlice } from '../../scheduling/search-time-slice.ts';
import { lineEndCode, wordCode, wordCodesOf } from '../word-code.ts';
import type { IndexQuestion } from './index-question.ts';

/** A bit for each word, by a part of its code: 1 MB, in which the words of 100,000 heads take one in thirty. */
const bits = 1 << 23;

/**
 * The words that a table may hold. Half of all questions ask heads for words that no head has, and LanceDB works for an answer in vain, too.
 * Later versions of a table only lose rows until it is joined with the recent one, so that what it may hold stays true as long.
 */
export class HeldWords {
  #held: Uint8Array | undefined;
  #isReading = false;

  /** What of a question a table may answer; all of it until its words are read, which nobody waits for. */
  heldOf(table: Table, question: IndexQuestion): IndexQuestion {
    const held = this.#held;
    if (!held) {
      if (!this.#isReading) void this.#read(table);
      return question;
    }
    const mayHold = (word: string) => ((held[byteOf(wordCode(word))] ?? 0) & bitOf(wordCode(word))) !== 0;
    const { words, others, phrases } = question;
    return {
      ...question,
      ...{ words: words.filter(mayHold), others: others.filter(mayHold), phrases: phrases.filter((phrase) => phrase.every(mayHold)) },
    };
  }

  async #read(table: Table): Promise<void> {
    this.#isReading = true;
    try {
      const held = new Uint8Array(bits >>> 3);
      const slice = new SearchTimeSlice();
      for await (const rows of table.query().select(['text'])) {
        const texts = rows.getChild('text');
        for (let n = 0; n < rows.numRows; n++) {
          for (const code of wordCodesOf(String(texts?.get(n))))
            if (code !== lineEndCode) held[byteOf(code)] = (held[byteOf(code)] ?? 0) | bitOf(code);
          if (slice.isOver) await slice.next();
        }
      }
      this.#held = held;
    } catch {
      // Its table was closed meanwhile, or cannot be read, which the question itself hears of: the next one tries again.
    } finally {
      this.#isReading = false;
    }
  }
}

function byteOf(code: number): number {
  return (code & (bits - 1)) >>> 3;
}

function bitOf(code: number): number {
  return 1 << (code & 7);
}
