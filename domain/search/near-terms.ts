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
  const rows: number[][] = [Array.from({ length: width }, (_, n) => n)];
  const found: { term: string; edits: number }[] = [];
  let previous = '';
  for (let at = 0; at < terms.length; ) {
    const term = terms.at(at);
    let depth = sharedLength(previous, term);
    let dead = false;
    while (depth < term.length && !dead) {
      depth++;
      rows[depth] = nextRow(rows, { word, term, depth });
      dead = Math.min(...(rows[depth] ?? [])) > edits;
    }
    if (dead) {
      previous = term.slice(0, depth);
      at = firstBeyond(terms, { from: at + 1, prefix: previous });
      continue;
    }
    const distance = rows[term.length]?.[word.length] ?? Number.POSITIVE_INFINITY;
    if (distance <= edits && term !== word) found.push({ term, edits: distance });
    previous = term;
    at++;
  }
  return found;
}

function nextRow(rows: readonly number[][], { word, term, depth }: { word: string; term: string; depth: number }): number[] {
  const above = rows[depth - 1] ?? [];
  const row = [depth];
  const letter = term[depth - 1];
  for (let n = 1; n <= word.length; n++) {
    const same = word[n - 1] === letter;
    let least = Math.min((row[n - 1] ?? 0) + 1, (above[n] ?? 0) + 1, (above[n - 1] ?? 0) + (same ? 0 : 1));
    if (depth > 1 && n > 1 && letter === word[n - 2] && term[depth - 2] === word[n - 1])
      least = Math.min(least, (rows[depth - 2]?.[n - 2] ?? 0) + 1);
    row.push(least);
  }
  return row;
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
