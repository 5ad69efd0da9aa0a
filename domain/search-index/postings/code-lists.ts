const leastRoom = 4;

/** Lists of numbers that grow at their ends, beside each other in one array. */
export class NumberLists<Numbers extends Int32Array | Uint8Array> {
  readonly #make: (length: number) => Numbers;
  #values: Numbers;
  #used = 0;
  /** Of each list: where it begins, and how long it is. Its room is the next power of two. */
  #starts = new Int32Array(1_024);
  #lengths = new Int32Array(1_024);
  /** Room that lists have left, by the logarithm of its size. */
  readonly #left: number[][] = Array.from({ length: 32 }, () => []);
  #count = 0;

  /** `make` makes an array of so many numbers. */
  constructor(make: (length: number) => Numbers) {
    this.#make = make;
    this.#values = make(65_536);
  }

  get count(): number {
    return this.#count;
  }

  /** Begins a list; they are numbered one after the other. */
  begin(): void {
    if (this.#count === this.#starts.length) {
      this.#starts = growInts(this.#starts);
      this.#lengths = growInts(this.#lengths);
    }
    this.#starts[this.#count++] = this.#room(leastRoom);
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

  /** Where the numbers of a list stand among all, until another one is added. */
  range(list: number): { values: Numbers; from: number; to: number } {
    const from = this.#starts[list] ?? 0;
    return { values: this.#values, from, to: from + (this.#lengths[list] ?? 0) };
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
    if (this.#used > this.#values.length) {
      const values = this.#make(Math.max(this.#used, this.#values.length * 2));
      values.set(this.#values);
      this.#values = values;
    }
    return start;
  }
}

/** The same numbers with room for as many more behind them. */
export function growInts(values: Int32Array): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(values.length * 2);
  copy.set(values);
  return copy;
}

const slotsAtFirst = 1_024;
/** What a slot holds: the code of a word, and one more than its number, or 0 where the slot is free. */
const slotLength = 2;

/**
 * Numbers the codes of words, from 0 on. Codes are hashes, so their lowest bits say where to look; one whose slot is taken stands in the
 * next slot that is free. All in one array: a hundred words come with every row, and in a `Map` each of them costs several ways to memory.
 */
export class CodeTable {
  #slots = new Int32Array(slotsAtFirst * slotLength);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The number of a code; -1 where it has none. */
  numberOf(code: number): number {
    return (this.#slots[this.#slotOf(code) + 1] ?? 0) - 1;
  }

  /** The number of a code, which it gets where it has none. */
  numberFor(code: number): number {
    const slot = this.#slotOf(code);
    const known = (this.#slots[slot + 1] ?? 0) - 1;
    return known >= 0 ? known : this.#add(code, slot);
  }

  /** All codes, rising. */
  codes(): Int32Array {
    const codes = new Int32Array(this.#count);
    let found = 0;
    for (let slot = 0; slot < this.#slots.length; slot += slotLength)
      if (this.#slots[slot + 1] !== 0) codes[found++] = this.#slots[slot] ?? 0;
    return codes.sort();
  }

  #add(code: number, free: number): number {
    let slot = free;
    if (2 * slotLength * this.#count >= this.#slots.length) {
      this.#makeRoom();
      slot = this.#slotOf(code);
    }
    this.#slots[slot] = code;
    this.#slots[slot + 1] = this.#count + 1;
    return this.#count++;
  }

  /** Where a code stands, or the free slot where it belongs. */
  #slotOf(code: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (code * slotLength) & mask;
    while (slots[slot + 1] !== 0 && slots[slot] !== code) slot = (slot + slotLength) & mask;
    return slot;
  }

  #makeRoom(): void {
    const known = this.#slots;
    this.#slots = new Int32Array(known.length * 2);
    for (let slot = 0; slot < known.length; slot += slotLength)
      if (known[slot + 1] !== 0) this.#slots.set(known.subarray(slot, slot + slotLength), this.#slotOf(known[slot] ?? 0));
  }
}
