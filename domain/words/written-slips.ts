/** Signs that are taken for each other when text is read off a picture: as they are, and as they may have been read. */
const slips: readonly (readonly [string, string])[] = [
  ['rn', 'm'],
  ['m', 'rn'],
  ['o', '0'],
  ['0', 'o'],
  ['l', '1'],
  ['i', '1'],
  ['1', 'l'],
  ['1', 'i'],
  ['i', 'l'],
  ['l', 'i'],
];
const lengthMin = 3;

/** How a word may stand in text that was read off a picture; most of the answers are no words, so ask the vocabulary. */
export function writtenSlips(word: string): Set<string> {
  const found = new Set<string>();
  if (word.length < lengthMin) return found;
  for (const [sign, read] of slips) {
    if (!word.includes(sign)) continue;
    for (let at = word.indexOf(sign); at >= 0; at = word.indexOf(sign, at + 1)) {
      found.add(word.slice(0, at) + read + word.slice(at + sign.length));
    }
    found.add(word.replaceAll(sign, read));
  }
  found.delete(word);
  return found;
}
