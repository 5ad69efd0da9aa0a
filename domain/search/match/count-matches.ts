import type { FilmCodes } from '../../search-index/film-codes.ts';
import { findTellingHits, textKinds } from './film-hits.ts';
import { nameKey } from './find-moments.ts';
import { someWordHit } from './find-word-hits.ts';
import { type HeadOfVideo, headMatches } from './head-matches.ts';
import { countByKind, type MatchCounts, sumOfCounts } from './match-counts.ts';
import type { Showing } from './match-videos.ts';
import { matchedLines } from './matched-lines.ts';
import type { MomentMatch } from './moment-match.ts';

/** How many matches a video has in all: what its card tells, but for lines that hold other words of the same codes. */
export function countMatches(
  video: HeadOfVideo,
  film: FilmCodes,
  { answering, accepts }: Pick<Showing, 'answering' | 'accepts'>,
): MatchCounts {
  const counts: Partial<Record<MomentMatch['kind'], number>> = {};
  const named = new Set<string>();
  const add = (kind: MomentMatch['kind'], count: number) => {
    if (count > 0) counts[kind] = (counts[kind] ?? 0) + count;
  };
  for (const kind of textKinds) if (accepts(kind)) add(kind, matchedLines(film.lines[kind], kind, answering).length);
  for (const { kind, codes, text, lines } of film.names) {
    if (lines.length === 0 || !accepts(kind) || findTellingHits(codes, answering.matcher, kind).length === 0) continue;
    add(kind, lines.length);
    named.add(nameKey(kind, text));
  }
  // Most heads hold nothing of what is asked for.
  if (!someWordHit(film.head, answering.matcher.telling, { isEnough: () => true })) return counts;
  return sumOfCounts(counts, countByKind(headMatches(video, answering, named).filter(({ kind }) => accepts(kind))));
}
