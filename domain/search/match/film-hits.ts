import type { FilmCodes } from '../../search-index/films/film-codes.ts';
import { type NameMatchKind, type TextKind, textKinds } from '../../search-index/films/film-text.ts';
import { isOfLanguage } from '../../words/languages/languages.ts';
import type { QueryField } from '../query/query.ts';
import { type Accepts, findWordHits, type HitListener, seekWordHit } from './find-word-hits.ts';
import type { PlanMatcher, WordTable } from './plan-matcher.ts';
import { WordHits } from './word-hits.ts';

const fieldOf: Readonly<Record<string, QueryField>> = {
  Transcript: 'said',
  Ocr: 'written',
  Rough: 'said',
  Face: 'person',
  Brand: 'brand',
  Annotations: 'label',
};

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
export function someHitInFilm({ lines, names, language }: FilmCodes, table: WordTable, isEnough: HitListener): boolean {
  const isIn = (codes: Int32Array, kind: TextKind | NameMatchKind) =>
    seekWordHit(codes, table, { accepts: acceptedIn({ kind, language }), isEnough });
  return textKinds.some((kind) => isIn(lines[kind], kind)) || names.some(({ kind, codes }) => isIn(codes, kind));
}

/** Whether these words hold anything significant. */
export function holdsSignificant(words: Int32Array, { significant }: PlanMatcher, of: WordsOf): boolean {
  return seekWordHit(words, significant, { accepts: acceptedIn(of), isEnough: () => true });
}

/** Finds what a plan asks for in the words of one film after the other. */
export class HitFinder {
  readonly #matcher: PlanMatcher;
  readonly #significant = new WordHits();
  readonly #stopWords = new WordHits();

  constructor(matcher: PlanMatcher) {
    this.#matcher = matcher;
  }

  /** Fills a list with every stretch that meets a concept, in order. Stop words only in and beside lines where something else is found. */
  find(words: Int32Array, of: WordsOf, hits: WordHits): void {
    const { significant, stopWords } = this.#matcher;
    const accepts = acceptedIn(of);
    if (!stopWords) {
      findWordHits(words, significant, { into: hits, accepts });
      return;
    }
    hits.clear();
    findWordHits(words, significant, { into: this.#significant, accepts });
    if (this.#significant.length === 0) return;
    findWordHits(words, stopWords, { into: this.#stopWords, accepts, lines: linesAround(this.#significant) });
    merge(this.#significant, this.#stopWords, hits);
  }
}

/** The lines in which hits begin, and those beside them. */
function linesAround(hits: WordHits): Set<number> {
  const lines = new Set<number>();
  for (let n = 0; n < hits.length; n++) {
    const line = hits.line(n);
    if (n === 0 || line !== hits.line(n - 1))
      lines
        .add(line - 1)
        .add(line)
        .add(line + 1);
  }
  return lines;
}

/** Both in order: of those that begin with the same word the longest first. */
function merge(some: WordHits, others: WordHits, into: WordHits): void {
  const isBefore = (n: number, m: number) =>
    some.from(n) < others.from(m) || (some.from(n) === others.from(m) && some.to(n) >= others.to(m));
  for (let n = 0, m = 0; n < some.length || m < others.length; ) {
    if (m >= others.length || (n < some.length && isBefore(n, m))) into.addOf(some, n++);
    else into.addOf(others, m++);
  }
}
