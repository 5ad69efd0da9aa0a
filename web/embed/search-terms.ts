/** A word or a phrase to look for, folded. */
export interface SearchTerm {
  readonly words: readonly string[];
  /** The last word is still being typed, so its beginning is enough. */
  readonly isPrefix: boolean;
}

export interface SearchTerms {
  readonly wanted: readonly SearchTerm[];
  readonly unwanted: readonly SearchTerm[];
}

/** A word as it stands in a text: where, and folded for comparing. */
export interface Word {
  readonly start: number;
  readonly end: number;
  readonly folded: string;
}

const stopWords = new Set(
  'a an and are as at be but by for from had has have he her his i in is it its me my not of on or our she so that the their them they this to up us was we were what which who will with you your'.split(
    ' ',
  ),
);

const pieces =
  /([+-]?)(?:(person|brand|label|said|written|title|id):(?=\S))?(?:["“”„«»＂]([^"“”„«»＂]*)["“”„«»＂]?|([^\s"“”„«»＂|+()]+))/giu;

/**
 * Reads what the search box takes, down to the words that it marks: words, "phrases", -not, OR, `a+b`, and fields such as
 * `person:`, whose value is looked for; but not `id:`.
 */
export function parseSearchTerms(query: string): SearchTerms {
  const wanted: SearchTerm[] = [];
  const unwanted: SearchTerm[] = [];
  for (const part of query.matchAll(pieces)) {
    const [whole, sign, field, phrase, word] = part;
    // An id names a video, not a word of it; and a title that was not to be says nothing of a line.
    if (field?.toLowerCase() === 'id' || (field && sign === '-')) continue;
    if (word === 'OR' && !sign && !field) continue;
    const folded = splitWords(phrase ?? word ?? '').map((each) => each.folded);
    if (folded.length === 0) continue;
    const isLast = part.index + whole.length === query.length;
    const term = { words: folded, isPrefix: isLast && phrase === undefined && sign === '' };
    if (sign === '-') unwanted.push(term);
    else wanted.push(term);
  }
  const telling = wanted.filter((term) => term.words.some((word) => !stopWords.has(word)));
  return { wanted: telling.length > 0 ? telling : wanted, unwanted };
}

/** The words of a text with their places in it. */
export function splitWords(text: string): Word[] {
  return Array.from(text.matchAll(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    folded: fold(match[0]),
  }));
}

/** Stretches of a list of words that the term matches, as [first, last] positions. */
export function findTerm(words: readonly Word[], term: SearchTerm): [number, number][] {
  const found: [number, number][] = [];
  for (let first = 0; first + term.words.length <= words.length; first++) {
    const last = first + term.words.length - 1;
    const fits = term.words.every((wanted, offset) => {
      const folded = words[first + offset]?.folded ?? '';
      return term.isPrefix && first + offset === last ? folded.startsWith(wanted) : folded === wanted;
    });
    if (fits) found.push([first, last]);
  }
  return found;
}

function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase();
}
