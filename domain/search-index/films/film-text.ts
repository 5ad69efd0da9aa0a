import { type MomentText, unpackTexts } from '../../moments/packed-moments.ts';
import { lengthsOfLines } from '../../moments/packed-row.ts';
import { foldText } from '../../words/fold-text.ts';
import { tokensOf } from '../../words/tokens.ts';

/** What is said, what is written, and what is said as a recogniser heard it that is mostly wrong: a kind of its own, as everything else goes before it. */
export type TextKind = 'Transcript' | 'Ocr' | 'Rough';
export const textKinds: readonly TextKind[] = ['Transcript', 'Ocr', 'Rough'];
/** As what lines of a kind are shown and counted. */
export const shownAs = { Transcript: 'Transcript', Ocr: 'Ocr', Rough: 'Transcript' } as const;
/** As what a name in a film is shown and counted. */
export type NameMatchKind = 'Face' | 'Annotations' | 'Brand';

/** Who or what is named in a film. */
export interface NameInFilm {
  readonly kind: NameMatchKind;
  readonly isSpeaker: boolean;
  /** As it stands there. */
  readonly text: string;
  /** Its words, parted by blanks. */
  readonly words: string;
  /** Numbers of the lines where it appears. Who speaks appears where they first do, under the name that they have there. */
  readonly lines: readonly number[];
}

/** The lines of a film as words: what of it is looked at to match it. */
export interface FilmText {
  /** What is said and what is written, kind by kind, line by line, words parted by blanks. */
  readonly lines: Readonly<Record<TextKind, readonly string[]>>;
  readonly names: readonly NameInFilm[];
  /** Where the lines of the packed row stand, as `packLines` writes it. */
  readonly table: Buffer;
}

/** Reads the lines of a packed row as words. Throws on a row that `packMoments` did not write. */
export function readFilmText(body: string, moments: readonly MomentText[] = unpackTexts(body)): FilmText {
  const wordsOfKind = (kind: TextKind) => moments.filter((moment) => textKindOf(moment) === kind).map(({ text }) => wordsOf(text));
  const lengths = lengthsOfLines(body);
  return {
    lines: { Transcript: wordsOfKind('Transcript'), Ocr: wordsOfKind('Ocr'), Rough: wordsOfKind('Rough') },
    names: namesIn(moments),
    table: packLines(moments.map((moment, n) => ({ kind: textKindOf(moment), bytes: lengths[n] ?? 0 }))),
  };
}

function textKindOf({ kind, isRough }: Pick<MomentText, 'kind' | 'isRough'>): TextKind | undefined {
  if (!isText(kind)) return undefined;
  return isRough ? 'Rough' : kind;
}

function isText(kind: MomentText['kind']): kind is 'Transcript' | 'Ocr' {
  return kind === 'Transcript' || kind === 'Ocr';
}

const wordsOf = (text: string) => tokensOf(text).join(' ');

function namesIn(moments: readonly MomentText[]): NameInFilm[] {
  const names = new Map<string, NameInFilm & { readonly lines: number[] }>();
  const speakers = new Set<string>();
  const take = (kind: NameMatchKind, text: string, isSpeaker = false) => {
    const key = `${isSpeaker ? 'Speaker' : kind} ${text}`;
    const name = names.get(key) ?? { kind, isSpeaker, text, words: wordsOf(text), lines: [] };
    names.set(key, name);
    return name.lines;
  };
  for (const [line, { kind, text, speaker }] of moments.entries()) {
    if (!isText(kind)) take(kind, text).push(line);
    if (speaker === undefined || names.has(`Speaker ${speaker}`)) continue;
    const lines = take('Face', speaker, true);
    const folded = foldText(speaker).text;
    if (!speakers.has(folded)) lines.push(line);
    speakers.add(folded);
  }
  return [...names.values()];
}

/** Where the lines of a packed row stand in it. */
export interface LineOffsets {
  /** Numbers of the lines of each kind, in order. */
  readonly ofKind: Readonly<Record<TextKind, Int32Array>>;
  /** Where each line begins, in bytes from the beginning of the row; one more tells where the next would. */
  readonly starts: Int32Array;
}

const kinds: readonly (TextKind | undefined)[] = [undefined, ...textKinds];
const [kindBits, kindMask] = [2, 3];
const [base, isMore, bitsOfByte] = [128, 128, 7];

/** The kinds of the lines of a packed row and their lengths in bytes: of each line one number, seven bits to the byte. */
function packLines(lines: readonly { readonly kind: TextKind | undefined; readonly bytes: number }[]): Buffer {
  const table: number[] = [];
  for (const { kind, bytes } of lines) {
    let rest = bytes * (1 << kindBits) + kinds.indexOf(kind);
    for (; rest >= base; rest = Math.floor(rest / base)) table.push((rest % base) | isMore);
    table.push(rest);
  }
  return Buffer.from(table);
}

/** Reads back where the lines stand. For every card all lines of its film go through here. */
export function unpackLines(table: Uint8Array): LineOffsets {
  // Of each line there is a byte at least.
  const starts = new Int32Array(table.length + 1);
  const numbers: Int32Array[] = [];
  const filled = new Int32Array(kinds.length);
  let [line, start] = [0, 0];
  for (let at = 0; at < table.length; ) {
    let byte = table[at++] ?? 0;
    let value = byte & (base - 1);
    for (let shift = bitsOfByte; byte >= isMore; shift += bitsOfByte) {
      byte = table[at++] ?? 0;
      value |= (byte & (base - 1)) << shift;
    }
    const kind = value & kindMask;
    const n = filled[kind] ?? 0;
    numbers[kind] ??= new Int32Array(table.length);
    numbers[kind][n] = line;
    filled[kind] = n + 1;
    start += (value >>> kindBits) + 1;
    starts[++line] = start;
  }
  const [, Transcript = noLines, Ocr = noLines, Rough = noLines] = numbers.map((ofKind, kind) => ofKind.subarray(0, filled[kind]));
  return { ofKind: { Transcript, Ocr, Rough }, starts: starts.subarray(0, line + 1) };
}

const noLines = new Int32Array(0);
