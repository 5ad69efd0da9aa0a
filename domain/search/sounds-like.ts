/** Spellings that sound alike, most telling first. */
const alike: readonly [RegExp, string][] = [
  [/^(kn|gn|pn)/, 'n'],
  [/^wr/, 'r'],
  [/^(sch|sh|sj|sz|zs)/, 's'],
  [/(tsch|tch|ch|cz|cs)/g, 'c'],
  [/ph/g, 'f'],
  [/(ck|q|x)/g, 'k'],
  [/gh/g, 'g'],
  [/th/g, 't'],
  [/(sch|sh|sz|zs|z)/g, 's'],
  [/c(?=[eiy])/g, 's'],
  [/c/g, 'k'],
  [/[dt]+/g, 't'],
  [/[bp]+/g, 'p'],
  [/[gk]+/g, 'k'],
  [/[vfw]+/g, 'f'],
  [/j/g, 'y'],
];

/** A key that words have in common when they sound much alike: consonants by their kind, vowels only at the start. */
export function soundKey(word: string): string {
  let key = word;
  for (const [spelling, sound] of alike) key = key.replace(spelling, sound);
  const start = /^[aeiouyh]/.test(key) ? 'a' : key.charAt(0);
  return (
    start +
    key
      .slice(1)
      .replace(/[aeiouyh]+/g, '')
      .replace(/(.)\1+/g, '$1')
  );
}
