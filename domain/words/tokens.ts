/*
 * Words: how a text is folded and cut, the vocabulary of the archive, and which words are spelt or sound alike.
 * What only holds for one language is in languages/.
 */
import { foldText } from './fold-text.ts';

/** Longer words are cut here alike in the index, the vocabulary and the query. */
export const tokenLengthMax = 60;

/** The words of a text, folded: what the index holds, the vocabulary counts and a query asks for. */
export function tokensOf(text: string): string[] {
  return tokensOfFolded(foldText(text).text);
}

function tokensOfFolded(folded: string): string[] {
  const tokens: string[] = [];
  for (let at = nextTokenStart(folded, 0); at < folded.length; ) {
    const end = tokenEnd(folded, at);
    tokens.push(folded.slice(at, Math.min(end, at + tokenLengthMax)));
    at = nextTokenStart(folded, end);
  }
  return tokens;
}

/** First offset at or after `from` at which a token stands; the text's length when there is none. */
export function nextTokenStart(folded: string, from: number): number {
  let at = from;
  while (at < folded.length && !isWordCode(folded.charCodeAt(at))) at++;
  return at;
}

/** Where the token that begins at `start` ends. */
export function tokenEnd(folded: string, start: number): number {
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
