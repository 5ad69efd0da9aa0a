import type { TextRange } from '#contract/video-service/answers.ts';
import { wordCode } from '../../search-index/word-code.ts';
import { type FoldedText, foldText } from '../../words/fold-text.ts';
import { nextTokenStart, tokenEnd, tokenLengthMax } from '../../words/tokens.ts';
import type { WordHit } from './word-hits.ts';

/** A text with its words, folded. */
export interface TextWithWords {
  readonly folded: FoldedText;
  /** Where each word stands in the folded text. */
  readonly places: readonly { readonly from: number; readonly to: number }[];
}

export function findWords(text: string): TextWithWords {
  const folded = foldText(text);
  const places: { from: number; to: number }[] = [];
  for (let from = nextTokenStart(folded.text, 0); from < folded.text.length; ) {
    const to = tokenEnd(folded.text, from);
    places.push({ from, to });
    from = nextTokenStart(folded.text, to);
  }
  return { folded, places };
}

/** The codes of the words. */
export function codeWords({ folded, places }: TextWithWords): Int32Array {
  return Int32Array.from(places, (place) => wordCode(cutWord(folded, place)));
}

/** Whether the words of a hit stand there, and not only others of the same codes; words are counted from `wordFrom` on. */
export function holdsWords({ folded, places }: TextWithWords, { from, tokens }: Pick<WordHit, 'from' | 'tokens'>, wordFrom = 0): boolean {
  return tokens.every((token, n) => {
    const place = places[from - wordFrom + n];
    return place !== undefined && cutWord(folded, place) === token;
  });
}

function cutWord({ text }: FoldedText, { from, to }: { from: number; to: number }): string {
  return text.slice(from, Math.min(to, from + tokenLengthMax));
}

/** The stretch of the text from one word to the one before another. */
export function toRange({ folded, places }: TextWithWords, { from, to }: { from: number; to: number }): TextRange {
  return [folded.surfaceAt(places[from]?.from ?? 0), folded.surfaceAt(places[to - 1]?.to ?? 0)];
}
