const leastRoom = 2;

/** Lists of numbers of 32 bits that grow at their ends, beside each other in one array. */
export class IntLists {
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

  /** Begins a list and tells its number. */
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
