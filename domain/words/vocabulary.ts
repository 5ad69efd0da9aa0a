import { type DeletionTable, makeDeletionTable, makeDeletionTableInTurns, termsMaybeNear } from './deletion-table.ts';
import { indexLetters, type LetterIndex, lettersOf, nearTerms } from './near-terms.ts';
import { indexSounds, indexSoundsInTurns, type SoundIndex, wordsOfSound } from './sound-index.ts';
import { soundKey } from './sounds-like.ts';

export interface CountedTerm {
  readonly term: string;
  readonly videos: number;
}

/** Changed terms beyond this are packed with the others. */
const changesMax = 20_000;

/** Every folded word of the archive with the number of videos that hold it, packed: a few bytes a word. */
export class Vocabulary {
  /** Number of the index batch that this vocabulary has taken in. */
  readonly batch: number;
  readonly videos: number;
  #terms: PackedTerms;
  readonly #changed: Map<string, number>;
  /** Those of the changed that are not among the packed. */
  readonly #added = new Set<string>();
  #addedSounds: Map<string, string[]> | undefined;
  #addedPacked: PackedTerms | undefined;

  constructor(content: { terms: readonly CountedTerm[]; batch: number; videos: number }) {
    this.#terms = packTerms(content.terms);
    this.#changed = new Map();
    this.batch = content.batch;
    this.videos = content.videos;
  }

  /** This vocabulary with later counts. */
  with(content: { changed: readonly CountedTerm[]; batch: number; videos: number }): Vocabulary {
    const next = new Vocabulary({ terms: [], batch: content.batch, videos: content.videos });
    next.#terms = this.#terms;
    for (const [term, videos] of this.#changed) next.#changed.set(term, videos);
    for (const term of this.#added) next.#added.add(term);
    for (const { term, videos } of content.changed) {
      next.#changed.set(term, videos);
      if (termAt(next.#terms, lowerBound(next.#terms, term)) !== term) next.#added.add(term);
    }
    if (next.#changed.size > changesMax) next.#repack();
    return next;
  }

  get size(): number {
    return this.#terms.counts.length;
  }

  /** Number of videos that hold `term`. */
  count(term: string): number {
    const changed = this.#changed.get(term);
    if (changed !== undefined) return changed;
    const at = lowerBound(this.#terms, term);
    return termAt(this.#terms, at) === term ? (this.#terms.counts[at] ?? 0) : 0;
  }

  /** The most frequent words that begin with `prefix`, itself not among them. */
  completions(prefix: string, limit: number): CountedTerm[] {
    const best: CountedTerm[] = [];
    let least = 0;
    const offer = (term: string, videos: number) => {
      if (videos <= least || term === prefix) return;
      const place = best.findIndex((other) => other.videos < videos);
      best.splice(place < 0 ? best.length : place, 0, { term, videos });
      if (best.length > limit) best.pop();
      if (best.length === limit) least = best.at(-1)?.videos ?? 0;
    };
    for (let at = lowerBound(this.#terms, prefix); at < this.#terms.counts.length; at++) {
      const videos = this.#terms.counts[at] ?? 0;
      if (videos <= least && !startsAt(this.#terms, at, prefix)) break;
      if (videos <= least) continue;
      const term = termAt(this.#terms, at);
      if (!term.startsWith(prefix)) break;
      if (!this.#changed.has(term)) offer(term, videos);
    }
    for (const [term, videos] of this.#changed) if (term.startsWith(prefix)) offer(term, videos);
    return best;
  }

  /** Words at most `edits` letters away (a swap of neighbours is one), nearest first, then most frequent. */
  near(word: string, edits: number): (CountedTerm & { edits: number })[] {
    const letters = lettersOf(word);
    const found = new Map<string, number>();
    const look = (terms: PackedTerms, index: LetterIndex, among: Iterable<number>) => {
      for (const near of nearTerms(index, { word: letters, edits, among })) found.set(termAt(terms, near.at), near.edits);
    };
    const packed = this.#terms;
    packed.letters ??= indexLetters(packed);
    packed.deletions ??= makeDeletionTable(packed.letters);
    look(packed, packed.letters, termsMaybeNear(packed.deletions, letters, edits));
    // Those that came since are few: all of them are compared.
    this.#addedPacked ??= packTerms(Array.from(this.#added, (term) => ({ term, videos: 1 })));
    const added = this.#addedPacked;
    added.letters ??= indexLetters(added);
    look(added, added.letters, added.counts.keys());
    return [...found]
      .map(([term, distance]) => ({ term, edits: distance, videos: this.count(term) }))
      .filter(({ videos }) => videos > 0)
      .sort((a, b) => a.edits - b.edits || b.videos - a.videos);
  }

  /** Words that sound much like `word`, by their `soundKey`. */
  alike(word: string): string[] {
    const key = soundKey(word);
    const terms = this.#terms;
    terms.sounds ??= indexSounds(wordsOf(terms));
    this.#addedSounds ??= Map.groupBy(this.#added, soundKey);
    const packed = wordsOfSound(terms.sounds, key).map((n) => termAt(terms, n));
    const alike = [...packed.filter((term) => soundKey(term) === key), ...(this.#addedSounds.get(key) ?? [])];
    return alike.filter((term) => term !== word && this.count(term) > 0);
  }

  /** Makes ready what `alike` and `near` need, without holding up others. */
  async prepare(): Promise<void> {
    const terms = this.#terms;
    terms.sounds ??= await indexSoundsInTurns(wordsOf(terms));
    terms.letters ??= indexLetters(terms);
    terms.deletions ??= await makeDeletionTableInTurns(terms.letters);
  }

  /** Every word: first those packed, in order. */
  *terms(): Generator<string> {
    for (let at = 0; at < this.#terms.counts.length; at++) yield termAt(this.#terms, at);
    yield* this.#changed.keys();
  }

  #repack(): void {
    const changed = [...this.#changed].map(([term, videos]) => ({ term, videos })).sort(byTerm);
    this.#terms = mergeTerms(this.#terms, changed);
    this.#changed.clear();
    this.#added.clear();
  }
}

/** All terms in one string, in order, and where each begins. */
interface PackedTerms {
  readonly text: string;
  readonly starts: Uint32Array;
  readonly counts: Uint32Array;
  /** These are made when first needed. */
  sounds?: SoundIndex;
  letters?: LetterIndex;
  deletions?: DeletionTable;
}

function wordsOf(terms: PackedTerms) {
  return { length: terms.counts.length, at: (n: number) => termAt(terms, n) };
}

function packTerms(terms: readonly CountedTerm[]): PackedTerms {
  const nothing = { text: '', starts: new Uint32Array(1), counts: new Uint32Array(0) };
  return mergeTerms(nothing, terms.toSorted(byTerm));
}

const byTerm = (a: CountedTerm, b: CountedTerm) => (a.term < b.term ? -1 : a.term > b.term ? 1 : 0);

/** `packed` with these counts, which are in order; a term without videos is left out. What lies between them is copied as it is. */
function mergeTerms(packed: PackedTerms, changed: readonly CountedTerm[]): PackedTerms {
  const all = packed.counts.length;
  const pieces: string[] = [];
  const starts = new Uint32Array(all + changed.length + 1);
  const counts = new Uint32Array(all + changed.length);
  let [size, length] = [0, 0];
  const copy = (from: number, to: number) => {
    const [begin = 0, end = 0] = [packed.starts[from], packed.starts[to]];
    pieces.push(packed.text.slice(begin, end));
    for (let at = from; at < to; at++) {
      starts[size] = (packed.starts[at] ?? 0) - begin + length;
      counts[size++] = packed.counts[at] ?? 0;
    }
    length += end - begin;
  };
  let from = 0;
  for (const { term, videos } of changed) {
    const at = lowerBound(packed, term, from);
    copy(from, at);
    from = termAt(packed, at) === term ? at + 1 : at;
    if (videos === 0) continue;
    pieces.push(term);
    starts[size] = length;
    counts[size++] = videos;
    length += term.length;
  }
  copy(from, all);
  starts[size] = length;
  return { text: pieces.join(''), starts: starts.slice(0, size + 1), counts: counts.slice(0, size) };
}

function termAt({ text, starts }: PackedTerms, at: number): string {
  return text.slice(starts[at] ?? text.length, starts[at + 1] ?? text.length);
}

function startsAt({ text, starts }: PackedTerms, at: number, prefix: string): boolean {
  return text.startsWith(prefix, starts[at]);
}

function lowerBound(packed: PackedTerms, term: string, from = 0): number {
  let low = from;
  let high = packed.counts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (termAt(packed, middle) < term) low = middle + 1;
    else high = middle;
  }
  return low;
}
