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

/** The most words that `listNumberWays` knows a number by: two thousand and twenty one. */
export const numberWordsMax = 5;

let known: Map<string, string[][]> | undefined;

/** The same number written in other ways: three for 3, 21 for twenty one, nineteen sixty nine for 1969, and the other way round. */
export function listNumberWays(tokens: readonly string[]): readonly (readonly string[])[] {
  known ??= waysOfNumbers();
  return [...(known.get(tokens.join(' ')) ?? []), ...decimalWaysOf(tokens)];
}

/** 17.8, which is read as 17 and 8: seventeen point eight. 1.0: one point oh. 20.04: twenty oh four. */
function decimalWaysOf(tokens: readonly string[]): string[][] {
  const point = tokens.indexOf('point');
  if (point > 0) {
    const [whole, part] = [digitsOf(tokens.slice(0, point)), digitsOf(tokens.slice(point + 1))];
    return whole && part ? [[whole, part]] : [];
  }
  const [whole = '', part = '', ...more] = tokens;
  if (more.length > 0 || !/^\d{1,4}$/.test(whole) || !/^\d{1,2}$/.test(part)) return [];
  const [left, right] = [spellDigits(whole), spellDigits(part)];
  if (!left || !right) return [];
  if (part === '0')
    return [
      [...left, 'point', 'zero'],
      [...left, 'point', 'oh'],
    ];
  return [[...left, 'point', ...right], ...(part.length > 1 ? [[...left, ...right]] : [])];
}

function digitsOf(tokens: readonly string[]): string | undefined {
  const written = tokens.join(' ');
  if (written === 'oh') return '0';
  return [written, ...(known?.get(written) ?? []).map((way) => way.join(' '))].find((way) => /^\d+$/.test(way));
}

function spellDigits(digits: string): string[] | undefined {
  return known?.get(digits)?.find((way) => way.every((word) => /^[a-z]+$/.test(word)));
}

function waysOfNumbers(): Map<string, string[][]> {
  const ways = new Map<string, string[][]>();
  for (let n = 0; n <= 100; n++) {
    addWays(ways, [[String(n)], ...wordsOf(n)]);
    if (n > 0) addWays(ways, [[`${n}${endingOf(n)}`], ...wordsOf(n).map(toOrdinal)]);
    if (n < 10) addWays(ways, [[`0${n}`], ['oh', ...(wordsOf(n)[0] ?? [])], ['zero', ...(wordsOf(n)[0] ?? [])]]);
    if (n > 0) addWays(ways, [[`${n}000`], [`${n}k`], [String(n), 'thousand'], ...wordsOf(n).map((words) => [...words, 'thousand'])]);
  }
  for (let n = 101; n < 2_100; n++) addWays(ways, [[String(n)], ...wordsOfHundreds(n), ...wordsOfYear(n)]);
  for (const [at, ten] of tens.entries()) if (at > 1) addWays(ways, decadeWaysOf(`${at}0s`, `${ten.slice(0, -1)}ies`));
  addWays(ways, [['1000'], ['thousand']]);
  return ways;
}

/** 350: three hundred fifty, three hundred and fifty; 2021: two thousand twenty one. Nobody says one thousand nine hundred sixty nine. */
function wordsOfHundreds(n: number): string[][] {
  const [thousands, hundreds, rest] = [Math.floor(n / 1_000), Math.floor((n % 1_000) / 100), n % 100];
  if (rest === 0 && hundreds === 0) return [];
  if (n >= 1_100 && n < 2_000 && rest > 0) return [];
  const thousand = thousands > 0 ? [small[thousands] ?? '', 'thousand'] : [];
  const large = hundreds > 0 ? [...thousand, small[hundreds] ?? '', 'hundred'] : thousand;
  if (rest === 0) return [large];
  const [words = []] = wordsOf(rest);
  const ways = [
    [...large, ...words],
    [...large, 'and', ...words],
  ];
  // A hundred and fifty.
  return hundreds === 1 && thousands === 0 ? [...ways, ...ways.map(([, ...others]) => others)] : ways;
}

/** As years are said: nineteen sixty nine, nineteen hundred, nineteen oh five. And so 404 and 747: four oh four, seven forty seven. */
function wordsOfYear(n: number): string[][] {
  if (n % 1_000 < 100 && n < 2_001) return [];
  const century = n < 2_000 ? (small[Math.floor(n / 100)] ?? '') : 'twenty';
  const [rest, [words = []]] = [n % 100, wordsOf(n % 100)];
  if (rest === 0) return n < 1_000 ? [] : [[century, 'hundred']];
  return [rest < 10 ? [century, 'oh', ...words] : [century, ...words]];
}

function decadeWaysOf(digits: string, word: string): string[][] {
  return [[digits], [word], [`19${digits}`], ['nineteen', word]];
}

function addWays(known: Map<string, string[][]>, ways: string[][]): void {
  for (const way of ways) known.set(way.join(' '), [...(known.get(way.join(' ')) ?? []), ...ways.filter((other) => other !== way)]);
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

function toOrdinal(words: readonly string[]): string[] {
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
