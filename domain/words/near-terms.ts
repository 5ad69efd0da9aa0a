/** Words in order, letter by letter: what a search for near ones runs over. */
export interface LetterIndex {
  readonly letters: Uint16Array;
  /** Where each word begins among the letters; one more tells the end. */
  readonly starts: Uint32Array;
  /** How many letters each word has in common with the one before it. */
  readonly shared: Uint8Array;
}

const sharedMax = 255;

/** Indexes words that stand one after the other in `text`, in order. */
export function indexLetters({ text, starts }: { text: string; starts: Uint32Array }): LetterIndex {
  const letters = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) letters[at] = text.charCodeAt(at);
  const shared = new Uint8Array(Math.max(0, starts.length - 1));
  for (let n = 1; n < shared.length; n++) {
    const [before = 0, from = 0, to = 0] = [starts[n - 1], starts[n], starts[n + 1]];
    const most = Math.min(from - before, to - from, sharedMax);
    let length = 0;
    while (length < most && letters[before + length] === letters[from + length]) length++;
    shared[n] = length;
  }
  return { letters, starts, shared };
}

/**
 * Numbers of the words at most `edits` away from `word`, itself not among them; a swap of neighbours is one edit. Words share
 * the work of their common beginning, and all words of a beginning that is already too far are passed over.
 */
export function nearTerms(index: LetterIndex, { word, edits }: { word: string; edits: number }): { at: number; edits: number }[] {
  const { starts, shared } = index;
  const table = new DistanceTable(index.letters, word, edits);
  const found: { at: number; edits: number }[] = [];
  let tooFarFrom = Number.POSITIVE_INFINITY;
  for (let at = 0; at < shared.length; at++) {
    let depth = shared[at] ?? 0;
    if (depth >= tooFarFrom) continue;
    tooFarFrom = Number.POSITIVE_INFINITY;
    const from = starts[at] ?? 0;
    const length = (starts[at + 1] ?? 0) - from;
    while (depth < length && tooFarFrom > depth) if (table.fillRow(from, ++depth) > edits) tooFarFrom = depth;
    if (tooFarFrom <= depth) continue;
    const distance = table.distanceAt(length);
    if (distance > 0 && distance <= edits) found.push({ at, edits: distance });
  }
  return found;
}

/** Distances between the beginnings of `word` and those of a term: a row per letter of the term, of which only the middle matters. */
class DistanceTable {
  readonly #letters: Uint16Array;
  readonly #word: Uint16Array;
  readonly #edits: number;
  readonly #width: number;
  readonly #rows: Uint8Array;

  constructor(letters: Uint16Array, word: string, edits: number) {
    this.#letters = letters;
    this.#word = Uint16Array.from(word, (_, n) => word.charCodeAt(n));
    this.#edits = edits;
    this.#width = word.length + 2;
    // No row beyond this one is filled: a term that is so much longer is too far.
    this.#rows = new Uint8Array((word.length + edits + 2) * this.#width).map((_, n) => Math.min(n, sharedMax));
  }

  /** Distance of the whole word from a term of this length. */
  distanceAt(length: number): number {
    const { length: wanted } = this.#word;
    return Math.abs(length - wanted) > this.#edits ? sharedMax : (this.#rows[length * this.#width + wanted] ?? sharedMax);
  }

  /** Fills the row of the first `depth` letters of the term at `from` out of the rows above it, and returns the least distance in it. */
  fillRow(from: number, depth: number): number {
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
