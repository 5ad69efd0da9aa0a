import { findTokenHits, type PlanMatcher, type TokenHit } from './plan-matcher.ts';
import type { QueryField } from './query.ts';
import type { SearchPlan } from './search-plan.ts';

/** How near to each other all the concepts stand: in one line, within three, in one passage; or some are lacking. */
export const nearness = { lacking: 0, passage: 1, neighbours: 2, line: 3 } as const;

export interface PassageScore {
  readonly score: number;
  readonly nearness: number;
  /** Best fit of each concept anywhere in the passage, 0 where it is lacking. */
  readonly fits: Float64Array;
}

/** What a concept counts when it stands this many lines from the line that is looked at. */
const lineShare = [1, 0.9, 0.45];
const passageShare = 0.2;
/** What words side by side in the asked order add, by the words between them. */
const adjacencyShare = [0.3, 0.18, 0.08];
const repeatShare = 0.04;

/** Scores a passage by the best place in it: the line around which most of what is asked for stands close together. */
export function scorePassage(text: string, plan: SearchPlan, { matcher, kind }: { matcher: PlanMatcher; kind: string }): PassageScore {
  const lines = text.split('\n').map((line) => line.split(' '));
  const tokens = lines.flat();
  const lineOf = lines.flatMap((line, n) => line.map(() => n));
  const hits = findTokenHits(tokens, matcher, (field) => acceptsField(kind, field));
  const width = plan.concepts.length;
  const fits = new Float64Array(lines.length * width);
  const whole = new Float64Array(width);
  const counts = new Float64Array(width);
  for (const { concept, fit, from } of hits) {
    const at = (lineOf[from] ?? 0) * width + concept;
    fits[at] = Math.max(fits[at] ?? 0, fit);
    whole[concept] = Math.max(whole[concept] ?? 0, fit);
    counts[concept] = (counts[concept] ?? 0) + fit;
  }
  const adjacency = adjacencyByLine(hits, plan, { lineOf, lines: lines.length });
  let best = 0;
  for (let line = 0; line < lines.length; line++)
    best = Math.max(best, scoreLine(plan, { fits, whole, line, lines: lines.length }) + (adjacency[line] ?? 0));
  for (const [n, { weight }] of plan.concepts.entries()) best += weight * repeatShare * (1 - 1 / (1 + Math.max(0, (counts[n] ?? 0) - 1)));
  return { score: best, nearness: nearnessOf(plan, { fits, whole, lines: lines.length }), fits: whole };
}

function acceptsField(kind: string, field: QueryField | undefined): boolean {
  return field === undefined || (field === 'said' && kind === 'Transcript') || (field === 'written' && kind === 'Ocr');
}

function scoreLine(plan: SearchPlan, at: { fits: Float64Array; whole: Float64Array; line: number; lines: number }): number {
  let score = 0;
  for (const [n, { weight }] of plan.concepts.entries()) score += weight * conceptAround(plan.concepts.length, n, at);
  return score;
}

function conceptAround(
  width: number,
  n: number,
  { fits, whole, line, lines }: { fits: Float64Array; whole: Float64Array; line: number; lines: number },
): number {
  let most = (whole[n] ?? 0) * passageShare;
  for (let distance = 0; distance < lineShare.length; distance++) {
    const share = lineShare[distance] ?? 0;
    for (const other of [line - distance, line + distance]) {
      if (other < 0 || other >= lines) continue;
      most = Math.max(most, share * (fits[other * width + n] ?? 0));
    }
  }
  return most;
}

/** Each pair of neighbouring concepts counts once per line, where its words stand closest. */
function adjacencyByLine(
  hits: readonly TokenHit[],
  plan: SearchPlan,
  { lineOf, lines }: { lineOf: readonly number[]; lines: number },
): Float64Array {
  const width = plan.concepts.length;
  const best = new Float64Array(lines * width);
  for (const [n, hit] of hits.entries()) {
    for (let m = n + 1; m < hits.length; m++) {
      const next = hits[m];
      if (!next || next.from - hit.to >= adjacencyShare.length) break;
      if (next.concept !== hit.concept + 1 || next.from < hit.to) continue;
      const weights = (plan.concepts[hit.concept]?.weight ?? 0) + (plan.concepts[next.concept]?.weight ?? 0);
      const at = (lineOf[hit.from] ?? 0) * width + hit.concept;
      best[at] = Math.max(best[at] ?? 0, weights * (adjacencyShare[next.from - hit.to] ?? 0) * hit.fit * next.fit);
    }
  }
  const sums = new Float64Array(lines);
  for (let at = 0; at < best.length; at++) sums[Math.floor(at / width)] = (sums[Math.floor(at / width)] ?? 0) + (best[at] ?? 0);
  return sums;
}

function nearnessOf(plan: SearchPlan, { fits, whole, lines }: { fits: Float64Array; whole: Float64Array; lines: number }): number {
  const wanted = plan.concepts.flatMap((concept, n) => (concept.isStopWord && !plan.onlyStopWords ? [] : [n]));
  if (!wanted.every((n) => (whole[n] ?? 0) > 0)) return nearness.lacking;
  let best: number = nearness.passage;
  for (let line = 0; line < lines; line++) {
    const has = (from: number, to: number) =>
      wanted.every((n) => {
        for (let other = Math.max(0, from); other <= Math.min(lines - 1, to); other++)
          if ((fits[other * plan.concepts.length + n] ?? 0) > 0) return true;
        return false;
      });
    if (has(line, line)) return nearness.line;
    if (has(line - 1, line + 1)) best = nearness.neighbours;
  }
  return best;
}
