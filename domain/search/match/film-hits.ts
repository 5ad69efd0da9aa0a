import type { FilmCodes } from '../../search-index/films/film-codes.ts';
import type { NameKind, TextKind } from '../../search-index/films/film-text.ts';
import { isOfLanguage } from '../../words/languages/languages.ts';
import type { QueryField } from '../query/query.ts';
import { type Accepts, findWordHits, someWordHit, type WordHit } from './find-word-hits.ts';
import type { PlanMatcher, WordTable } from './plan-matcher.ts';

const fieldOf: Readonly<Record<string, QueryField>> = {
  Transcript: 'said',
  Ocr: 'written',
  Face: 'person',
  Brand: 'brand',
  Annotations: 'label',
};

export const textKinds: readonly TextKind[] = ['Transcript', 'Ocr'];

/** Where words stand. */
export interface WordsOf {
  readonly kind: string;
  /** The number of the film's language. */
  readonly language: number;
}

/** What may stand in words of this kind. */
export function acceptedIn({ kind, language }: WordsOf): Accepts {
  return acceptedInField(fieldOf[kind], language);
}

/** What may stand in a field of a film of this language, by its number. */
export function acceptedInField(own: QueryField | undefined, film: number): Accepts {
  return ({ field, language }) => (field === undefined || field === own) && isOfLanguage(language, film);
}

/** Whether any stretch of words in a film is one that is wanted. It looks no further than to the first of them. */
export function someHitInFilm({ lines, names, language }: FilmCodes, table: WordTable, isEnough: (hit: WordHit) => boolean): boolean {
  const isIn = (codes: Int32Array, kind: TextKind | NameKind) =>
    someWordHit(codes, table, { accepts: acceptedIn({ kind, language }), isEnough });
  return textKinds.some((kind) => isIn(lines[kind], kind)) || names.some(({ kind, codes }) => isIn(codes, kind));
}

/** Every stretch that meets a concept, in order. Stop words only in and beside lines where something else is found. */
export function findSignificantHits(words: Int32Array, { significant, stopWords }: PlanMatcher, of: WordsOf): WordHit[] {
  const accepts = acceptedIn(of);
  const hits = findWordHits(words, significant, { accepts });
  if (!stopWords || hits.length === 0) return hits;
  const lines = new Set(hits.flatMap(({ line }) => [line - 1, line, line + 1]));
  return [...hits, ...findWordHits(words, stopWords, { accepts, lines })].sort((a, b) => a.from - b.from || b.to - a.to);
}
