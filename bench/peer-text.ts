/*
 * How the peer's reader looks at text. What we compare ourselves with must not move when we do: this is written once, for the
 * comparison alone, and shares nothing with our own matching.
 */

/** A text with its letters made alike, and where each of them stands in the text as it was. */
export interface AlikeText {
  readonly text: string;
  surfaceAt(offset: number): number;
}

/** Makes case and accents alike. An apostrophe inside a word and the comma of 10,000 vanish; signs become blanks. */
export function makeAlike(surface: string): AlikeText {
  const lowered = surface.toLowerCase();
  const lower = lowered.length === surface.length ? lowered : surface;
  const parts: string[] = [];
  const [alikeAt, surfaceAt] = [[0], [0]];
  let [from, length] = [0, 0];
  for (const at of specialPlaces(lower)) {
    const letter = alikeLetter(lower, at);
    parts.push(lower.slice(from, at), letter);
    length += at - from + letter.length;
    from = at + 1;
    if (letter.length === 1) continue;
    alikeAt.push(length);
    surfaceAt.push(from);
  }
  parts.push(lower.slice(from));
  const back = (offset: number) => {
    const n = lastAtOrBefore(alikeAt, offset);
    return Math.min((surfaceAt[n] ?? 0) + offset - (alikeAt[n] ?? 0), surfaceAt[n + 1] ?? surface.length);
  };
  return { text: parts.join(''), surfaceAt: back };
}

/** Number of the last of these ascending offsets that is not behind `offset`. */
export function lastAtOrBefore(offsets: readonly number[], offset: number): number {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** First offset from `from` on at which a word stands. */
export function wordFrom(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isOfWord(text.charCodeAt(at))) at++;
  return at;
}

/** Where the word that begins at `from` ends. */
export function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isOfWord(text.charCodeAt(at))) at++;
  return at;
}

function isOfWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 127;
}

/** Looked for one by one: in a long text that is quicker than one regular expression for all. */
function specialPlaces(text: string): number[] {
  const places: number[] = [];
  for (const sign of ["'", '%', ',']) for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) places.push(at);
  if (Buffer.byteLength(text) !== text.length) for (const { index } of text.matchAll(/[\u0080-\uffff]/g)) places.push(index);
  return places.sort((a, b) => a - b);
}

const letters = new Map<string, string>();

function alikeLetter(text: string, at: number): string {
  const letter = text.charAt(at);
  if (letter === "'" || letter === '\u2019') return /[a-z]/.test(text.charAt(at - 1)) && /[a-z]/.test(text.charAt(at + 1)) ? '' : ' ';
  if (letter === ',') return /^\d,\d{3}(?!\d)/.test(text.slice(at - 1, at + 5)) ? '' : ' ';
  if (letter === '%') return ' percent';
  const known = letters.get(letter);
  if (known !== undefined) return known;
  const bare = letter
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]/gu, ' ');
  letters.set(letter, bare);
  return bare;
}
