const words =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty';
const tens = 'thirty forty fifty sixty seventy eighty ninety hundred';
const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth';

const pairs: [string, string][] = [
  ...words.split(' ').map((word, n): [string, string] => [word, String(n)]),
  ...tens.split(' ').map((word, n): [string, string] => [word, String((n + 3) * 10)]),
  ...ordinals.split(' ').map((word, n): [string, string] => [word, `${n + 1}${['st', 'nd', 'rd'][n] ?? 'th'}`]),
];

const other = new Map([...pairs, ...pairs.map(([word, digits]): [string, string] => [digits, word])]);

/** The same number written the other way: three for 3, and 3 for three. */
export function numberWord(word: string): string | undefined {
  return other.get(word);
}
