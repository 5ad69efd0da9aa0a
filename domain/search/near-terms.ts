/** Words in order. */
export interface SortedTerms {
  readonly length: number;
  at(n: number): string;
}

/**
 * The terms at most `edits` away from `word`; a swap of neighbours is one edit. Terms share the work of their common
 * beginning, and all terms of a beginning that is already too far are skipped at once.
 */
export function nearTerms(terms: SortedTerms, { word, edits }: { word: string; edits: number }): { term: string; edits: number }[] {
  const width = word.length + 1;
  // One row of distances per letter of the term, one after the other; a term that is longer than this is too far anyway.
  const deepest = word.length + edits + 1;
  const rows = new Uint8Array((deepest + 1) * width).map((_, n) => Math.min(n, 255));
  const found: { term: string; edits: number }[] = [];
  let previous = '';
  for (let at = 0; at < terms.length; ) {
    const term = terms.at(at);
    let depth = sharedLength(previous, term);
    let least = 0;
    while (depth < term.length && least <= edits) least = fillRow(rows, { word, term, depth: ++depth });
    if (least > edits) {
      previous = term.slice(0, depth - 1);
      at = firstBeyond(terms, { from: at + 1, prefix: term.slice(0, depth) });
      continue;
    }
    const distance = rows[term.length * width + word.length] ?? 255;
    if (distance <= edits && term !== word) found.push({ term, edits: distance });
    previous = term;
    at++;
  }
  return found;
}

/** Fills the row of the first `depth` letters of `term` from the rows above it, and returns the least distance in it. */
function fillRow(rows: Uint8Array, { word, term, depth }: { word: string; term: string; depth: number }): number {
  const width = word.length + 1;
  const here = depth * width;
  const above = here - width;
  const letter = term.charCodeAt(depth - 1);
  const letterBefore = depth > 1 ? term.charCodeAt(depth - 2) : -1;
  let least = depth;
  rows[here] = depth;
  for (let n = 1; n < width; n++) {
    const same = word.charCodeAt(n - 1) === letter;
    let distance = Math.min((rows[here + n - 1] ?? 0) + 1, (rows[above + n] ?? 0) + 1, (rows[above + n - 1] ?? 0) + (same ? 0 : 1));
    const swapped = n > 1 && letter === word.charCodeAt(n - 2) && letterBefore === word.charCodeAt(n - 1);
    if (swapped) distance = Math.min(distance, (rows[above - width + n - 2] ?? 0) + 1);
    rows[here + n] = distance;
    if (distance < least) least = distance;
  }
  return least;
}

function sharedLength(a: string, b: string): number {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  return n;
}

/** First term from `from` on that does not begin with `prefix`: near by steps that double, then by halves. */
function firstBeyond(terms: SortedTerms, { from, prefix }: { from: number; prefix: string }): number {
  let step = 1;
  let low = from;
  while (low + step < terms.length && terms.at(low + step).startsWith(prefix)) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, terms.length);
  if (low === from && (from >= terms.length || !terms.at(from).startsWith(prefix))) return from;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (terms.at(middle).startsWith(prefix)) low = middle;
    else high = middle;
  }
  return high;
}
