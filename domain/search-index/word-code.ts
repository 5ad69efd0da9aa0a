import { fnvHashOf, fnvStart, stepFnvHash } from '../words/fnv-hash.ts';

/** Codes below this one are no words. */
const reserved = 16;
export const lineEndCode = 0;
export const rowMark = 15;
export const sectionEnd = 14;
export const filmMark = 13;
/** Of a row: its mark, its kind with its language, and the two halves of its video's id. */
export const rowHeaderLength = 4;
const rowKinds = ['Head', 'Transcript', 'Ocr', 'Rough'];

const [languageShift, languageMax, playableBit] = [8, 0x7fff, 1 << 23];

/** What the second number of a row's header says. */
export interface RowFacts {
  readonly kind: string;
  /** The number of its film's language. */
  readonly language: number;
  readonly isPlayable: boolean;
}

/** The second number of a row's header. */
export function toRowKindCode({ kind, language, isPlayable }: RowFacts): number {
  return rowKinds.indexOf(kind) + (language << languageShift) + (isPlayable ? playableBit : 0);
}

/** The kind that such a number holds; undefined when it is none. */
export function kindOfRow(code: number): string | undefined {
  return rowKinds[code & 0xff];
}

/** The number of the language that such a number holds. */
export function languageOfRow(code: number): number {
  return (code >>> languageShift) & languageMax;
}

/** Whether such a number is of a video that can be played. */
export function isPlayableRow(code: number): boolean {
  return (code & playableBit) !== 0;
}

export const bytesPerCode = 4;

/** Of the second hash of a word, which differs where the first does not. */
const otherPrime = 0x2c1b3c6d;

/**
 * The number that stands for a folded word: 32 bits of FNV-1a, signed. Among a hundred thousand words
 * about one pair shares its code: then a passage is taken for a little better than it is.
 */
export function toWordCode(word: string): number {
  return toCode(fnvHashOf(word));
}

const [blank, lineEnd] = [32, 10];

/** A word where it stands in a text, with two hashes of 32 bits. */
export interface WordInText {
  text: string;
  from: number;
  to: number;
  hash: number;
  otherHash: number;
}

/** Hears of every word of a text that is written; the word that it is given changes afterwards. */
export type WordListener = (word: Readonly<WordInText>) => void;

/** Where codes are put, from `length` on. */
export interface CodeSink {
  codes: Int32Array;
  length: number;
}

/** Puts the codes of a text, words parted by blanks, behind those that a sink with room for them holds, and a line end behind every line. */
export function putWordCodes(text: string, sink: CodeSink, listener?: WordListener): void {
  const word: WordInText = { text, from: 0, to: 0, hash: fnvStart, otherHash: 0 };
  const { codes } = sink;
  let { length } = sink;
  for (let at = 0; at <= text.length; at++) {
    const unit = at < text.length ? text.charCodeAt(at) : lineEnd;
    if (unit !== blank && unit !== lineEnd) {
      word.hash = stepFnvHash(word.hash, unit);
      word.otherHash = (Math.imul(word.otherHash, otherPrime) + unit) | 0;
      continue;
    }
    if (at > word.from) {
      codes[length++] = toCode(word.hash);
      word.to = at;
      listener?.(word);
    }
    if (unit === lineEnd) codes[length++] = lineEndCode;
    word.from = at + 1;
    word.hash = fnvStart;
    word.otherHash = 0;
  }
  sink.length = length;
}

/** The codes of a text, as `putWordCodes` writes them. */
export function wordCodesOf(text: string): Int32Array {
  const sink = { codes: new Int32Array(text.length + 1), length: 0 };
  putWordCodes(text, sink);
  return sink.codes.subarray(0, sink.length);
}

/** Whether these words stand one after the other from `from` on, whatever line ends are between them. */
export function holdsPhraseAt(words: Int32Array, codes: readonly number[], from: number): boolean {
  return countLineEnds(words, codes, from) >= 0;
}

/** How many line ends are between these words, which stand one after the other from `from` on; -1 when they do not. */
export function countLineEnds(words: Int32Array, codes: readonly number[], from: number): number {
  let [at, ends] = [from, 0];
  for (const code of codes) {
    for (let between = words[at]; between === lineEndCode || between === rowMark; between = words[at]) {
      if (between === lineEndCode) ends++;
      at += between === rowMark ? rowHeaderLength : 1;
    }
    if (words[at] !== code) return -1;
    at++;
  }
  return ends;
}

/** The lines of codes without marks of rows between them. */
export function dropMarks(codes: Int32Array): Int32Array {
  const lines = new Int32Array(codes.length);
  let length = 0;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === rowMark) at += rowHeaderLength - 1;
    else lines[length++] = code;
  }
  return lines.subarray(0, length);
}

function toCode(hash: number): number {
  return hash >= 0 && hash < reserved ? hash + reserved : hash | 0;
}
