import { bytesPerCode, filmMark, wordCodesOf } from '../word-code.ts';
import type { CodedName, FilmCodes } from './film-codes.ts';
import { type FilmText, type LineOffsets, type NameMatchKind, type TextKind, unpackLines } from './film-text.ts';

/*
 * The record of a film stands behind its head row, and the sections of its lines behind that. It is made of 32-bit numbers:
 *   mark · length of the record · lengths of the three sections · revision, high and low · how many names · bytes of their texts · bytes of the table of lines
 *   each name: kind · lines · their numbers · words · their codes
 *   the names' texts, parted by line ends · the table of the lines of the packed row
 */

/** What the index keeps of a film to match it, as of a revision. */
export interface FilmRecord extends FilmCodes {
  readonly revision: number;
}

const headerLength = 10;
const nameKinds: readonly NameMatchKind[] = ['Face', 'Annotations', 'Brand'];
const speakerKind = nameKinds.length;
const half = 2 ** 31;

/** Where in a record the lengths of the sections stand, which are known once these are written. */
export const sectionLengthsAt: Readonly<Record<TextKind, number>> = { Transcript: 2, Ocr: 3, Rough: 4 };

/** The record of a film as numbers, without the lengths of the sections that come behind it. */
export function encodeFilmRecord({ revision, film }: { readonly revision: number; readonly film: FilmText }): Int32Array {
  const texts = Buffer.from(film.names.map(({ text }) => text).join('\n'));
  const { table } = film;
  const names = film.names.flatMap(({ kind, isSpeaker, lines, words }) => {
    const codes = wordCodesOf(words);
    return [isSpeaker ? speakerKind : nameKinds.indexOf(kind), lines.length, ...lines, codes.length, ...codes];
  });
  const bytes = Buffer.concat([texts, table, Buffer.alloc(bytesPerCode)]);
  const tail = Math.ceil((texts.length + table.length) / bytesPerCode);
  const length = headerLength + names.length + tail;
  const header = [filmMark, length, 0, 0, 0, Math.floor(revision / half), revision % half];
  const tailCodes = Array.from({ length: tail }, (_, n) => bytes.readInt32LE(n * bytesPerCode));
  return Int32Array.from([...header, film.names.length, texts.length, table.length, ...names, ...tailCodes]);
}

/** How many numbers a film takes from the beginning of its record to the end of its sections; undefined when `codes` do not show it. Throws when no record begins there. */
export function readFilmLength(codes: Int32Array): number | undefined {
  const [mark, length = 0, spoken = 0, written = 0, rough = 0] = codes;
  if (codes.length < headerLength) return undefined;
  if (mark !== filmMark) throw new Error('No film of the index begins here.');
  return length + spoken + written + rough;
}

/** Reads the record at the beginning of `codes`, which hold all of it, and uses them from then on. */
export function decodeFilmRecord(codes: Int32Array): Omit<FilmRecord, 'head' | 'language'> {
  const [, length = 0, spoken = 0, written = 0, rough = 0, high = 0, low = 0, nameCount = 0, textBytes = 0, tableBytes = 0] = codes;
  const { names, end } = readNames(codes, nameCount);
  const bytes = Buffer.from(codes.buffer, codes.byteOffset + end * bytesPerCode, textBytes + tableBytes);
  let offsets: LineOffsets | undefined;
  const texts = nameCount > 0 ? bytes.toString('utf8', 0, textBytes).split('\n') : [];
  return {
    revision: high * half + low,
    lines: {
      Transcript: sectionAt(codes, length, spoken),
      Ocr: sectionAt(codes, length + spoken, written),
      Rough: sectionAt(codes, length + spoken + written, rough),
    },
    names: names.map((name, n) => ({ ...name, text: texts[n] ?? '' })),
    lineOffsets: () => {
      offsets ??= unpackLines(bytes.subarray(textBytes));
      return offsets;
    },
  };
}

/** The lines of a section; its end is no part of them. */
function sectionAt(codes: Int32Array, from: number, length: number): Int32Array {
  return codes.subarray(from, from + Math.max(0, length - 1));
}

function readNames(codes: Int32Array, count: number): { names: Omit<CodedName, 'text'>[]; end: number } {
  const names: Omit<CodedName, 'text'>[] = [];
  let at = headerLength;
  for (let n = 0; n < count; n++) {
    const [kind = 0, lineCount = 0] = [codes[at], codes[at + 1]];
    const lines = Array.from(codes.subarray(at + 2, at + 2 + lineCount));
    const wordCount = codes[at + 2 + lineCount] ?? 0;
    at += 3 + lineCount + wordCount;
    names.push({ kind: nameKinds[kind] ?? 'Face', isSpeaker: kind === speakerKind, lines, codes: codes.subarray(at - wordCount, at) });
  }
  return { names, end: at };
}
