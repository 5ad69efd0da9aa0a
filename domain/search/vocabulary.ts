import { nearTerms } from './near-terms.ts';
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
  #changedSounds: Map<string, string[]> | undefined;
  #changedInOrder: readonly string[] | undefined;

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
    for (const { term, videos } of content.changed) next.#changed.set(term, videos);
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
    this.#changedInOrder ??= [...this.#changed.keys()].sort();
    const changed = this.#changedInOrder;
    const packed = wordsOf(this.#terms);
    const found = new Map<string, number>();
    for (const list of [packed, { length: changed.length, at: (n: number) => changed[n] ?? '' }]) {
      for (const near of nearTerms(list, { word, edits })) found.set(near.term, near.edits);
    }
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
    this.#changedSounds ??= Map.groupBy(this.#changed.keys(), soundKey);
    const packed = wordsOfSound(terms.sounds, key).map((n) => termAt(terms, n));
    const alike = [...packed.filter((term) => !this.#changed.has(term) && soundKey(term) === key), ...(this.#changedSounds.get(key) ?? [])];
    return alike.filter((term) => term !== word && this.count(term) > 0);
  }

  /** Makes ready what `alike` needs, without holding up others. */
  async prepareSounds(): Promise<void> {
    const terms = this.#terms;
    terms.sounds ??= await indexSoundsInTurns(wordsOf(terms));
  }

  /** Every word: first those packed, in order. */
  *terms(): Generator<string> {
    for (let at = 0; at < this.#terms.counts.length; at++) yield termAt(this.#terms, at);
    yield* this.#changed.keys();
  }

  #repack(): void {
    const counts = new Map<string, number>();
    for (let at = 0; at < this.#terms.counts.length; at++) counts.set(termAt(this.#terms, at), this.#terms.counts[at] ?? 0);
    for (const [term, videos] of this.#changed) counts.set(term, videos);
    this.#terms = packTerms([...counts].map(([term, videos]) => ({ term, videos })));
    this.#changed.clear();
  }
}

/** All terms in one string, in order, and where each begins. */
interface PackedTerms {
  readonly text: string;
  readonly starts: Uint32Array;
  readonly counts: Uint32Array;
  /** Made when first needed. */
  sounds?: SoundIndex;
}

function wordsOf(terms: PackedTerms) {
  return { length: terms.counts.length, at: (n: number) => termAt(terms, n) };
}

function packTerms(terms: readonly CountedTerm[]): PackedTerms {
  const sorted = terms.filter(({ videos }) => videos > 0).sort((a, b) => (a.term < b.term ? -1 : a.term > b.term ? 1 : 0));
  const starts = new Uint32Array(sorted.length + 1);
  let length = 0;
  for (const [n, { term }] of sorted.entries()) {
    starts[n] = length;
    length += term.length;
  }
  starts[sorted.length] = length;
  return { text: sorted.map(({ term }) => term).join(''), starts, counts: Uint32Array.from(sorted, ({ videos }) => videos) };
}

function termAt({ text, starts }: PackedTerms, at: number): string {
  return text.slice(starts[at] ?? text.length, starts[at + 1] ?? text.length);
}

function startsAt({ text, starts }: PackedTerms, at: number, prefix: string): boolean {
  return text.startsWith(prefix, starts[at]);
}

function lowerBound(packed: PackedTerms, term: string): number {
  let low = 0;
  let high = packed.counts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (termAt(packed, middle) < term) low = middle + 1;
    else high = middle;
  }
  return low;
}
