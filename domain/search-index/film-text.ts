import { type MomentText, unpackTexts } from '../moments/packed-moments.ts';
import { foldText } from '../words/fold-text.ts';
import { tokensOf } from '../words/tokens.ts';
import { packLines } from './line-table.ts';

export type TextKind = 'Transcript' | 'Ocr';
export type NameKind = 'Face' | 'Annotations' | 'Brand';

/** Who or what is named in a film. */
export interface NameInFilm {
  readonly kind: NameKind;
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
  /** What is said and what is written, line by line, words parted by blanks. */
  readonly lines: Readonly<Record<TextKind, readonly string[]>>;
  readonly names: readonly NameInFilm[];
  /** Where the lines of the packed row stand, as `packLines` writes it. */
  readonly table: Buffer;
}

/** Reads the lines of a packed row as words. Throws on a row that `packMoments` did not write. */
export function filmText(body: string, moments: readonly MomentText[] = unpackTexts(body)): FilmText {
  const wordsOfKind = (kind: TextKind) => moments.filter((moment) => moment.kind === kind).map(({ text }) => wordsOf(text));
  const packed = body === '' ? [] : body.split('\n');
  return {
    lines: { Transcript: wordsOfKind('Transcript'), Ocr: wordsOfKind('Ocr') },
    names: namesIn(moments),
    table: packLines(moments.map(({ kind }, n) => ({ kind: isText(kind) ? kind : undefined, bytes: Buffer.byteLength(packed[n] ?? '') }))),
  };
}

function isText(kind: MomentText['kind']): kind is TextKind {
  return kind === 'Transcript' || kind === 'Ocr';
}

const wordsOf = (text: string) => tokensOf(text).join(' ');

function namesIn(moments: readonly MomentText[]): NameInFilm[] {
  const names = new Map<string, NameInFilm & { readonly lines: number[] }>();
  const speakers = new Set<string>();
  const take = (kind: NameKind, text: string, isSpeaker = false) => {
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
