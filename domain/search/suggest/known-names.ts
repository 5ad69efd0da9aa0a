import { tokensOf } from '../../words/tokens.ts';

export const suggestedKinds = ['Title', 'Face', 'Brand'] as const;
export type SuggestedKind = (typeof suggestedKinds)[number];

/** What a video is called, or who or what is named in it. */
export interface KnownName {
  readonly kind: SuggestedKind;
  /** As the first video that carries it writes it. */
  readonly text: string;
  /** Its folded words, with a blank before and after each. */
  readonly words: string;
  /** Ids of the videos that carry it, oldest first. */
  readonly videos: string[];
  /** Every spelling of a person or brand by which it is known. */
  readonly spellings: string[];
}

/** The facts of a video that give it names. */
export interface NamedVideo {
  readonly id: string;
  readonly revision: number;
  readonly name: string;
  readonly people: readonly string[];
  readonly brands: readonly string[];
}

/** Words that came later are put in order with the others from this many on. */
const laterWordsMax = 1_000;

/** Every title, person and brand of the archive, to be found by the beginning of any of its words. */
export class KnownNames {
  readonly #byVideo = new Map<string, { revision: number; names: readonly KnownName[] }>();
  readonly #byWords = new Map<string, KnownName>();
  /** People and brands by how they are written, for they come again and again. */
  readonly #byText = new Map<string, KnownName>();
  readonly #byWord = new Map<string, KnownName[]>();
  #wordsInOrder: string[] = [];
  #laterWords: string[] = [];

  /** Number of videos. */
  get size(): number {
    return this.#byVideo.size;
  }

  /** Ids of all videos. */
  ids(): Iterable<string> {
    return this.#byVideo.keys();
  }

  /** Takes in a video, in place of what was known of it. */
  put({ id, revision, name, people, brands }: NamedVideo): void {
    if (this.#byVideo.get(id)?.revision === revision) return;
    const emptied = this.#letGo(id);
    const named = [
      this.#take('Title', name, id),
      ...people.map((person) => this.#take('Face', person, id)),
      ...brands.map((brand) => this.#take('Brand', brand, id)),
    ];
    this.#byVideo.set(id, { revision, names: named.filter((one) => one !== undefined) });
    // Most of a changed video's names are those that it had.
    for (const name of emptied) if (name.videos.length === 0) this.#forget(name);
  }

  /** Lets a video go, and the names that no other one carries. */
  drop(id: string): void {
    for (const name of this.#letGo(id)) this.#forget(name);
  }

  /** Takes a video from its names; those that no video carries then. */
  #letGo(id: string): readonly KnownName[] {
    const { names = [] } = this.#byVideo.get(id) ?? {};
    for (const { videos } of names) videos.splice(videos.indexOf(id), 1);
    this.#byVideo.delete(id);
    return names.filter(({ videos }) => videos.length === 0);
  }

  /** Names that hold `word`. */
  withWord(word: string): readonly KnownName[] {
    return this.#byWord.get(word) ?? [];
  }

  /** Names that hold a word that begins with `beginning`; one that holds several of them comes several times. */
  *withBeginning(beginning: string): Generator<KnownName> {
    for (let at = lowerBoundOf(this.#wordsInOrder, beginning); this.#wordsInOrder[at]?.startsWith(beginning); at++) {
      yield* this.withWord(this.#wordsInOrder[at] ?? '');
    }
    for (const word of this.#laterWords) if (word.startsWith(beginning)) yield* this.withWord(word);
  }

  /** At most so many words begin so. */
  wordsWithBeginning(beginning: string): number {
    return lowerBoundOf(this.#wordsInOrder, `${beginning}\uffff`) - lowerBoundOf(this.#wordsInOrder, beginning) + this.#laterWords.length;
  }

  #take(kind: SuggestedKind, text: string, video: string): KnownName | undefined {
    const known = this.#byText.get(kind + text) ?? this.#read(kind, text);
    // Nobody writes it any more as it is known.
    const isOther = known?.videos.length === 0 && known.text !== text;
    if (isOther) this.#forget(known);
    const name = isOther ? this.#read(kind, text) : known;
    // A name may stand twice among the facts of a video.
    if (!name || name.videos.at(-1) === video) return undefined;
    name.videos.push(video);
    return name;
  }

  #read(kind: SuggestedKind, text: string): KnownName | undefined {
    const tokens = tokensOf(text);
    if (tokens.length === 0) return undefined;
    const words = ` ${tokens.join(' ')} `;
    const known = this.#byWords.get(kind + words);
    const name = known ?? { kind, text, words, videos: [], spellings: [] };
    if (kind !== 'Title') {
      this.#byText.set(kind + text, name);
      name.spellings.push(text);
    }
    if (known) return known;
    this.#byWords.set(kind + words, name);
    for (const word of new Set(tokens)) this.#index(word, name);
    return name;
  }

  #index(word: string, name: KnownName): void {
    const known = this.#byWord.get(word);
    if (known) return void known.push(name);
    this.#byWord.set(word, [name]);
    this.#laterWords.push(word);
    if (this.#laterWords.length < laterWordsMax) return;
    this.#wordsInOrder = this.#wordsInOrder.concat(this.#laterWords.sort()).sort();
    this.#laterWords = [];
  }

  #forget(name: KnownName): void {
    // It was forgotten before.
    if (this.#byWords.get(name.kind + name.words) !== name) return;
    this.#byWords.delete(name.kind + name.words);
    for (const text of name.spellings) this.#byText.delete(name.kind + text);
    for (const word of new Set(name.words.trim().split(' '))) {
      const others = this.withWord(word).filter((other) => other !== name);
      // An empty list stays: the word keeps its place in the order.
      this.#byWord.set(word, others);
    }
  }
}

function lowerBoundOf(words: readonly string[], word: string): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] ?? '') < word) low = middle + 1;
    else high = middle;
  }
  return low;
}
