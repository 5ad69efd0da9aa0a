import type { RowWords } from '../../search-index/read-row-words.ts';
import { lineEndCode } from '../../search-index/word-code.ts';
import { acceptedIn } from '../match/film-hits.ts';
import { findWordHits, type WordHit } from '../match/find-word-hits.ts';
import type { PlanMatcher } from '../match/plan-matcher.ts';
import { weighAdjacency } from '../match/weigh-adjacency.ts';
import { isExactFit, type SearchPlan, significantConcepts } from '../query/search-plan.ts';
import { lackingFit, ofPassage } from '../weights.ts';

/** How near to each other all the concepts stand: in one line, within three, in one passage; or some are lacking. */
export const nearness = { lacking: 0, passage: 1, neighbours: 2, line: 3 } as const;

export interface PassageScore {
  readonly score: number;
  readonly nearness: number;
  /** Whether the very words that were asked for stand that near to each other. */
  readonly isExact: boolean;
  /** Best fit of each concept anywhere in the passage, 0 where it is lacking. */
  readonly fits: Float64Array;
}

/** What stands where in a passage: a row of concepts for each line. */
interface PassageFits {
  readonly lineCount: number;
  readonly conceptCount: number;
  /** Best fit of each concept in each line, 0 where it is lacking. */
  readonly byLine: Float64Array;
  readonly whole: Float64Array;
}

/** Scores a passage by the best place in it: the line around which most of what is asked for stands close together. */
export function scorePassage(
  { words, ...of }: Pick<RowWords, 'words' | 'kind' | 'language'>,
  plan: SearchPlan,
  matcher: PlanMatcher,
): PassageScore {
  const hits = findWordHits(words, matcher.all, { accepts: acceptedIn(of) });
  const passage = fitsOf(hits, { lineCount: linesOf(words), conceptCount: plan.concepts.length });
  const adjacency = adjacencyByLine(hits, plan, passage.lineCount);
  let best = 0;
  for (let line = 0; line < passage.lineCount; line++) best = Math.max(best, scoreLine(plan, passage, line) + (adjacency[line] ?? 0));
  const counts = new Float64Array(passage.conceptCount);
  for (const { concept, fit } of hits) counts[concept] = (counts[concept] ?? 0) + fit;
  for (const [n, { weight }] of plan.concepts.entries())
    best += weight * ofPassage.repeated * (1 - 1 / (1 + Math.max(0, (counts[n] ?? 0) - 1)));
  const near = nearnessOf(plan, passage, (fit) => fit > lackingFit);
  const isExact = near >= nearness.neighbours && nearnessOf(plan, passage, (fit, n) => isExactFit(plan, n, fit)) >= nearness.neighbours;
  return { score: best, nearness: near, isExact, fits: passage.whole };
}

function linesOf(words: Int32Array): number {
  let lines = 0;
  for (const code of words) if (code === lineEndCode) lines++;
  return lines;
}

function fitsOf(hits: readonly WordHit[], size: { lineCount: number; conceptCount: number }): PassageFits {
  const byLine = new Float64Array(size.lineCount * size.conceptCount);
  const whole = new Float64Array(size.conceptCount);
  for (const { concept, fit, line } of hits) {
    const at = line * size.conceptCount + concept;
    byLine[at] = Math.max(byLine[at] ?? 0, fit);
    whole[concept] = Math.max(whole[concept] ?? 0, fit);
  }
  return { ...size, byLine, whole };
}

/** The best fit of a concept in a line; 0 outside of the passage. */
function fitIn({ byLine, conceptCount, lineCount }: PassageFits, line: number, concept: number): number {
  return line >= 0 && line < lineCount ? (byLine[line * conceptCount + concept] ?? 0) : 0;
}

function scoreLine(plan: SearchPlan, passage: PassageFits, line: number): number {
  let score = 0;
  for (let n = 0; n < passage.conceptCount; n++) {
    let most = (passage.whole[n] ?? 0) * ofPassage.elsewhere;
    for (let distance = 0; most > 0 && distance < ofPassage.lines.length; distance++) {
      const fit = Math.max(fitIn(passage, line - distance, n), fitIn(passage, line + distance, n));
      most = Math.max(most, (ofPassage.lines[distance] ?? 0) * fit);
    }
    score += (plan.concepts[n]?.weight ?? 0) * most;
  }
  return score;
}

/** What neighbouring words add to each line. */
function adjacencyByLine(hits: readonly WordHit[], plan: SearchPlan, lineCount: number): Float64Array {
  const sums = new Float64Array(lineCount);
  for (let from = 0, to = 0; from < hits.length; from = to) {
    const line = hits[from]?.line ?? 0;
    while (hits[to]?.line === line) to++;
    sums[line] = weighAdjacency(hits, plan, { from, to });
  }
  return sums;
}

function nearnessOf(plan: SearchPlan, passage: PassageFits, meets: (fit: number, concept: number) => boolean): number {
  const wanted = significantConcepts(plan);
  if (!wanted.every((n) => meets(passage.whole[n] ?? 0, n))) return nearness.lacking;
  const has = (line: number, n: number) => meets(fitIn(passage, line, n), n);
  let best: number = nearness.passage;
  for (let line = 0; line < passage.lineCount; line++) {
    if (wanted.every((n) => has(line, n))) return nearness.line;
    if (wanted.every((n) => has(line - 1, n) || has(line, n) || has(line + 1, n))) best = nearness.neighbours;
  }
  return best;
}
