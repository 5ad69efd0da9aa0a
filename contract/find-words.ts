/** What finds words in a line as whole words, in any case, however they are spaced; null for no word at all. */
export function wordsPattern(find: string): RegExp | null {
  const sought = find.trim().replace(/\s+/gu, ' ');
  if (sought === '') return null;
  const pattern = sought.replace(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&').replaceAll(' ', '\\s+');
  return new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'giu');
}

/** Why a query looks for nothing, whatever the archive holds; null for one that looks for something. */
export function whyNothing(query: string): 'leaves-out' | 'field-alone' | 'no-word' | null {
  const wanted = query.replace(leftOut, ' ');
  const holdsWord = (text: string) => /[\p{L}\p{N}]/u.test(text);
  if (alone.test(wanted)) return 'field-alone';
  if (holdsWord(wanted)) return null;
  return holdsWord(query) ? 'leaves-out' : 'no-word';
}

const fields = 'person|who|brand|label|said|spoken|speech|written|text|ocr|title|id';
const marks = '"“”„«»＂';
/** What stands behind a minus: a word or a phrase, with the name of a field or without. */
const leftOut = new RegExp(`(?<![^\\s(|])[-－−](?:(?:(?:${fields})[:：])?[${marks}][^${marks}]*[${marks}]?|[^\\s${marks}|+()]+)`, 'gu');
/** The name of a field with nothing behind it. */
const alone = new RegExp(`^\\s*(?:(?:${fields})[:：]\\s*)+$`, 'iu');
