import { besideOthersMs, TimeSlice } from '../scheduling/time-slice.ts';
import { listTermsMaybeNear, makeDeletionTable, makeDeletionTableInSlices } from './deletion-table.ts';
import type { Language } from './languages/language.ts';
import { editsBetween, indexLetters, lettersOf, listNearTerms } from './near-terms.ts';
import { type CountedTerm, type CountedTerms, lowerBoundIn, mergeTerms, noTerms, type PackedTerms, termAt } from './packed-terms.ts';
import { indexSounds, indexSoundsInSlices, wordsOfSound } from './sound-index.ts';
import { toSoundKey } from './sounds-like.ts';

/** More words than these that came later are packed with the others: until then each of them is compared with a word that may be misspelt. */
const addedMax = 20_000;
/** Letters by which words that sound alike may differ in length. */
const longerAtMost = 3;

/** What a vocabulary belongs to. */
interface Counted {
  readonly batch: number;
  readonly videos: number;
  readonly languages: readonly Language[];
}

/** Every folded word of the archive with the number of videos that hold it, packed: a few bytes a word. */
export class Vocabulary {
  /** Number of the index batch that this vocabulary has taken in. */
  readonly batch: number;
  readonly videos: number;
  /** Those of its films. */
  readonly languages: readonly Language[];
  /** The words are shared with later vocabularies, and with them what is made of them; the counts are not. */
  readonly #terms: CountedTerms;
  /** Words that came since those were packed. */
  readonly #added: ReadonlyMap<string, number>;
  #addedSounds: Map<string, string[]> | undefined;
  #addedPacked: PackedTerms | undefined;

  private constructor(content: { terms: CountedTerms; added: ReadonlyMap<string, number> } & Counted) {
    this.#terms = content.terms;
    this.#added = content.added;
    this.batch = content.batch;
    this.videos = content.videos;
    this.languages = content.languages;
  }

  static of({ terms, ...counted }: { terms: readonly CountedTerm[] } & Counted): Vocabulary {
    return new Vocabulary({ terms: mergeTerms(noTerms, terms), added: new Map(), ...counted });
  }

  /** This vocabulary with later counts. Other work goes on meanwhile. */
  async with({ changed, ...content }: { changed: readonly CountedTerm[] } & Counted): Promise<Vocabulary> {
    const { packed } = this.#terms;
    const counts = this.#terms.counts.slice();
    const added = new Map(this.#added);
    const slice = new TimeSlice(besideOthersMs);
    for (const { term, videos } of changed) {
      const at = lowerBoundIn(packed, term);
      if (termAt(packed, at) === term) counts[at] = videos;
      else added.set(term, videos);
      if (slice.isOver) await slice.next();
    }
    const isMuch = added.size > addedMax;
    return new Vocabulary({
      terms: isMuch ? mergeTerms({ packed, counts }, termsOf(added)) : { packed, counts },
      added: isMuch ? new Map() : added,
      ...content,
    });
  }

  get size(): number {
    return this.#terms.counts.length + this.#added.size;
  }

  /** Number of videos that hold `term`. */
  count(term: string): number {
    const { packed, counts } = this.#terms;
    const at = lowerBoundIn(packed, term);
    return (termAt(packed, at) === term ? counts[at] : this.#added.get(term)) ?? 0;
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
    const { packed, counts } = this.#terms;
    for (let at = lowerBoundIn(packed, prefix); at < counts.length && packed.text.startsWith(prefix, packed.starts[at]); at++) {
      const videos = counts[at] ?? 0;
      if (videos > least) offer(termAt(packed, at), videos);
    }
    for (const [term, videos] of this.#added) if (term.startsWith(prefix)) offer(term, videos);
    return best;
  }

  /** Words at most `edits` letters away (a swap of neighbours is one), nearest first, then most frequent. */
  near(word: string, edits: number): (CountedTerm & { edits: number })[] {
    const letters = lettersOf(word);
    const found = new Map<string, number>();
    const look = (packed: PackedTerms, among: Iterable<number>) => {
      packed.letters ??= indexLetters(packed);
      for (const near of listNearTerms(packed.letters, { word: letters, edits, among })) found.set(termAt(packed, near.at), near.edits);
    };
    const { packed } = this.#terms;
    packed.letters ??= indexLetters(packed);
    packed.deletions ??= makeDeletionTable(packed.letters);
    look(packed, listTermsMaybeNear(packed.deletions, letters, edits));
    // Those that came since are few: all of them are compared.
    this.#addedPacked ??= mergeTerms(noTerms, termsOf(this.#added)).packed;
    look(this.#addedPacked, Array(this.#addedPacked.starts.length - 1).keys());
    return [...found]
      .map(([term, distance]) => ({ term, edits: distance, videos: this.count(term) }))
      .filter(({ videos }) => videos > 0)
      .sort((a, b) => a.edits - b.edits || b.videos - a.videos);
  }

  /**
   * Words of about the same length that sound much like `word`, by their `toSoundKey`, nearest in letters first, then most frequent.
   * None for a word without a sound that is known: numbers, and words in other scripts.
   */
  alike(word: string): (CountedTerm & { edits: number })[] {
    const key = toSoundKey(word);
    if (key === '') return [];
    const { packed } = this.#terms;
    packed.sounds ??= indexSounds(wordsOf(packed));
    this.#addedSounds ??= Map.groupBy(this.#added.keys(), toSoundKey);
    const known = wordsOfSound(packed.sounds, key).map((n) => termAt(packed, n));
    const letters = lettersOf(word);
    return [...known, ...(this.#addedSounds.get(key) ?? [])]
      .filter((term) => term !== word && Math.abs(term.length - word.length) <= longerAtMost && toSoundKey(term) === key)
      .map((term) => ({ term, videos: this.count(term) }))
      .filter(({ videos }) => videos > 0)
      .map((counted) => ({ ...counted, edits: editsBetween(letters, lettersOf(counted.term)) }))
      .sort((a, b) => a.edits - b.edits || b.videos - a.videos);
  }

  /** Makes ready what `alike` and `near` need, without holding up others. */
  async prepare(): Promise<void> {
    const { packed } = this.#terms;
    packed.sounds ??= await indexSoundsInSlices(wordsOf(packed));
    packed.letters ??= indexLetters(packed);
    packed.deletions ??= await makeDeletionTableInSlices(packed.letters);
  }

  /** Every word that any video holds: first those packed, in order. */
  *terms(): Generator<string> {
    const { packed, counts } = this.#terms;
    for (let at = 0; at < counts.length; at++) if (counts[at]) yield termAt(packed, at);
    for (const [term, videos] of this.#added) if (videos > 0) yield term;
  }
}

function termsOf(terms: ReadonlyMap<string, number>): CountedTerm[] {
  return Array.from(terms, ([term, videos]) => ({ term, videos }));
}

function wordsOf(packed: PackedTerms) {
  return { length: packed.starts.length - 1, at: (n: number) => termAt(packed, n) };
}
