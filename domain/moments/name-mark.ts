import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';

/** By what a name is known again without being kept: a salted hash of its words, without accents and in small letters, and how many they are. */
export const NameMark = z.object({ salt: z.string(), words: z.number().int(), hash: z.string() });
export type NameMark = z.infer<typeof NameMark>;

/** The mark of a name; another one each time. */
export function markName(name: string): NameMark {
  const salt = randomBytes(16).toString('hex');
  const words = wordsOf(name);
  return { salt, words: words.length, hash: hashOf(words, salt) };
}

/** Whether this is the name that was marked, however it is written. */
export function isMarkedName(name: string, mark: NameMark): boolean {
  const words = wordsOf(name);
  return words.length === mark.words && hashOf(words, mark.salt) === mark.hash;
}

/** Whether the name that was marked stands in a text. */
export function holdsMarkedName(text: string, { salt, words: length, hash }: NameMark): boolean {
  const words = wordsOf(text);
  return words.some((_, from) => from + length <= words.length && hashOf(words.slice(from, from + length), salt) === hash);
}

function wordsOf(text: string): string[] {
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [folded.trim()];
}

function hashOf(words: readonly string[], salt: string): string {
  return createHmac('sha256', salt).update(words.join(' ')).digest('hex');
}
