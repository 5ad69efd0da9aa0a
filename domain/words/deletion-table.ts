import { besideOthersMs, TimeSlice } from '../scheduling/time-slice.ts';
import { fnvStart, stepFnvHash } from './fnv-hash.ts';
import type { LetterIndex } from './near-terms.ts';

/**
 * Words by what is left of their beginnings when up to two letters are taken out: a word near to another one shares one of
 * these remains with it (Garbe's symmetric deletions). Remains are known by their hash, so a few other words are among those
 * that it names. About a hundred bytes a word.
 */
export interface DeletionTable {
  /** Where the words of each hash begin among `terms`; one more tells the end. */
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
}

const deletionsMax = 2;
/** Two letters more than are ever taken out decide; what is behind them is compared anyway. */
const beginningMax = 7;
const hashBits = 20;
const wordsPerStep = 100;

/** Makes the table of all words of an index. */
export function makeDeletionTable(index: LetterIndex): DeletionTable {
  const making = startTable(index);
  for (const step of [making.count, making.fill]) step(0, wordCountOf(index));
  return making.table;
}

/** Makes it in time slices: other work goes on between them. */
export async function makeDeletionTableInSlices(index: LetterIndex): Promise<DeletionTable> {
  const making = startTable(index);
  const slice = new TimeSlice(besideOthersMs);
  for (const step of [making.count, making.fill]) {
    for (let from = 0; from < wordCountOf(index); from += wordsPerStep) {
      step(from, Math.min(wordCountOf(index), from + wordsPerStep));
      if (slice.isOver) await slice.next();
    }
  }
  return making.table;
}

const wordCountOf = ({ starts }: LetterIndex) => Math.max(0, starts.length - 1);

/** Numbers of the words that may be at most `edits` away from a word, up to two; others are among them. */
export function listTermsMaybeNear({ starts, terms }: DeletionTable, word: Uint16Array, edits: number): Set<number> {
  const found = new Set<number>();
  forEachRemains(word, { from: 0, to: word.length, deletions: edits }, (hash) => {
    for (let at = starts[hash] ?? 0; at < (starts[hash + 1] ?? 0); at++) found.add(terms[at] ?? 0);
  });
  return found;
}

/** First all remains are counted, hash by hash, and then every word is put where its remains belong. */
function startTable({ letters, starts: wordStarts }: LetterIndex) {
  const starts = new Uint32Array((1 << hashBits) + 1);
  const table = { starts, terms: new Uint32Array(0) };
  let isCounted = false;
  const forEach = (from: number, to: number, visit: (hash: number, term: number) => void) => {
    for (let term = from; term < to; term++) {
      const beginning = { from: wordStarts[term] ?? 0, to: wordStarts[term + 1] ?? 0, deletions: deletionsMax };
      forEachRemains(letters, beginning, (hash) => visit(hash, term));
    }
  };
  const count = (from: number, to: number) => forEach(from, to, (hash) => (starts[hash] = (starts[hash] ?? 0) + 1));
  const fill = (from: number, to: number) => {
    if (!isCounted) for (let hash = 1; hash < starts.length; hash++) starts[hash] = (starts[hash] ?? 0) + (starts[hash - 1] ?? 0);
    if (!isCounted) table.terms = new Uint32Array(starts.at(-1) ?? 0);
    isCounted = true;
    // Each start comes down from the end of its words to their beginning.
    forEach(from, to, (hash, term) => {
      const at = (starts[hash] ?? 0) - 1;
      starts[hash] = at;
      table.terms[at] = term;
    });
  };
  return { table, count, fill };
}

/** Visits the hash of what is left of the letters of a beginning when none, one, and up to `deletions` are taken out. */
function forEachRemains(
  letters: Uint16Array,
  { from, to, deletions }: { from: number; to: number; deletions: number },
  visit: (hash: number) => void,
): void {
  const end = Math.min(to, from + beginningMax);
  visit(hashWithout(letters, { from, end, first: -1, second: -1 }));
  for (let first = from; first < end; first++) {
    visit(hashWithout(letters, { from, end, first, second: -1 }));
    for (let second = first + 1; deletions > 1 && second < end; second++) visit(hashWithout(letters, { from, end, first, second }));
  }
}

function hashWithout(
  letters: Uint16Array,
  { from, end, first, second }: { from: number; end: number; first: number; second: number },
): number {
  let hash = fnvStart;
  for (let at = from; at < end; at++) if (at !== first && at !== second) hash = stepFnvHash(hash, letters[at] ?? 0);
  return (hash ^ (hash >>> hashBits)) & ((1 << hashBits) - 1);
}
