/** A stretch of a text: offset of its first UTF-16 unit, and of the one after its last. */
export type TextRange = readonly [from: number, to: number];

export interface TextPart {
  text: string;
  marked: boolean;
}

/** Cuts a text into marked and plain parts. Ranges may come in any order; what lies beyond the text is left out. */
export function markText(text: string, ranges: readonly TextRange[]): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  const take = (to: number, marked: boolean) => {
    if (to > at) parts.push({ text: text.slice(at, to), marked });
    at = Math.max(at, to);
  };
  for (const [from, to] of ranges.toSorted((one, other) => one[0] - other[0])) {
    const [start, end] = [Math.min(from, text.length), Math.min(to, text.length)];
    if (end <= Math.max(start, at)) continue;
    take(start, false);
    take(end, true);
  }
  take(text.length, false);
  return parts;
}

const letter = '[\\p{L}\\p{N}]';

/** Where a text that another service says has matched stands, whatever its case: as whole words if it does, else wherever. */
export function placesOf(text: string, exactText: string): TextRange[] {
  if (exactText === '') return [];
  const exact = exactText.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const placesBy = (pattern: string) =>
    Array.from(text.matchAll(new RegExp(pattern, 'giu')), ({ 0: found, index }) => [index, index + found.length] as const);
  const words = placesBy(`(?<!${letter})${exact}(?!${letter})`);
  return words.length > 0 ? words : placesBy(exact);
}
