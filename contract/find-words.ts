/** What finds words in a line as whole words, in any case, however they are spaced; null for no word at all. */
export function wordsPattern(find: string): RegExp | null {
  const sought = find.trim().replace(/\s+/gu, ' ');
  if (sought === '') return null;
  const pattern = sought.replace(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&').replaceAll(' ', '\\s+');
  return new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'giu');
}
