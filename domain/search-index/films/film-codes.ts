import { unpackTexts } from '../../moments/packed-moments.ts';
import { toLanguageNumber } from '../../words/languages/languages.ts';
import { codeHeadText, type HeadFacts } from '../head-lines.ts';
import { wordCodesOf } from '../word-code.ts';
import { type FilmText, type LineOffsets, type NameInFilm, readFilmText, type TextKind, unpackLines } from './film-text.ts';

/** Who or what is named in a film, by the codes of the words. */
export interface CodedName extends Omit<NameInFilm, 'words'> {
  readonly codes: Int32Array;
}

/** The lines of a film as codes of their words: what of it is looked at to match it. */
export interface FilmCodes {
  /** What is said and what is written, kind by kind, a line end behind every line; marks of rows may stand between lines. */
  readonly lines: Readonly<Record<TextKind, Int32Array>>;
  readonly names: readonly CodedName[];
  /** Where the lines of the packed row stand. */
  readonly lineOffsets: () => LineOffsets;
  /** The number of its language. */
  readonly language: number;
  /** The codes of the head row. */
  readonly head: Int32Array;
}

/** What the record of a film holds, by its packed row. Throws on a row that `packMoments` did not write. */
export function makeFilmCodes(facts: HeadFacts & { readonly language: string }, body: string): FilmCodes {
  const moments = unpackTexts(body);
  return { ...codeFilmText(readFilmText(body, moments)), language: toLanguageNumber(facts.language), head: codeHeadText(facts, moments) };
}

/** The codes of what is in a film. */
export function codeFilmText({ lines, names, table }: FilmText): Omit<FilmCodes, 'head' | 'language'> {
  const codesOf = (texts: readonly string[]) => (texts.length > 0 ? wordCodesOf(texts.join('\n')) : new Int32Array(0));
  return {
    lines: { Transcript: codesOf(lines.Transcript), Ocr: codesOf(lines.Ocr), Rough: codesOf(lines.Rough) },
    names: names.map(({ words, ...name }) => ({ ...name, codes: wordCodesOf(words) })),
    lineOffsets: () => unpackLines(table),
  };
}
