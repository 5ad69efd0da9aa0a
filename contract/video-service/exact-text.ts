import type { TextRange } from './answers.ts';

const letter = '[\\p{L}\\p{N}]';

/** Where a text that another service says has matched stands, whatever its case: as whole words if it does, else wherever. */
export function findRanges(text: string, exactText: string): TextRange[] {
  if (exactText === '') return [];
  const exact = exactText.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const rangesBy = (pattern: string) =>
    Array.from(text.matchAll(new RegExp(pattern, 'giu')), ({ 0: found, index }) => [index, index + found.length] as const);
  const words = rangesBy(`(?<!${letter})${exact}(?!${letter})`);
  return words.length > 0 ? words : rangesBy(exact);
}
