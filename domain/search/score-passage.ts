import { findPassageHits, type PassageHit } from './find-passage-hits.ts';
import type { PlanMatcher } from './plan-matcher.ts';
import type { QueryField } from './query.ts';
import { isExactFit, lackingFit, type SearchPlan, tellingConcepts } from './search-plan.ts';

/** How near to each other all the concepts stand: in one line, within three, in one passage; or some are lacking. */
export const nearness = { lacking: 0, passage: 1, neighbours: 2, line: 3 } as const;

export interface PassageScore {
  readonly score: number;
  readonly nearness: number;
  /** Whether the very words that were asked for stand that near to each other. */
  readonly isExact: boolean;
  /** Best fit of each concept anywhere in the passage, 0 where it is lacking. */
  readonly fits: readonly number[];
}

/** What a concept counts when it stands this many lines from the line that is looked at. */
const lineShare = [1, 0.9, 0.45];
const passageShare = 0.2;
/** What words side by side in the asked order add, by the words between them. */
const adjacencyShare = [0.3, 0.18, 0.08];
const repeatShare = 0.04;

/** What stands where in a passage. */
interface PassageFits {
  readonly lineCount: number;
  /** Best fit of each concept in each line that has any. */
  readonly byLine: ReadonlyMap<number, readonly number[]>;
  readonly whole: readonly number[];
}

/** Scores a passage by the best place in it: the line around which most of what is asked for stands close together. */
export function scorePassage(text: string, plan: SearchPlan, { matcher, kind }: { matcher: PlanMatcher; kind: string }): PassageScore {
  const hits = findPassageHits(text, matcher, (field) => acceptsField(kind, field));
  const byLine = new Map<number, number[]>();
  const whole = plan.concepts.map(() => 0);
  const counts = plan.concepts.map(() => 0);
  for (const { concept, fit, line } of hits) {
    const fits = byLine.get(line) ?? plan.concepts.map(() => 0);
    fits[concept] = Math.max(fits[concept] ?? 0, fit);
    byLine.set(line, fits);
    whole[concept] = Math.max(whole[concept] ?? 0, fit);
    counts[concept] = (counts[concept] ?? 0) + fit;
  }
  const passage = { lineCount: text.split('\n').length, byLine, whole };
  const adjacency = adjacencyByLine(hits, plan);
  let best = 0;
  for (let line = 0; line < passage.lineCount; line++) best = Math.max(best, scoreLine(plan, passage, line) + (adjacency.get(line) ?? 0));
  for (const [n, { weight }] of plan.concepts.entries()) best += weight * repeatShare * (1 - 1 / (1 + Math.max(0, (counts[n] ?? 0) - 1)));
  const near = nearnessOf(plan, passage, (fit) => fit > lackingFit);
  const isExact = near >= nearness.neighbours && nearnessOf(plan, passage, (fit, n) => isExactFit(plan, n, fit)) >= nearness.neighbours;
  return { score: best, nearness: near, isExact, fits: whole };
}

function acceptsField(kind: string, field: QueryField | undefined): boolean {
  return field === undefined || (field === 'said' && kind === 'Transcript') || (field === 'written' && kind === 'Ocr');
}

function scoreLine(plan: SearchPlan, { byLine, whole }: PassageFits, line: number): number {
  const around = lineShare.map((share, distance) => ({ share, before: byLine.get(line - distance), after: byLine.get(line + distance) }));
  let score = 0;
  for (const [n, { weight }] of plan.concepts.entries()) {
    let most = (whole[n] ?? 0) * passageShare;
    for (const { share, before, after } of around) most = Math.max(most, share * Math.max(before?.[n] ?? 0, after?.[n] ?? 0));
    score += weight * most;
  }
  return score;
}

/** What neighbouring words add to the line in which they begin. Each pair counts once per line, where it stands closest. */
function adjacencyByLine(hits: readonly PassageHit[], plan: SearchPlan): Map<number, number> {
  const best = new Map<string, { line: number; value: number }>();
  for (const [n, hit] of hits.entries()) {
    for (let m = n + 1; m < hits.length; m++) {
      const next = hits[m];
      if (!next || next.from - hit.to >= adjacencyShare.length) break;
      if (next.concept !== hit.concept + 1 || next.from < hit.to) continue;
      const weights = (plan.concepts[hit.concept]?.weight ?? 0) + (plan.concepts[next.concept]?.weight ?? 0);
      const value = weights * (adjacencyShare[next.from - hit.to] ?? 0) * hit.fit * next.fit;
      const key = `${hit.line} ${hit.concept}`;
      if (value > (best.get(key)?.value ?? 0)) best.set(key, { line: hit.line, value });
    }
  }
  const sums = new Map<number, number>();
  for (const { line, value } of best.values()) sums.set(line, (sums.get(line) ?? 0) + value);
  return sums;
}

function nearnessOf(plan: SearchPlan, { byLine, whole }: PassageFits, meets: (fit: number, concept: number) => boolean): number {
  const wanted = tellingConcepts(plan);
  if (!wanted.every((n) => meets(whole[n] ?? 0, n))) return nearness.lacking;
  const has = (line: number, n: number) => meets(byLine.get(line)?.[n] ?? 0, n);
  let best: number = nearness.passage;
  for (const line of byLine.keys()) {
    if (wanted.every((n) => has(line, n))) return nearness.line;
    // The line in the middle may hold none of them.
    for (const middle of [line, line + 1]) {
      if (wanted.every((n) => has(middle - 1, n) || has(middle, n) || has(middle + 1, n))) best = nearness.neighbours;
    }
  }
  return best;
}
