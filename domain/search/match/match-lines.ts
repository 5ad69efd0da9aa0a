import type { MatchKind } from '#contract/match-kinds.ts';
import type { FilmCodes } from '../../search-index/films/film-codes.ts';
import { type LineOffsets, shownAs, type TextKind, textKinds } from '../../search-index/films/film-text.ts';
import { lackingFit, ofMoment } from '../weights.ts';
import { Adjacency, type HitRange } from './adjacency.ts';
import type { Answering } from './answering.ts';
import { countByKind, type MatchCounts } from './count-matches.ts';
import { HitFinder } from './film-hits.ts';
import { leastCoverageOf, type MatchedLine } from './find-matched-lines.ts';
import { nameKey } from './moment-match.ts';
import { type WordHit, WordHits } from './word-hits.ts';

/** A moment that answers, as far as codes tell. */
export interface MatchedMoment {
  readonly kind: MatchKind;
  readonly score: number;
  /** What it shows as matched; words are counted from `wordFrom` on. */
  readonly hits: readonly WordHit[];
  readonly wordFrom: number;
  /** Number of its first line in the packed row. */
  readonly line: number;
  /** The numbers of the lines that it shows, their numbers among those of their kind, from 1, and whether they are rough; undefined where it shows a name. */
  readonly shows: { readonly lines: readonly number[]; readonly ofKind: readonly number[]; readonly isRough?: true } | undefined;
  /** The name that it shows. */
  readonly name: string | undefined;
}

export interface MatchedMoments {
  /** Best first, at most `limit`. */
  readonly moments: readonly MatchedMoment[];
  /** The number of each kind, whatever the limit. */
  readonly counts: MatchCounts;
  /** The people, labels and brands among all of them, as `nameKey` writes them. */
  readonly named: ReadonlySet<string>;
  /** Numbers of the concepts that any line holds. */
  readonly held: ReadonlySet<number>;
}

interface FindingOptions {
  readonly limit: number;
  /** Leaves kinds out that were not asked for. */
  readonly accepts: (kind: MatchKind) => boolean;
}

/** A moment that may be shown, with its hits still in the lists in which they were found. */
interface Candidate extends Pick<MatchedMoment, 'kind' | 'score' | 'line' | 'name'> {
  readonly range: HitsOf;
  /** The line that it shows, and its kind; undefined where it shows a name. */
  readonly matched: MatchedLine | undefined;
  readonly textKind: TextKind | undefined;
}

interface HitsOf extends HitRange {
  readonly hits: WordHits;
}

/** The moments of a film that answer a plan. */
export function matchLines(film: FilmCodes, answering: Answering, { limit, accepts }: FindingOptions): MatchedMoments {
  const scorer = new Scorer(answering);
  const found = [...textKinds.flatMap((kind) => findLines(film, kind, { answering, scorer })), ...findNamesInFilm(film, answering, scorer)];
  const held = new Set<number>();
  for (const { range } of found)
    for (let n = range.from; n < range.to; n++) if (range.hits.fit(n) > lackingFit) held.add(range.hits.concept(n));
  const accepted = found.filter(({ kind }) => accepts(kind));
  const least = leastCoverageOf([accepted.flatMap(({ matched }) => matched?.coverage ?? [])]);
  const candidates = accepted
    .filter(({ matched }) => matched === undefined || matched.coverage >= least)
    .sort((a, b) => b.score - a.score || a.line - b.line);
  const named = new Set(candidates.flatMap(({ kind, name }) => (name === undefined ? [] : nameKey(kind, name))));
  const moments = candidates.slice(0, limit).map((candidate) => toMoment(candidate, film));
  return { moments, counts: countByKind(candidates), named, held };
}

function findLines(film: FilmCodes, kind: TextKind, { answering, scorer }: { answering: Answering; scorer: Scorer }): Candidate[] {
  const lines = answering.lines[kind].find(film.lines[kind], { kind, language: film.language });
  if (lines.length === 0) return [];
  const numbers = film.lineOffsets().ofKind[kind];
  const share = kind === 'Rough' ? ofMoment.rough : 1;
  return lines.map((matched, n) => {
    const score = scorer.scoreOf(matched, linesBeside(matched, [lines[n - 1], lines[n + 1]])) * share;
    const line = numbers[matched.number] ?? 0;
    return { kind: shownAs[kind], score, range: matched, line, matched, textKind: kind, name: undefined };
  });
}

/** Of the lines that answer before and behind a line, those beside it. */
function linesBeside(
  { number }: MatchedLine,
  [before, behind]: readonly [MatchedLine | undefined, MatchedLine | undefined],
): MatchedLine[] {
  const next = [];
  if (before && number - before.number === 1) next.push(before);
  if (behind && behind.number - number === 1) next.push(behind);
  return next;
}

function findNamesInFilm({ names, language }: FilmCodes, { matcher }: Answering, scorer: Scorer): Candidate[] {
  const finder = new HitFinder(matcher);
  return names.flatMap(({ kind, isSpeaker, text, codes, lines }) => {
    const hits = new WordHits();
    finder.find(codes, { kind, language }, hits);
    if (hits.length === 0) return [];
    const range = { hits, from: 0, to: hits.length };
    const score = scorer.scoreOf(range, []) * (isSpeaker ? ofMoment.speaker : (ofMoment.kinds[kind] ?? 1));
    return lines.map((line) => ({ kind, score, range, line, matched: undefined, textKind: undefined, name: text }));
  });
}

function toMoment({ kind, score, range, line, matched, textKind, name }: Candidate, film: FilmCodes): MatchedMoment {
  const hits = range.hits.slice(range.from, range.to);
  if (!matched || !textKind) return { kind, score, hits, wordFrom: 0, line, shows: undefined, name };
  const { ofKind: numbers } = film.lineOffsets();
  const [lines, ofKind]: [number[], number[]] = [[], []];
  for (let n = matched.number; n <= matched.last; n++) {
    const one = numbers[textKind][n] ?? 0;
    lines.push(one);
    ofKind.push(n + 1 + countSpokenBefore(one, { textKind, numbers }));
  }
  const shows = textKind === 'Rough' ? { lines, ofKind, isRough: true as const } : { lines, ofKind };
  return { kind, score, hits, wordFrom: hits[0]?.lineFrom ?? 0, line, shows, name };
}

/** How many lines of the other kind of speech, rough or not, come before a line: readers count all that is said. */
function countSpokenBefore(line: number, { textKind, numbers }: { textKind: TextKind; numbers: LineOffsets['ofKind'] }): number {
  if (textKind === 'Ocr') return 0;
  const others = numbers[textKind === 'Rough' ? 'Transcript' : 'Rough'];
  let before = 0;
  while (before < others.length && (others[before] ?? 0) < line) before++;
  return before;
}

/** Scores one moment after the other. */
class Scorer {
  readonly #plan: Answering['plan'];
  /** The best fit of each concept in the moment that is looked at. */
  readonly #fits: Float64Array;
  readonly #adjacency: Adjacency;

  constructor({ plan }: Pick<Answering, 'plan'>) {
    this.#plan = plan;
    this.#adjacency = new Adjacency(plan);
    this.#fits = new Float64Array(plan.concepts.length);
  }

  scoreOf(own: HitsOf, neighbours: readonly HitsOf[]): number {
    const { concepts } = this.#plan;
    this.#fits.fill(0);
    this.#take(own, 1);
    for (const neighbour of neighbours) this.#take(neighbour, ofMoment.neighbour);
    let words = 0;
    for (let n = 0; n < concepts.length; n++) words += (concepts[n]?.weight ?? 0) * (this.#fits[n] ?? 0);
    return words + this.#adjacency.weigh(own.hits, own, own.to);
  }

  #take({ hits, from, to }: HitsOf, share: number): void {
    for (let n = from; n < to; n++) {
      const concept = hits.concept(n);
      this.#fits[concept] = Math.max(this.#fits[concept] ?? 0, hits.fit(n) * share);
    }
  }
}
