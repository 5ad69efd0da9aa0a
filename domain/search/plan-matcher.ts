import type { QueryField } from './query.ts';
import type { SearchPlan } from './search-plan.ts';

/** One way to meet one concept, reached by its first word. */
export interface MatcherEntry {
  readonly concept: number;
  readonly tokens: readonly string[];
  readonly fit: number;
  readonly field: QueryField | undefined;
}

/** What a plan looks for, by first word. */
export type PlanMatcher = ReadonlyMap<string, readonly MatcherEntry[]>;

export function planMatcher(plan: SearchPlan): PlanMatcher {
  const entries = new Map<string, MatcherEntry[]>();
  for (const [concept, { alternatives }] of plan.concepts.entries()) {
    for (const { tokens, fit, field } of alternatives) {
      const [first] = tokens;
      if (first === undefined) continue;
      const entry = { concept, tokens, fit, field };
      const known = entries.get(first);
      if (known) known.push(entry);
      else entries.set(first, [entry]);
    }
  }
  return entries;
}

/** A stretch of words that meets a concept. */
export interface TokenHit {
  readonly concept: number;
  readonly fit: number;
  /** Place of its first word, and of the word after it. */
  readonly from: number;
  readonly to: number;
}

/** Every stretch of `tokens` that meets a concept, in order. Words in a row may cross from line to line. */
export function findTokenHits(
  tokens: readonly string[],
  matcher: PlanMatcher,
  accepts: (field: QueryField | undefined) => boolean,
): TokenHit[] {
  const hits: TokenHit[] = [];
  for (let from = 0; from < tokens.length; from++) {
    for (const { concept, tokens: wanted, fit, field } of matcher.get(tokens[from] ?? '') ?? []) {
      if (!accepts(field) || !wanted.every((token, n) => tokens[from + n] === token)) continue;
      hits.push({ concept, fit, from, to: from + wanted.length });
    }
  }
  return hits;
}
