const [offsetBasis, prime] = [0x811c9dc5, 0x01000193];
const [blank, lineEnd] = [32, 10];

/**
 * Counts, video by video, how many videos hold each word, for archives of hundreds of millions of words: a table with open
 * addressing over hashes (FNV-1a), in which a word is looked up where it stands in its text. A map would need it cut out first.
 */
export class TermCounts {
  readonly #terms: string[] = [];
  readonly #counts: number[] = [];
  /** The last video that held each term. */
  readonly #lastVideos: number[] = [];
  /** Numbers of terms, from 1; 0 is free. Its length is a power of two. */
  #slots = new Int32Array(1 << 16);
  #video = 0;

  /** Takes in the texts of one video: words parted by blanks and line ends. */
  addVideo(texts: Iterable<string>): void {
    this.#video++;
    for (const text of texts) this.#addText(text);
  }

  /** Every word with the number of videos that hold it. */
  counts(): Map<string, number> {
    return new Map(this.#terms.map((term, n) => [term, this.#counts[n] ?? 0]));
  }

  #addText(text: string): void {
    let [from, hash] = [0, offsetBasis];
    for (let at = 0; at <= text.length; at++) {
      const unit = at < text.length ? text.charCodeAt(at) : lineEnd;
      if (unit !== blank && unit !== lineEnd) {
        hash = Math.imul(hash ^ unit, prime);
        continue;
      }
      if (at > from) this.#count(text, { from, to: at, hash });
      [from, hash] = [at + 1, offsetBasis];
    }
  }

  #count(text: string, word: { from: number; to: number; hash: number }): void {
    const n = this.#numberOf(text, word);
    if (this.#lastVideos[n] === this.#video) return;
    this.#lastVideos[n] = this.#video;
    this.#counts[n] = (this.#counts[n] ?? 0) + 1;
  }

  #numberOf(text: string, { from, to, hash }: { from: number; to: number; hash: number }): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const n = (this.#slots[slot] ?? 0) - 1;
      if (n < 0) return this.#addTerm(text.slice(from, to), slot);
      const term = this.#terms[n] ?? '';
      if (term.length === to - from && text.startsWith(term, from)) return n;
    }
  }

  #addTerm(word: string, slot: number): number {
    // A copy: a word cut from a text would keep the whole text.
    const n = this.#terms.push(Buffer.from(word).toString()) - 1;
    this.#slots[slot] = n + 1;
    if (n * 2 > this.#slots.length) this.#grow();
    return n;
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 4);
    const mask = this.#slots.length - 1;
    for (const [n, term] of this.#terms.entries()) {
      let slot = hashOf(term) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = n + 1;
    }
  }
}

function hashOf(term: string): number {
  let hash = offsetBasis;
  for (let n = 0; n < term.length; n++) hash = Math.imul(hash ^ term.charCodeAt(n), prime);
  return hash;
}
