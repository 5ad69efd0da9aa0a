import type { MatchKind } from '#contract/match-kinds.ts';
import type { FilmCodes } from '../../search-index/films/film-codes.ts';
import type { TextKind } from '../../search-index/films/film-text.ts';
import type { SearchPlan } from '../query/search-plan.ts';
import { lackingFit, ofMoment } from '../weights.ts';
import { findSignificantHits, textKinds } from './film-hits.ts';
import { findMatchedLines, type MatchedLine } from './find-matched-lines.ts';
import type { WordHit } from './find-word-hits.ts';
import { countByKind, type MatchCounts } from './match-counts.ts';
import type { MomentMatch } from './moment-match.ts';
import type { PlanMatcher } from './plan-matcher.ts';
import { weighAdjacency } from './weigh-adjacency.ts';

/** A moment that answers, as far as codes tell. */
export interface FoundMoment {
  readonly kind: MatchKind;
  readonly score: number;
  /** What it shows as matched; words are counted from `wordFrom` on. */
  readonly hits: readonly WordHit[];
  readonly wordFrom: number;
  /** Number of its first line in the packed row. */
  readonly line: number;
  /** The numbers of the lines that it shows, and their numbers among those of their kind, from 1; undefined where it shows a name. */
  readonly shows: { readonly lines: readonly number[]; readonly ofKind: readonly number[] } | undefined;
  /** The name that it shows. */
  readonly name: string | undefined;
}

export interface FoundMoments {
  /** Best first, at most `limit`. */
  readonly moments: readonly FoundMoment[];
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

interface PlanToFind {
  readonly plan: SearchPlan;
  readonly matcher: PlanMatcher;
}

/** How a person, label or brand is told from others. */
export const nameKey = (kind: MomentMatch['kind'], name: string) => `${kind} ${name}`;

/** The moments of a film that answer a plan. */
export function findMoments(film: FilmCodes, finding: PlanToFind, { limit, accepts }: FindingOptions): FoundMoments {
  const found = [...textKinds.flatMap((kind) => findLines(film, kind, finding)), ...findNamesInFilm(film, finding)];
  const hits = found.flatMap((moment) => moment.hits);
  const held = new Set(hits.filter(({ fit }) => fit > lackingFit).map(({ concept }) => concept));
  const moments = found.filter(({ kind }) => accepts(kind)).sort((a, b) => b.score - a.score || a.line - b.line);
  const named = new Set(moments.flatMap(({ kind, name }) => (name === undefined ? [] : nameKey(kind, name))));
  return { moments: moments.slice(0, limit), counts: countByKind(moments), named, held };
}

function findLines(film: FilmCodes, kind: TextKind, finding: PlanToFind): FoundMoment[] {
  const matched = findMatchedLines(film.lines[kind], { kind, language: film.language }, finding);
  if (matched.length === 0) return [];
  const numbers = film.lineOffsets().ofKind[kind];
  return matched.map((line, n) => {
    const { number, last, hits } = line;
    const ofKind = Array.from({ length: last - number + 1 }, (_, further) => number + further + 1);
    const lines = ofKind.map((one) => numbers[one - 1] ?? 0);
    const score = scoreOf(line, [matched[n - 1], matched[n + 1]], finding) * (ofMoment.kinds[kind] ?? 1);
    return { kind, score, hits, wordFrom: hits[0]?.lineFrom ?? 0, line: lines[0] ?? 0, shows: { lines, ofKind }, name: undefined };
  });
}

function findNamesInFilm({ names, language }: FilmCodes, { plan, matcher }: PlanToFind): FoundMoment[] {
  return names.flatMap(({ kind, isSpeaker, text, codes, lines }) => {
    const hits = findSignificantHits(codes, matcher, { kind, language });
    if (hits.length === 0) return [];
    const share = isSpeaker ? ofMoment.speaker : (ofMoment.kinds[kind] ?? 1);
    const score = scoreOf({ number: 0, last: 0, hits }, [], { plan }) * share;
    return lines.map((line) => ({ kind, score, hits, wordFrom: 0, line, shows: undefined, name: text }));
  });
}

/** `neighbours`: the lines that answer before and behind it, of which those beside it count. */
function scoreOf(
  { number, hits }: MatchedLine,
  neighbours: readonly (MatchedLine | undefined)[],
  { plan }: Pick<PlanToFind, 'plan'>,
): number {
  const fits = new Float64Array(plan.concepts.length);
  const take = (some: readonly WordHit[], share: number) => {
    for (const { concept, fit } of some) fits[concept] = Math.max(fits[concept] ?? 0, fit * share);
  };
  take(hits, 1);
  for (const neighbour of neighbours) if (neighbour && Math.abs(neighbour.number - number) === 1) take(neighbour.hits, ofMoment.neighbour);
  const words = plan.concepts.reduce((sum, { weight }, n) => sum + weight * (fits[n] ?? 0), 0);
  return words + weighAdjacency(hits, plan, { from: 0, to: hits.length });
}
