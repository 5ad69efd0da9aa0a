/** Codes from 0 to here are no words. */
export const lineEndCode = 0;
export const rowMark = 15;
export const sectionEnd = 14;
const reserved = 16;
/** Of a row: its mark, its kind and the two halves of its video's id. */
export const rowHeaderLength = 4;
export const rowKinds = ['Head', 'Transcript', 'Ocr'];
export const bytesPerCode = 4;

const [offsetBasis, prime] = [0x811c9dc5, 0x01000193];

/**
 * The number that stands for a folded word: 32 bits of FNV-1a over its code units (Fowler, Noll and Vo), signed. Two words of
 * an archive may share one, about once in a million pairs of a question: then a passage is taken for a little better than it is.
 */
export function wordCode(word: string): number {
  let hash = offsetBasis;
  for (let n = 0; n < word.length; n++) hash = Math.imul(hash ^ word.charCodeAt(n), prime);
  return asCode(hash);
}

const [blank, lineEnd] = [32, 10];

/** Puts the codes of a text, words parted by blanks, into `into` from `at` on, with a line end behind every line; where they end. */
export function putWordCodes(text: string, into: Int32Array, at: number): number {
  let to = at;
  let hash = offsetBasis;
  let isInWord = false;
  for (let n = 0; n <= text.length; n++) {
    const unit = n < text.length ? text.charCodeAt(n) : lineEnd;
    if (unit !== blank && unit !== lineEnd) {
      hash = Math.imul(hash ^ unit, prime);
      isInWord = true;
      continue;
    }
    if (isInWord) into[to++] = asCode(hash);
    if (unit === lineEnd) into[to++] = lineEndCode;
    hash = offsetBasis;
    isInWord = false;
  }
  return to;
}

/** The codes of a text, as `putWordCodes` writes them. */
export function wordCodesOf(text: string): Int32Array {
  const codes = new Int32Array(text.length + 1);
  return codes.subarray(0, putWordCodes(text, codes, 0));
}

function asCode(hash: number): number {
  return hash >= 0 && hash < reserved ? hash + reserved : hash | 0;
}
