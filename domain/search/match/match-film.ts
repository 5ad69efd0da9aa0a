import type { SearchedFor } from '#contract/video-service.ts';
import { planSearch } from '../query/plan-search.ts';
import type { SearchRun } from '../search-parts.ts';
import { searchedFor } from './explain-answer.ts';
import type { FoldedBody } from './folded-body.ts';
import { answeringPlans, toFoundVideo } from './found-video.ts';
import type { MatchCounts } from './match-counts.ts';
import { answersAnyPlan } from './meets-conditions.ts';
import type { MomentMatch } from './moment-match.ts';
import { readVideos } from './read-videos.ts';

/** Nobody steps through more of them, and a browser draws them all. */
const matchesOfFilmMax = 10_000;

/** A match of one film, and the numbers of the lines that its text shows among all lines of its kind, from 1. */
export interface FilmMatch extends MomentMatch {
  readonly ofKind?: readonly number[];
}

/** Every match of one film. */
export interface FilmMatches {
  /** In order of time; what belongs to the film as a whole stands at its beginning. */
  readonly matches: readonly FilmMatch[];
  readonly matchesTotal: number;
  readonly counts: MatchCounts;
  /** What was searched for in place of words that occur nowhere. */
  readonly searchedFor?: SearchedFor;
}

/**
 * All that a card tells of this film for this query, and the matches that it leaves out. A film that the query does not find has none;
 * neither has one that nobody may see. Throws `query_too_long` and `SearchTimeout`.
 */
export async function matchFilm(search: SearchRun, { videoId, query }: { videoId: string; query: string }): Promise<FilmMatches> {
  const { texts, plans } = await planSearch(search, { query: [query], purpose: 'results' });
  const [video] = plans.length === 0 ? [] : await readVideos(search, [videoId], { withWordStarts: true });
  const [text, plan] = [texts[0], plans[0]];
  if (!video || text === undefined || !plan || !answersAnyPlan(video, video.body, plans))
    return { matches: [], matchesTotal: 0, counts: {} };
  const found = toFoundVideo(video, { answering: answeringPlans(plans), accepts: () => true, limit: matchesOfFilmMax });
  const { matches, matchesTotal, counts } = found;
  const numberOf = numbersOfLines(video.body);
  const inTime = matches
    .toSorted((a, b) => a.startMs - b.startMs || Number(a.isTimed) - Number(b.isTimed))
    .map((match) => (match.lines ? { ...match, ofKind: match.lines.map(numberOf) } : match));
  const taken = searchedFor(text, plan);
  return { matches: inTime, matchesTotal, counts, ...(taken ? { searchedFor: taken } : {}) };
}

/** Tells which one of its kind a line of a packed row is, from 1; lines of a kind are numbered in their order. */
function numbersOfLines(body: FoldedBody): (line: number) => number {
  const counts = new Map<string, number>();
  const numbers = Array.from({ length: body.lineCount }, (_, line) => {
    const { letter } = body.line(line);
    const number = (counts.get(letter) ?? 0) + 1;
    counts.set(letter, number);
    return number;
  });
  return (line) => numbers[line] ?? 0;
}
