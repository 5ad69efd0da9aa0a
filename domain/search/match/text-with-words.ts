import type { TextRange } from '#contract/video-service/answers.ts';
import { wordCode } from '../../search-index/word-code.ts';
import { type FoldedText, foldText } from '../../words/fold-text.ts';
import { nextTokenStart, tokenEnd, tokenLengthMax } from '../../words/tokens.ts';
import type { WordHit } from './word-hits.ts';

/** A text with its words, folded. */
export interface TextWithWords {
  readonly folded: FoldedText;
  /** Where each word stands in the folded text, by its offsets. */
  readonly offsets: readonly { readonly from: number; readonly to: number }[];
}

/** Folds a text and finds the words in it. */
export function findWords(text: string): TextWithWords {
  const folded = foldText(text);
  const offsets: { from: number; to: number }[] = [];
  for (let from = nextTokenStart(folded.text, 0); from < folded.text.length; ) {
    const to = tokenEnd(folded.text, from);
    offsets.push({ from, to });
    from = nextTokenStart(folded.text, to);
  }
  return { folded, offsets };
}

/** The codes of the words. */
export function codeWords({ folded, offsets }: TextWithWords): Int32Array {
  return Int32Array.from(offsets, (word) => wordCode(cutWord(folded, word)));
}

/** Whether the words of a hit stand there, and not only others of the same codes; words are counted from `wordFrom` on. */
export function holdsWords({ folded, offsets }: TextWithWords, { from, tokens }: Pick<WordHit, 'from' | 'tokens'>, wordFrom = 0): boolean {
  return tokens.every((token, n) => {
    const word = offsets[from - wordFrom + n];
    return word !== undefined && cutWord(folded, word) === token;
  });
}

function cutWord({ text }: FoldedText, { from, to }: { from: number; to: number }): string {
  return text.slice(from, Math.min(to, from + tokenLengthMax));
}

/** The stretch of the text from one word to the one before another. */
export function toRange({ folded, offsets }: TextWithWords, { from, to }: { from: number; to: number }): TextRange {
  return [folded.surfaceAt(offsets[from]?.from ?? 0), folded.surfaceAt(offsets[to - 1]?.to ?? 0)];
}
