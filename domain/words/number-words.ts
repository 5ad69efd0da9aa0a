const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const irregular = new Map([
  ['one', 'first'],
  ['two', 'second'],
  ['three', 'third'],
  ['five', 'fifth'],
  ['eight', 'eighth'],
  ['nine', 'ninth'],
  ['twelve', 'twelfth'],
]);

/** The same number, up to a hundred, written in other ways: three for 3, 21 for twenty one, and the other way round. */
export function numberWays(tokens: readonly string[]): readonly (readonly string[])[] {
  return waysOf.get(tokens.join(' ')) ?? [];
}

const waysOf = new Map<string, string[][]>();
for (let n = 0; n <= 100; n++) {
  addWays([[String(n)], ...wordsOf(n)]);
  if (n > 0) addWays([[`${n}${endingOf(n)}`], ...wordsOf(n).map(asOrdinal)]);
}

function addWays(ways: string[][]): void {
  for (const way of ways) waysOf.set(way.join(' '), [...(waysOf.get(way.join(' ')) ?? []), ...ways.filter((other) => other !== way)]);
}

/** A number in words, as they may be written: twenty one, twentyone. */
function wordsOf(n: number): string[][] {
  if (n === 100) return [['hundred'], ['one', 'hundred']];
  const word = small[n];
  if (word !== undefined) return [[word]];
  const ten = tens[Math.floor(n / 10)] ?? '';
  const one = small[n % 10] ?? '';
  return n % 10 === 0 ? [[ten]] : [[ten, one], [ten + one]];
}

function asOrdinal(words: readonly string[]): string[] {
  const last = words.at(-1) ?? '';
  return [...words.slice(0, -1), ordinalOf(last)];
}

function ordinalOf(word: string): string {
  for (const [plain, ordinal] of irregular) if (word.endsWith(plain)) return word.slice(0, -plain.length) + ordinal;
  return word.endsWith('y') ? `${word.slice(0, -1)}ieth` : `${word}th`;
}

function endingOf(n: number): string {
  if (n % 100 >= 11 && n % 100 <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][n % 10] ?? 'th';
}
