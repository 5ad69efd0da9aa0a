import type { WordInText } from './word-code.ts';

const entryLength = 4;
const hashesPerWord = 2;
const heardLength = 1 << 12;

/**
 * Counts, video by video, how many videos hold each word, for archives of hundreds of millions of words: a table with open
 * addressing. A word is known by its length and two hashes of 32 bits, without being cut out of its text again.
 */
export class TermCounts {
  readonly #terms: string[] = [];
  readonly #counts: number[] = [];
  /** Of each term its two hashes, its length and the last video that held it, side by side: one access to memory finds all. */
  #entries = new Int32Array(1 << 16);
  /** Numbers of terms, from 1; 0 is free. Its length is a power of two. */
  #slots = new Int32Array(1 << 16);
  /** Hashes that this video was heard to hold, by their last bits: most words of a video come again. */
  readonly #heard = new Int32Array(heardLength * hashesPerWord);
  #video = 0;

  /** What is added from now on belongs to the next video. */
  nextVideo(): void {
    this.#video++;
    this.#heard.fill(0);
  }

  add(word: Readonly<WordInText>): void {
    const [hash, otherHash] = [word.hash | 0, word.otherHash | 0];
    const heard = (hash & (heardLength - 1)) * hashesPerWord;
    if (this.#heard[heard] === hash && this.#heard[heard + 1] === otherHash) return;
    this.#heard[heard] = hash;
    this.#heard[heard + 1] = otherHash;
    const n = this.#numberOf(word, hash, otherHash);
    const lastVideo = n * entryLength + 3;
    if (this.#entries[lastVideo] === this.#video) return;
    this.#entries[lastVideo] = this.#video;
    this.#counts[n] = (this.#counts[n] ?? 0) + 1;
  }

  /** Every word with the number of videos that hold it. */
  counts(): Map<string, number> {
    return new Map(this.#terms.map((term, n) => [term, this.#counts[n] ?? 0]));
  }

  #numberOf({ text, from, to }: Readonly<WordInText>, hash: number, otherHash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const n = (this.#slots[slot] ?? 0) - 1;
      if (n < 0) return this.#addTerm(text.slice(from, to), { slot, hash, otherHash });
      const at = n * entryLength;
      if (this.#entries[at] === hash && this.#entries[at + 1] === otherHash && this.#entries[at + 2] === to - from) return n;
    }
  }

  #addTerm(word: string, { slot, hash, otherHash }: { slot: number; hash: number; otherHash: number }): number {
    // A copy: a word cut from a text would keep the whole text.
    const n = this.#terms.push(Buffer.from(word).toString()) - 1;
    if ((n + 1) * entryLength > this.#entries.length) {
      const larger = new Int32Array(this.#entries.length * 2);
      larger.set(this.#entries);
      this.#entries = larger;
    }
    this.#entries.set([hash, otherHash, word.length, 0], n * entryLength);
    this.#slots[slot] = n + 1;
    if (n * 2 > this.#slots.length) this.#grow();
    return n;
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 4);
    const mask = this.#slots.length - 1;
    for (let n = 0; n < this.#terms.length; n++) {
      let slot = (this.#entries[n * entryLength] ?? 0) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = n + 1;
    }
  }
}
