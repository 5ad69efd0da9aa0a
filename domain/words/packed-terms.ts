import type { DeletionTable } from './deletion-table.ts';
import type { LetterIndex } from './near-terms.ts';
import type { SoundIndex } from './sound-index.ts';

/** Words in one string, in order, and where each begins. */
export interface PackedTerms {
  readonly text: string;
  /** One more tells the end. */
  readonly starts: Uint32Array;
  /** These are made when first needed. */
  sounds?: SoundIndex;
  letters?: LetterIndex;
  deletions?: DeletionTable;
}

export interface CountedTerm {
  readonly term: string;
  readonly videos: number;
}

/** Words with the number of videos that hold each. One that no video holds any more keeps its place. */
export interface CountedTerms {
  readonly packed: PackedTerms;
  readonly counts: Uint32Array;
}

export const noTerms: CountedTerms = { packed: { text: '', starts: new Uint32Array(1) }, counts: new Uint32Array(0) };

/** The word of this number; empty where there is none. */
export function termAt({ text, starts }: PackedTerms, at: number): string {
  return text.slice(starts[at] ?? text.length, starts[at + 1] ?? text.length);
}

/** Number of the first word that does not come before `term`, from the word `from` on. */
export function lowerBoundIn(packed: PackedTerms, term: string, from = 0): number {
  let low = from;
  let high = packed.starts.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comesBefore(packed, middle, term)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether the word of this number comes before `term`. A hundred forms of a word are looked for: none is cut out to be compared. */
function comesBefore({ text, starts }: PackedTerms, at: number, term: string): boolean {
  const [from = 0, end = 0] = [starts[at], starts[at + 1]];
  const length = Math.min(end - from, term.length);
  for (let n = 0; n < length; n++) {
    const difference = text.charCodeAt(from + n) - term.charCodeAt(n);
    if (difference !== 0) return difference < 0;
  }
  return end - from < term.length;
}

/** These words and those of `added`, none of which is among them, packed anew. What lies between them is copied as it is. */
export function mergeTerms({ packed, counts }: CountedTerms, added: readonly CountedTerm[]): CountedTerms {
  const all = counts.length;
  const more = added.filter(({ videos }) => videos > 0).sort(byTerm);
  const pieces: string[] = [];
  const starts = new Uint32Array(all + more.length + 1);
  const merged = new Uint32Array(all + more.length);
  let [size, length] = [0, 0];
  const copy = (from: number, to: number) => {
    const [begin = 0, end = 0] = [packed.starts[from], packed.starts[to]];
    pieces.push(packed.text.slice(begin, end));
    for (let at = from; at < to; at++) {
      starts[size] = (packed.starts[at] ?? 0) - begin + length;
      merged[size++] = counts[at] ?? 0;
    }
    length += end - begin;
  };
  let from = 0;
  for (const { term, videos } of more) {
    const at = lowerBoundIn(packed, term, from);
    copy(from, at);
    from = at;
    pieces.push(term);
    starts[size] = length;
    merged[size++] = videos;
    length += term.length;
  }
  copy(from, all);
  starts[size] = length;
  return { packed: { text: pieces.join(''), starts }, counts: merged };
}

const byTerm = (a: CountedTerm, b: CountedTerm) => (a.term < b.term ? -1 : a.term > b.term ? 1 : 0);
