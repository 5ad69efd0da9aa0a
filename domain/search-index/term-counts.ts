import type { WordInText } from './word-code.ts';

/**
 * Counts, video by video, how many videos hold each word, for archives of hundreds of millions of words: a table with open
 * addressing. A word is known by its length and two hashes of 32 bits, without being cut out of its text again.
 */
export class TermCounts {
  readonly #terms: string[] = [];
  readonly #counts: number[] = [];
  /** The last video that held each term. */
  readonly #lastVideos: number[] = [];
  readonly #hashes: number[] = [];
  readonly #others: number[] = [];
  /** Numbers of terms, from 1; 0 is free. Its length is a power of two. */
  #slots = new Int32Array(1 << 16);
  #video = 0;

  /** What is added from now on belongs to the next video. */
  nextVideo(): void {
    this.#video++;
  }

  add(word: Readonly<WordInText>): void {
    const n = this.#numberOf(word);
    if (this.#lastVideos[n] === this.#video) return;
    this.#lastVideos[n] = this.#video;
    this.#counts[n] = (this.#counts[n] ?? 0) + 1;
  }

  /** Every word with the number of videos that hold it. */
  counts(): Map<string, number> {
    return new Map(this.#terms.map((term, n) => [term, this.#counts[n] ?? 0]));
  }

  #numberOf({ text, from, to, hash, otherHash }: Readonly<WordInText>): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const n = (this.#slots[slot] ?? 0) - 1;
      if (n < 0) return this.#addTerm(text.slice(from, to), { slot, hash, otherHash });
      if (this.#hashes[n] === hash && this.#others[n] === otherHash && this.#terms[n]?.length === to - from) return n;
    }
  }

  #addTerm(word: string, { slot, hash, otherHash }: { slot: number; hash: number; otherHash: number }): number {
    // A copy: a word cut from a text would keep the whole text.
    const n = this.#terms.push(Buffer.from(word).toString()) - 1;
    this.#hashes.push(hash);
    this.#others.push(otherHash);
    this.#slots[slot] = n + 1;
    if (n * 2 > this.#slots.length) this.#grow();
    return n;
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 4);
    const mask = this.#slots.length - 1;
    for (const [n, hash] of this.#hashes.entries()) {
      let slot = hash & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = n + 1;
    }
  }
}
