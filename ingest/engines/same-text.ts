import type { TextPlace } from '#domain/moments/layers.ts';

/** How far, of the picture, a short text may have moved from one picture to the next. */
const nearShare = 0.15;
const shortLength = 4;
/** How alike two readings of one text are at least, 0 to 1. */
const alikeMin = 0.6;
const longestCompared = 120;

/**
 * Whether two readings of neighbouring pictures are of one text: about the same letters at about the same place, or the very same letters
 * elsewhere, not far off if they are few. Other digits make another text, unless it is a clock that runs.
 */
export function isSameText(a: { text: string; place: TextPlace }, b: { text: string; place: TextPlace }): boolean {
  const [one, other] = [lettersOf(a.text), lettersOf(b.text)];
  if (!isSamePlace(a.place, b.place)) return one === other && (one.length >= shortLength || isNear(a.place, b.place));
  if (isClock(a.text) && isClock(b.text)) return true;
  return digitsOf(one) === digitsOf(other) ? likenessOf(one, other) >= alikeMin : likenessOf(one, other) >= 0.9;
}

/** Whether a text is nothing but a clock, a timecode or a counter. */
export function isClock(text: string): boolean {
  return /^\P{L}{0,3}\d[\d\s.:;,]*[:;.]\s?\d[\d\s.:;,]*\P{L}{0,2}$|^\d{3,}$/u.test(text);
}

/** Letters and digits alone, without what readings differ in most. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function digitsOf(letters: string): string {
  return letters.replace(/\P{N}/gu, '');
}

function isSamePlace(a: TextPlace, b: TextPlace): boolean {
  const overlap = (from: 'x' | 'y', length: 'width' | 'height') =>
    (Math.min(a[from] + a[length], b[from] + b[length]) - Math.max(a[from], b[from])) / Math.min(a[length], b[length]);
  return overlap('y', 'height') >= 0.6 && overlap('x', 'width') >= 0.6;
}

function isNear(a: TextPlace, b: TextPlace): boolean {
  return Math.abs(a.x - b.x) <= nearShare && Math.abs(a.y - b.y) <= nearShare;
}

/** 1 for the same letters, 0 for none in common: by the least number of letters to change. */
function likenessOf(a: string, b: string): number {
  const [one, other] = [a.slice(0, longestCompared), b.slice(0, longestCompared)];
  const longest = Math.max(one.length, other.length);
  if (longest === 0) return 1;
  let row = Array.from({ length: other.length + 1 }, (_, n) => n);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return 1 - (row[other.length] ?? longest) / longest;
}
