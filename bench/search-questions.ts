import type { MeasuredArchive } from '#testing/measured-archive.ts';
import { type SeededRandom, seededRandom } from '#testing/seeded-random.ts';
import type { SpokenLines } from './search-corpus.ts';
import { wordsByShare } from './words-by-share.ts';

export const questionClasses = [
  'common',
  'medium',
  'rare',
  'stop',
  'two',
  'three',
  'phrase',
  'prefix',
  'typo',
  'not',
  'sounds',
  'field',
  'suggest',
] as const;
export type QuestionClass = (typeof questionClasses)[number];

export interface Question {
  readonly class: QuestionClass;
  readonly query: string;
}

const questionsPerClass = 40;

/** Questions of every class, made from the words of the archive by how many videos hold them. The same for the same archive and seed. */
export async function makeQuestions(
  archive: MeasuredArchive,
  spoken: SpokenLines,
  { perClass = questionsPerClass, seed = 7 } = {},
): Promise<Question[]> {
  const random = seededRandom(seed);
  const words = await wordsByShare(archive);
  const { known, stops } = words;
  const lineWords = () => wordsOfLine(random, spoken, (word) => known.has(word) && !archive.isStopWord(word));
  const wordsOfHeads = [...spoken.titles, ...spoken.names]
    .flatMap(plainWords)
    .filter((word) => known.has(word) && !archive.isStopWord(word));
  // A blank at the end: the last word is finished, so it is no prefix.
  const makers: Record<QuestionClass, () => string> = {
    common: () => `${random.pick(words.common) ?? random.pick(words.medium)} `,
    medium: () => `${random.pick(words.medium)} `,
    rare: () => `${random.pick(words.rare)} `,
    stop: () => `${random.pick(stops.slice(0, 12))} `,
    two: () => `${lineWords().slice(0, 2).join(' ')} `,
    three: () => `${lineWords().slice(0, 3).join(' ')} `,
    phrase: () => `"${runOfWords(random, spoken, 3)}"`,
    prefix: () => `${random.pick(words.medium)} ${(random.pick(words.medium) ?? '').slice(0, 2 + random.below(3))}`,
    typo: () => `${misspelt(random, random.pick([...words.medium]) ?? '', known)} `,
    not: () => `${random.pick(words.medium)} -${random.pick(words.medium)} `,
    sounds: () => `${writtenAsHeard(random, words.medium, known)} `,
    field: () => `${random.pick(['title', 'person', 'said', 'written'])}:${random.pick(words.medium)} `,
    suggest: () => (random.pick(wordsOfHeads) ?? '').slice(0, 2 + random.below(4)),
  };
  return questionClasses.flatMap((kind) => Array.from({ length: perClass }, () => ({ class: kind, query: makers[kind]() })));
}

function plainWords(line: string): string[] {
  return line.toLowerCase().match(/[a-z]+/g) ?? [];
}

function wordsOfLine(random: SeededRandom, spoken: SpokenLines, accepts: (word: string) => boolean): string[] {
  for (;;) {
    const words = [...new Set(plainWords(random.pick(spoken.lines) ?? '').filter(accepts))];
    if (words.length >= 3) return words;
  }
}

function runOfWords(random: SeededRandom, spoken: SpokenLines, length: number): string {
  for (;;) {
    const words = (random.pick(spoken.lines) ?? '').toLowerCase().split(' ');
    const from = random.below(words.length);
    const run = words.slice(from, from + length);
    if (run.length === length && run.every((word) => /^[a-z]+$/.test(word))) return run.join(' ');
  }
}

/** Leaves out, doubles or changes one letter, so that a word comes out that the archive does not hold. */
export function misspelt(random: SeededRandom, word: string, known: ReadonlySet<string>): string {
  for (;;) {
    const at = 1 + random.below(word.length - 1);
    const wrong = random.pick([
      word.slice(0, at) + word.slice(at + 1),
      word.slice(0, at) + word.slice(at - 1),
      `${word.slice(0, at)}${String.fromCharCode(97 + random.below(26))}${word.slice(at + 1)}`,
    ]);
    if (wrong && !known.has(wrong)) return wrong;
  }
}

/** Other letters for the same sound. */
const heardAs: readonly [RegExp, string][] = [
  [/ph/, 'f'],
  [/(?<!^)f/, 'ph'],
  [/c(?=[aour])/, 'k'],
  [/ck?(?=$)/, 'k'],
  [/s(?=[eiy])/, 'z'],
  [/x/, 'ks'],
  [/[ae]i/, 'ay'],
  [/(?<=[^aeiou])y$/, 'ie'],
  [/tion/, 'shun'],
];

/** A word that the archive does not hold, written as one of its words may be heard: with at least two letters otherwise. */
function writtenAsHeard(random: SeededRandom, words: readonly string[], known: ReadonlySet<string>): string {
  for (;;) {
    const word = random.pick(words) ?? '';
    const heard = heardAs.reduce((written, [letters, others]) => written.replace(letters, others), word);
    if (heard.length > 4 && heard !== word && !known.has(heard)) return heard;
  }
}
