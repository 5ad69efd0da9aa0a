/** Words letter by letter: what near ones are compared in. */
export interface LetterIndex {
  readonly letters: Uint16Array;
  /** Where each word begins among the letters; one more tells the end. */
  readonly starts: Uint32Array;
}

const distanceMax = 255;

/** Indexes words that stand one after the other in `text`. */
export function indexLetters({ text, starts }: { text: string; starts: Uint32Array }): LetterIndex {
  const letters = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) letters[at] = text.charCodeAt(at);
  return { letters, starts };
}

/** Those of some words of an index, by their numbers, that are at most `edits` away from `word`, itself not among them; a swap of neighbours is one edit. */
export function listNearTerms(
  { letters, starts }: LetterIndex,
  { word, edits, among }: { word: Uint16Array; edits: number; among: Iterable<number> },
): { at: number; edits: number }[] {
  const table = new DistanceTable(letters, word, edits);
  const found: { at: number; edits: number }[] = [];
  for (const at of among) {
    const from = starts[at] ?? 0;
    const distance = table.distanceOf(from, (starts[at + 1] ?? 0) - from);
    if (distance > 0 && distance <= edits) found.push({ at, edits: distance });
  }
  return found;
}

/** How many letters two words differ by; a swap of neighbours is one. */
export function editsBetween(a: Uint16Array, b: Uint16Array): number {
  return new DistanceTable(a, b, Math.max(a.length, b.length)).distanceOf(0, a.length);
}

/** A word letter by letter, as indexes hold them. */
export function lettersOf(word: string): Uint16Array {
  return Uint16Array.from({ length: word.length }, (_, n) => word.charCodeAt(n));
}

/** Distances between the beginnings of `word` and those of a term: a row per letter of the term, of which only the middle matters. */
class DistanceTable {
  readonly #letters: Uint16Array;
  readonly #word: Uint16Array;
  readonly #edits: number;
  readonly #width: number;
  readonly #rows: Uint8Array;

  constructor(letters: Uint16Array, word: Uint16Array, edits: number) {
    this.#letters = letters;
    this.#word = word;
    this.#edits = edits;
    this.#width = word.length + 2;
    // No row beyond this one is filled: a term that is so much longer is too far.
    this.#rows = new Uint8Array((word.length + edits + 2) * this.#width).map((_, n) => Math.min(n, distanceMax));
  }

  /** Distance of the word from the term of `length` letters at `from`; more than the edits that count when it is too far. */
  distanceOf(from: number, length: number): number {
    const { length: wanted } = this.#word;
    if (Math.abs(length - wanted) > this.#edits) return distanceMax;
    for (let depth = 1; depth <= length; depth++) if (this.#fillRow(from, depth) > this.#edits) return distanceMax;
    return this.#rows[length * this.#width + wanted] ?? distanceMax;
  }

  /** Fills the row of the first `depth` letters of the term at `from` out of the rows above it, and returns the least distance in it. */
  #fillRow(from: number, depth: number): number {
    const [letters, word, rows, width, edits] = [this.#letters, this.#word, this.#rows, this.#width, this.#edits];
    const [here, above] = [depth * width, (depth - 1) * width];
    const letter = letters[from + depth - 1];
    const letterBefore = depth > 1 ? letters[from + depth - 2] : -1;
    const first = Math.max(1, depth - edits);
    const last = Math.min(word.length, depth + edits);
    // What lies outside of the middle is too far in any case.
    rows[here + first - 1] = first === 1 ? depth : edits + 1;
    rows[here + last + 1] = edits + 1;
    let least = first === 1 ? depth : edits + 1;
    for (let n = first; n <= last; n++) {
      const same = word[n - 1] === letter;
      let distance = Math.min((rows[here + n - 1] ?? 0) + 1, (rows[above + n] ?? 0) + 1, (rows[above + n - 1] ?? 0) + (same ? 0 : 1));
      const swapped = n > 1 && letter === word[n - 2] && letterBefore === word[n - 1];
      if (swapped) distance = Math.min(distance, (rows[above - width + n - 2] ?? 0) + 1);
      rows[here + n] = distance;
      if (distance < least) least = distance;
    }
    return least;
  }
}
