import { lineEndCode } from '../word-code.ts';

const timesBits = 6;
const timesMax = (1 << timesBits) - 1;
const slotsAtFirst = 1_024;
/** What a slot holds: the code of a word, one more than the number of its list, or 0 where the slot is free, and the latest entry of the list. */
const [codeAt, listAt, latestAt, slotLength] = [0, 1, 2, 4];

/** In which rows a word stands, and how often in each: rows in the order in which they came. */
export interface Posting {
  readonly length: number;
  row(n: number): number;
  times(n: number): number;
}

/** Of a word that no row holds. */
export const nowhere: Posting = { length: 0, row: () => 0, times: () => 0 };

/**
 * The rows of every word, by the words' codes: four bytes for each word of a row. Codes are hashes, so their lowest bits say
 * where to look; a word whose slot is taken stands in the next one that is free. All in few arrays: a hundred words come with
 * every row, and with a `Map` of lists each of them costs five ways to memory.
 */
export class CodePostings {
  #slots = new Int32Array(slotsAtFirst * slotLength);
  readonly #lists = new IntLists();

  /** Puts down the words of a row, by their codes; how many they are. Rows come with rising numbers. */
  add(row: number, codes: Int32Array): number {
    let words = 0;
    for (let n = 0; n < codes.length; n++) {
      const code = codes[n] ?? 0;
      if (code === lineEndCode) continue;
      this.#put(code, row);
      words++;
    }
    return words;
  }

  /** The rows that hold a word. */
  of(code: number): Posting {
    const list = (this.#slots[this.#slotOf(code) + listAt] ?? 0) - 1;
    if (list < 0) return nowhere;
    const entries = this.#lists.of(list);
    return {
      length: entries.length,
      row: (n) => (entries[n] ?? 0) >>> timesBits,
      times: (n) => (entries[n] ?? 0) & timesMax,
    };
  }

  #put(code: number, row: number): void {
    let slot = this.#slotOf(code);
    if (this.#slots[slot + listAt] === 0) {
      if (2 * slotLength * this.#lists.count >= this.#slots.length) {
        this.#makeRoom();
        slot = this.#slotOf(code);
      }
      this.#slots[slot + codeAt] = code;
      this.#slots[slot + listAt] = this.#lists.begin() + 1;
    }
    const list = (this.#slots[slot + listAt] ?? 0) - 1;
    const latest = this.#slots[slot + latestAt] ?? 0;
    const isRepeated = latest !== 0 && latest >>> timesBits === row;
    if (isRepeated && (latest & timesMax) === timesMax) return;
    const entry = isRepeated ? latest + 1 : (row << timesBits) | 1;
    if (isRepeated) this.#lists.setLast(list, entry);
    else this.#lists.add(list, entry);
    this.#slots[slot + latestAt] = entry;
  }

  /** Where the word stands, or the free slot where it belongs. */
  #slotOf(code: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (code * slotLength) & mask;
    while (slots[slot + listAt] !== 0 && slots[slot + codeAt] !== code) slot = (slot + slotLength) & mask;
    return slot;
  }

  #makeRoom(): void {
    const known = this.#slots;
    this.#slots = new Int32Array(known.length * 2);
    for (let slot = 0; slot < known.length; slot += slotLength) {
      if (known[slot + listAt] !== 0) this.#slots.set(known.subarray(slot, slot + slotLength), this.#slotOf(known[slot + codeAt] ?? 0));
    }
  }
}

const leastRoom = 2;

/** Lists of numbers of 32 bits that grow at their ends, beside each other in one array. */
class IntLists {
  #values = new Int32Array(65_536);
  #used = 0;
  /** Of each list: where it begins, and how long it is. Its room is the next power of two. */
  #starts = new Int32Array(1_024);
  #lengths = new Int32Array(1_024);
  /** Room that lists have left, by the logarithm of its size. */
  readonly #left: number[][] = Array.from({ length: 32 }, () => []);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Begins a list, by its number. */
  begin(): number {
    if (this.#count === this.#starts.length) {
      this.#starts = larger(this.#starts, this.#count * 2);
      this.#lengths = larger(this.#lengths, this.#count * 2);
    }
    this.#starts[this.#count] = this.#room(leastRoom);
    return this.#count++;
  }

  add(list: number, value: number): void {
    const length = this.#lengths[list] ?? 0;
    if (length >= leastRoom && (length & (length - 1)) === 0) this.#move(list, length);
    this.#values[(this.#starts[list] ?? 0) + length] = value;
    this.#lengths[list] = length + 1;
  }

  setLast(list: number, value: number): void {
    this.#values[(this.#starts[list] ?? 0) + (this.#lengths[list] ?? 0) - 1] = value;
  }

  /** The numbers of a list, until another one is added. */
  of(list: number): Int32Array {
    const start = this.#starts[list] ?? 0;
    return this.#values.subarray(start, start + (this.#lengths[list] ?? 0));
  }

  /** Gives a list that is full twice as much room. */
  #move(list: number, length: number): void {
    const [from, to] = [this.#starts[list] ?? 0, this.#room(2 * length)];
    this.#values.copyWithin(to, from, from + length);
    this.#left[Math.log2(length)]?.push(from);
    this.#starts[list] = to;
  }

  #room(size: number): number {
    const left = this.#left[Math.log2(size)]?.pop();
    if (left !== undefined) return left;
    const start = this.#used;
    this.#used += size;
    if (this.#used > this.#values.length) this.#values = larger(this.#values, Math.max(this.#used, this.#values.length * 2));
    return start;
  }
}

function larger(values: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(values);
  return copy;
}

/** The highest of many scores, so many of them. */
export class BestScores {
  /** From the lowest to the highest. */
  readonly #scores: Float64Array;

  constructor(limit: number) {
    this.#scores = new Float64Array(limit);
  }

  /** The lowest of them: 0 while there are not so many. */
  get least(): number {
    return this.#scores[0] ?? 0;
  }

  /** Takes a score, which is above 0; nearly all of many are refused at once. */
  offer(score: number): void {
    const scores = this.#scores;
    if (score <= this.least) return;
    let [low, high] = [1, scores.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((scores[middle] ?? 0) < score) low = middle + 1;
      else high = middle;
    }
    scores.copyWithin(0, 1, low);
    scores[low - 1] = score;
  }
}
