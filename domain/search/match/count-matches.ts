import type { FilmCodes } from '../../search-index/films/film-codes.ts';
import { shownAs, textKinds } from '../../search-index/films/film-text.ts';
import type { Answering } from './answering.ts';
import { holdsSignificant } from './film-hits.ts';
import { leastCoverageOf } from './find-matched-lines.ts';
import { findHeadMatches, type HeadOfVideo } from './head-matches.ts';
import { type MomentMatch, nameKey } from './moment-match.ts';

/*
 * The numbers beside a match, all of them: `countFilm` counts for filters and orders, `countShown` for a card and inside a film, and
 * `addMeant` adds what means the same.
 */

/** How many matches of each kind there are; a kind without any is left out. */
export type MatchCounts = Readonly<Partial<Record<MomentMatch['kind'], number>>>;

/** Counts matches by their kind. */
export function countByKind(matches: Iterable<{ readonly kind: MomentMatch['kind'] }>): MatchCounts {
  const counts: Partial<Record<MomentMatch['kind'], number>> = {};
  for (const { kind } of matches) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** All of them together. */
export function totalOf(counts: MatchCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/**
 * How many matches a video has in all by its words: what its card says, but for lines that hold other words of the same codes.
 * `hits`: how many words of its lines were found for that.
 */
export function countFilm(
  video: HeadOfVideo & { readonly film: FilmCodes },
  { answering, accepts }: { answering: Answering; accepts: (kind: MomentMatch['kind']) => boolean },
): { counts: MatchCounts; hits: number } {
  const counts: Partial<Record<MomentMatch['kind'], number>> = {};
  const { film } = video;
  const { language } = film;
  const named = new Set<string>();
  const add = (kind: MomentMatch['kind'], count: number) => {
    if (count > 0) counts[kind] = (counts[kind] ?? 0) + count;
  };
  const ofKinds = textKinds
    .filter((kind) => accepts(shownAs[kind]))
    .map((kind) => ({ kind, ...answering.lines[kind].count(film.lines[kind], { kind, language }) }));
  const least = leastCoverageOf(ofKinds.map(({ coverages = [] }) => coverages));
  for (const { kind, lines, coverages } of ofKinds) add(shownAs[kind], coverages ? countFrom(least, coverages) : lines);
  const hits = ofKinds.reduce((sum, each) => sum + each.hits, 0);
  for (const { kind, codes, text, lines } of film.names) {
    if (lines.length === 0 || !accepts(kind) || !holdsSignificant(codes, answering.matcher, { kind, language })) continue;
    add(kind, lines.length);
    named.add(nameKey(kind, text));
  }
  const inHead = findHeadMatches(video, answering, { named, codes: film.head }).filter(({ kind }) => accepts(kind));
  return { counts: addCounts(counts, countByKind(inHead)), hits };
}

function countFrom(least: number, coverages: readonly number[]): number {
  let count = 0;
  for (let n = 0; n < coverages.length; n++) if ((coverages[n] ?? 0) >= least) count++;
  return count;
}

/** The counts of a film's moments with its matches as a whole, less the moments of which only the codes answer. */
export function countShown(
  { counts }: { readonly counts: MatchCounts },
  { heads, codesOnly }: { heads: readonly Pick<MomentMatch, 'kind'>[]; codesOnly: readonly Pick<MomentMatch, 'kind'>[] },
): MatchCounts {
  return addCounts(addCounts(counts, countByKind(heads)), countByKind(codesOnly), -1);
}

/** The counts with the matches that meaning adds to them. */
export function addMeant(counts: MatchCounts, meant: readonly MomentMatch[]): MatchCounts {
  return addCounts(counts, countByKind(meant));
}

/** Both counts together; `share` -1 takes the others away. */
function addCounts(counts: MatchCounts, others: MatchCounts, share: 1 | -1 = 1): MatchCounts {
  const sums: Record<string, number> = { ...counts };
  for (const [kind, count] of Object.entries(others)) sums[kind] = (sums[kind] ?? 0) + share * count;
  return Object.fromEntries(Object.entries(sums).filter(([, count]) => count > 0));
}
