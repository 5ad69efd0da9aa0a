import { withoutHeapsOfMarks } from '../videos/clean-text.ts';

/** A brand by name and by what tells it from a word that is written alike. */
export interface Brand {
  readonly name: string;
  /** The ways to write it, each as its words. */
  readonly spellings: readonly (readonly string[])[];
  /** Words in whose neighbourhood the brand is meant; undefined where its name means nothing else. */
  readonly near: ReadonlySet<string> | undefined;
}

/**
 * Reads a list of brands: one a line, the name first and other ways to write it behind commas; behind a colon the words that tell in its
 * neighbourhood that a name that means something else as well is meant as the brand. Empty lines and those that begin with # say nothing.
 */
export function parseBrandList(text: string): Brand[] {
  return text.split('\n').flatMap((line) => {
    if (line.trim() === '' || line.trimStart().startsWith('#')) return [];
    const [names = '', near] = line.split(':');
    const written = names.split(',').map((name) => name.trim());
    const [name = ''] = written;
    const spellings = written.map(foldedWordsOf).filter((words) => words.length > 0);
    if (spellings.length === 0) return [];
    return [{ name, spellings, near: near === undefined ? undefined : new Set(foldedWordsOf(near)) }];
  });
}

/** A word as it stands in a text, and folded for comparing: small letters and digits alone. */
export interface WrittenWord {
  readonly written: string;
  readonly folded: string;
}

/** The words of a text in order, each with the points behind it; parts of compounds and of web addresses are words. */
export function toWrittenWords(text: string): WrittenWord[] {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’&]*(?:[.!?…]+(?=\s|$))?/gu) ?? [];
  return words.map((written) => ({ written, folded: fold(written) }));
}

function foldedWordsOf(text: string): string[] {
  return toWrittenWords(text).map(({ folded }) => folded);
}

function fold(word: string): string {
  return withoutHeapsOfMarks(word)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}&]/gu, '');
}
