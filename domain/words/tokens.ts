/*
 * Words: how a text is folded and cut, the vocabulary of the archive, and which words are spelt or sound alike.
 * What only holds for one language is in languages/.
 */
import { unspacedSigns } from '#contract/find-words.ts';
import { foldText } from './fold-text.ts';

/** Longer words are cut here alike in the index, the vocabulary and the query. */
export const tokenLengthMax = 60;

/** The words of a text, folded: what the index holds, the vocabulary counts and a query asks for. */
export function tokensOf(text: string): string[] {
  return tokensOfFolded(foldText(text).text);
}

function tokensOfFolded(folded: string): string[] {
  const tokens: string[] = [];
  for (let at = skipToToken(folded, 0); at < folded.length; ) {
    const end = skipToTokenEnd(folded, at);
    tokens.push(folded.slice(at, Math.min(end, at + tokenLengthMax)));
    at = skipToToken(folded, end);
  }
  return tokens;
}

/** First offset at or after `from` at which a token stands; the text's length when there is none. */
export function skipToToken(folded: string, from: number): number {
  let at = from;
  while (at < folded.length && !isWordCode(folded.charCodeAt(at))) at++;
  return at;
}

/** Where the token that begins at `start` ends. */
export function skipToTokenEnd(folded: string, start: number): number {
  const first = folded.charCodeAt(start);
  if (isUnspaced(first)) return start + ((first & 0xfc00) === 0xd800 ? 2 : 1);
  let end = start + 1;
  while (end < folded.length) {
    const code = folded.charCodeAt(end);
    if (!isWordCode(code) || isUnspaced(code)) break;
    end++;
  }
  return end;
}

// Folding has made a blank of every other character beyond ASCII.
function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 127;
}

/** Scripts written without blanks: each character is a token, and a word is a run of them. Pairs are rare scripts and signs. */
function isUnspaced(code: number): boolean {
  if (code < 0x0e00) return false;
  return (
    code <= 0x0eff ||
    (code >= 0x1000 && code <= 0x109f) ||
    (code >= 0x1780 && code <= 0x17ff) ||
    (code >= 0x2e80 && code <= 0x9fff) ||
    (code >= 0xd800 && code <= 0xdfff) ||
    (code >= 0xf900 && code <= 0xfaff)
  );
}

const unspacedRun = new RegExp(`[${unspacedSigns}]+`, 'gu');

/** A stretch of a text: what says something, a letter by itself, or a letter that only joins words (月の石). */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly kind: 'word' | 'letter' | 'joint';
}

/**
 * Cuts a text where words end in scripts without blanks, and leaves the rest of it whole; each part as it stands. Letters by
 * themselves belong to each other or to the word beside them, and those that only join words are left out where there are others.
 */
export function cutUnspaced(text: string): string[] {
  if (text.search(unspacedRun) < 0) return [text];
  const words = joinAlike(stretchesOf(text), text).reduce<Stretch[]>((before, stretch) => {
    const last = before.at(-1);
    const isOfLast = last?.to === stretch.from && last.kind !== 'joint' && stretch.kind !== 'joint';
    if (!last || !isOfLast || (last.kind === 'word' && stretch.kind === 'word')) before.push(stretch);
    else before[before.length - 1] = { from: last.from, to: stretch.to, kind: 'word' };
    return before;
  }, []);
  const telling = words.filter(({ kind }) => kind !== 'joint');
  return (telling.length > 0 ? telling : words).map(({ from, to }) => text.slice(from, to));
}

let segmenter: Intl.Segmenter | undefined;

function stretchesOf(text: string): Stretch[] {
  const stretches: Stretch[] = [];
  const add = (from: number, part: string) => {
    if (/[\p{L}\p{N}]/u.test(part)) stretches.push({ from, to: from + part.length, kind: kindOf(part) });
  };
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  let from = 0;
  for (const { index, 0: run } of text.matchAll(unspacedRun)) {
    add(from, text.slice(from, index));
    for (const { index: at, segment } of segmenter.segment(run)) add(index + at, segment);
    from = index + run.length;
  }
  add(from, text.slice(from));
  return stretches;
}

function kindOf(part: string): Stretch['kind'] {
  if (part.length > 2) return 'word';
  const letters = part.replace(/\p{M}/gu, '');
  if (/^[\u3041-\u309f的之了是在和与與及]$/.test(letters)) return 'joint';
  return isUnspaced(part.charCodeAt(0)) && [...letters].length === 1 ? 'letter' : 'word';
}

/** Letters in a row are a word that no dictionary has, and so is whatever stands in katakana. */
function joinAlike(stretches: readonly Stretch[], text: string): Stretch[] {
  const isKatakana = (at: number) => /[\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9f]/.test(text.charAt(at));
  const joined: Stretch[] = [];
  for (const stretch of stretches) {
    const last = joined.at(-1);
    const isAlike = (stretch.kind !== 'word' && last?.kind === stretch.kind) || (isKatakana(stretch.from - 1) && isKatakana(stretch.from));
    if (last?.to !== stretch.from || !isAlike) joined.push(stretch);
    else joined[joined.length - 1] = { from: last.from, to: stretch.to, kind: stretch.kind === 'joint' ? 'joint' : 'word' };
  }
  return joined;
}
