import type { SearchPlan } from '../query/search-plan.ts';
import { acceptedIn, findSignificantHits, type WordsOf } from './film-hits.ts';
import { countLinesHolding, type WordHit } from './find-word-hits.ts';
import type { PlanMatcher } from './plan-matcher.ts';

/** A line that answers a plan. Lines are numbered among those of their kind. */
export interface MatchedLine {
  readonly number: number;
  /** The last line that it shows: its words may run on into the next one. */
  readonly last: number;
  /** What it shows as matched. */
  readonly hits: readonly WordHit[];
}

/** The lines of a kind that can be shown as one match each, in order. */
export function findMatchedLines(
  words: Int32Array,
  of: WordsOf,
  { plan, matcher }: { plan: SearchPlan; matcher: PlanMatcher },
): MatchedLine[] {
  const hits = findSignificantHits(words, matcher, of);
  const lines: MatchedLine[] = [];
  /** First words of what is shown with the line before. */
  const swallowed = new Set<number>();
  for (let from = 0, to = 0; from < hits.length; from = to) {
    const number = hits[from]?.line ?? 0;
    while (hits[to]?.line === number) to++;
    const own = hits.slice(from, to);
    const border = runOverBorder(own, { hits, next: to, plan });
    for (const hit of border?.inNext ?? []) swallowed.add(hit.from);
    lines.push({ number, last: border?.last ?? number, hits: border ? [...own, ...border.inNext] : own });
  }
  return lines.filter(({ number, hits: shown }) =>
    shown.some((hit) => isSignificant(hit, plan) && (hit.line !== number || !swallowed.has(hit.from))),
  );
}

/** How many lines `findMatchedLines` finds, and how many words it looks at for that. */
export function countMatchedLines(
  words: Int32Array,
  of: WordsOf,
  { plan, matcher }: { plan: SearchPlan; matcher: PlanMatcher },
): { lines: number; hits: number } {
  // A single word never runs over into the next line.
  if (plan.concepts.length === 1 && plan.concepts[0]?.alternatives.every(({ tokens }) => tokens.length === 1)) {
    const lines = countLinesHolding(words, matcher.significant, acceptedIn(of));
    return { lines, hits: lines };
  }
  const lines = findMatchedLines(words, of, { plan, matcher });
  return { lines: lines.length, hits: lines.reduce((sum, { hits }) => sum + hits.length, 0) };
}

/** Whether a hit is one that a line can be shown for. */
export function isSignificant({ concept }: WordHit, plan: SearchPlan): boolean {
  return plan.onlyStopWords || plan.concepts[concept]?.isStopWord === false;
}

/** Words that run on from a line into the next: a phrase that ends there, or several asked words in their order. `next`: number of the first hit behind the line. */
function runOverBorder(
  own: readonly WordHit[],
  { hits, next, plan }: { hits: readonly WordHit[]; next: number; plan: SearchPlan },
): { last: number; inNext: WordHit[] } | undefined {
  const crossing = own.find((hit) => hit.endLine !== hit.line);
  if (crossing) return { last: crossing.endLine, inNext: [] };
  const inNext: WordHit[] = [];
  let before = own.at(-1);
  for (let n = next; before; n++) {
    const hit = hits[n];
    if (!hit || hit.from > before.to || (inNext[0] && hit.line !== inNext[0].line)) break;
    if (hit.from !== before.to || hit.concept !== before.concept + 1 || hit.endLine !== hit.line) continue;
    inNext.push(hit);
    before = hit;
  }
  const [first] = inNext;
  const isEnough = runAtEnd(own) + inNext.length >= Math.min(3, plan.concepts.length);
  return first && isEnough ? { last: first.line, inNext } : undefined;
}

/** How many asked words in their order end the line. */
function runAtEnd(hits: readonly WordHit[]): number {
  let count = 1;
  for (let n = hits.length - 1; n > 0; n--) {
    const [before, hit] = [hits[n - 1], hits[n]];
    if (!before || !hit || before.concept !== hit.concept - 1 || before.to !== hit.from) break;
    count++;
  }
  return count;
}
