import { limits } from '#contract/limits.ts';
import type { SearchPlan } from '../query/search-plan.ts';
import type { FoundVideo } from '../search-request.ts';
import { countShown } from './count-matches.ts';
import { listLackingWords } from './explain-answer.ts';
import { findHeadMatches } from './head-matches.ts';
import { markRanges } from './marked-ranges.ts';
import type { MatchedMoment } from './match-lines.ts';
import { type ShownLine, startOfMatch } from './match-start.ts';
import type { MatchedVideo, Showing } from './match-videos.ts';
import type { MomentMatch } from './moment-match.ts';
import { findWords, holdsWords } from './text-with-words.ts';

/** A video with its best matches. A moment whose line only holds other words of the same codes is neither shown nor counted. */
export function toFoundVideo(
  { video, film, found, lines }: MatchedVideo,
  { answering, accepts, limit = limits.matchesPerVideoMax }: Showing,
): FoundVideo {
  const shown = found.moments.map((moment) => ({ kind: moment.kind, match: showMoment(moment, lines, answering.plan) }));
  const heads = findHeadMatches(video, answering, { named: found.named, codes: film.head }).filter(({ kind }) => accepts(kind));
  const all = [...shown.flatMap(({ match }) => match ?? []), ...heads].sort((a, b) => b.score - a.score || a.startMs - b.startMs);
  return {
    video,
    matches: all.slice(0, limit),
    counts: countShown(found, { heads, codesOnly: shown.filter(({ match }) => !match) }),
    lacks: listLackingWords(film, answering, found.held),
  };
}

/** The match that a found moment makes, by the lines of the film; undefined when they only hold other words of the same codes. */
function showMoment(moment: MatchedMoment, lines: ReadonlyMap<number, ShownLine>, plan: SearchPlan): MomentMatch | undefined {
  const { kind, score, shows, wordFrom, name } = moment;
  const first = lines.get(moment.line);
  if (!first) return undefined;
  const text = name ?? (shows?.lines ?? []).flatMap((number) => lines.get(number)?.text ?? []).join(' ');
  const words = findWords(text);
  const hits = moment.hits.filter((hit) => holdsWords(words, hit, wordFrom));
  const ranges = markRanges(words, hits, { plan, wordFrom });
  const [range] = ranges;
  if (!range) return undefined;
  const shown = { kind, isTimed: true, text, ranges, score };
  if (!shows) return { ...shown, startMs: first.startMs };
  return { ...shown, ...startOfMatch(first, { from: range[0], kind }), ...shows };
}
