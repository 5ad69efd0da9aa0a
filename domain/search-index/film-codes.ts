import type { FilmText, NameInFilm, TextKind } from './film-text.ts';
import { wordCodesOf } from './word-code.ts';

/** Who or what is named in a film, by the codes of the words. */
export interface CodedName extends Omit<NameInFilm, 'words'> {
  readonly codes: Int32Array;
}

/** The lines of a film as codes of their words: what of it is looked at to match it. */
export interface FilmCodes {
  /** What is said and what is written, a line end behind every line; marks of rows may stand between lines. */
  readonly lines: Readonly<Record<TextKind, Int32Array>>;
  readonly names: readonly CodedName[];
  /** Where the lines of the packed row stand. */
  readonly places: () => LinePlaces;
}

/** Where the lines of a packed row stand in it. */
export interface LinePlaces {
  /** Numbers of the lines that are said, and of those that are written, in order. */
  readonly ofKind: Readonly<Record<TextKind, readonly number[]>>;
  /** Where each line begins, in bytes from the beginning of the row; one more tells where the next would. */
  readonly starts: readonly number[];
}

/** The codes of a film, as its record in the index has them. */
export function filmCodesOf({ lines, names, ofLines }: FilmText): FilmCodes {
  const codesOf = (texts: readonly string[]) => (texts.length > 0 ? wordCodesOf(texts.join('\n')) : new Int32Array(0));
  return {
    lines: { Transcript: codesOf(lines.Transcript), Ocr: codesOf(lines.Ocr) },
    names: names.map(({ words, ...name }) => ({ ...name, codes: wordCodesOf(words) })),
    places: () => linePlaces(ofLines),
  };
}

/** Adds up where lines stand that are so long. */
export function linePlaces(ofLines: Iterable<{ readonly kind: TextKind | undefined; readonly bytes: number }>): LinePlaces {
  const ofKind: Record<TextKind, number[]> = { Transcript: [], Ocr: [] };
  const starts = [0];
  for (const { kind, bytes } of ofLines) {
    if (kind) ofKind[kind].push(starts.length - 1);
    starts.push((starts.at(-1) ?? 0) + bytes + 1);
  }
  return { ofKind, starts };
}
