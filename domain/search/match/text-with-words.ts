import type { TextRange } from '#contract/video-service/answers.ts';
import { toWordCode } from '../../search-index/word-code.ts';
import { type FoldedText, foldText } from '../../words/fold-text.ts';
import { skipToToken, skipToTokenEnd, tokenLengthMax } from '../../words/tokens.ts';
import type { WordHit } from './word-hits.ts';

/** A text with its words, folded. */
export interface TextWithWords {
  readonly folded: FoldedText;
  /** Where the words stand in the folded text: the offset at which each begins, and the one behind it. */
  readonly froms: readonly number[];
  readonly tos: readonly number[];
}

/** Folds a text and finds the words in it. */
export function findWords(text: string): TextWithWords {
  const folded = foldText(text);
  const [froms, tos]: [number[], number[]] = [[], []];
  for (let from = skipToToken(folded.text, 0); from < folded.text.length; ) {
    const to = skipToTokenEnd(folded.text, from);
    froms.push(from);
    tos.push(to);
    from = skipToToken(folded.text, to);
  }
  return { folded, froms, tos };
}

/** The codes of the words. */
export function codeWords(words: TextWithWords): Int32Array {
  return Int32Array.from(words.froms, (_, n) => toWordCode(cutWord(words, n)));
}

/** Whether the words of a hit stand there, and not only others of the same codes; words are counted from `wordFrom` on. */
export function holdsWords(words: TextWithWords, { from, tokens }: Pick<WordHit, 'from' | 'tokens'>, wordFrom = 0): boolean {
  return tokens.every((token, n) => cutWord(words, from - wordFrom + n) === token);
}

/** The word of this number as the index has it; nothing where there is none. */
function cutWord({ folded, froms, tos }: TextWithWords, n: number): string {
  const [from = 0, to = 0] = [froms[n], tos[n]];
  return folded.text.slice(from, Math.min(to, from + tokenLengthMax));
}

/** The stretch of the text from one word to the one before another. */
export function toRange({ folded, froms, tos }: TextWithWords, { from, to }: { from: number; to: number }): TextRange {
  return [folded.surfaceAt(froms[from] ?? 0), folded.surfaceAt(tos[to - 1] ?? 0)];
}
