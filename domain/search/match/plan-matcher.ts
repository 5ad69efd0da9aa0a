import { lineEndCode, rowMark, toWordCode } from '../../search-index/word-code.ts';
import { toLanguageNumber } from '../../words/languages/languages.ts';
import type { QueryField } from '../query/query.ts';
import { isSignificant, type SearchPlan } from '../query/search-plan.ts';

/** One way to meet one concept, reached by its first word. */
export interface MatcherEntry {
  readonly concept: number;
  readonly tokens: readonly string[];
  /** The same as the index writes them. */
  readonly codes: readonly number[];
  readonly fit: number;
  readonly field: QueryField | undefined;
  /** The number of the language in which the one stands for the other. */
  readonly language: number;
}

/** Words to be looked for in codes. */
export interface WordTable {
  /** By the code of the first word, the longest first. */
  readonly entriesOfCode: ReadonlyMap<number, readonly MatcherEntry[]>;
  /** For each way in which a code may end 1 where it may be one of those, or what parts lines and rows: nearly all words are told apart by it. */
  readonly codeEnds: Uint8Array;
}

/** What a plan looks for. */
export interface PlanMatcher {
  readonly all: WordTable;
  /** All of it, or all but stop words where the plan has others. */
  readonly significant: WordTable;
  /** The stop words that are not significant; undefined without any. */
  readonly stopWords: WordTable | undefined;
}

const matchers = new WeakMap<SearchPlan, PlanMatcher>();

/** The matcher of a plan, made once for all who ask by this plan. */
export function planMatcher(plan: SearchPlan): PlanMatcher {
  const known = matchers.get(plan);
  if (known) return known;
  const matcher = makeMatcher(plan);
  matchers.set(plan, matcher);
  return matcher;
}

/** As many of the last bits of a code tell it from most others; a table of them stays near the processor. */
const codeEndBits = 13;
const codeEndMask = (1 << codeEndBits) - 1;

/**
 * Where the next code stands that has to be looked at, from `at` on: perhaps a first word, else the end of a line or the mark of a row;
 * behind all codes where there is none.
 */
export function skipToCandidate(words: Int32Array, codeEnds: Uint8Array, at: number): number {
  let next = at;
  while (next < words.length && codeEnds[(words[next] ?? 0) & codeEndMask] === 0) next++;
  return next;
}

function makeMatcher(plan: SearchPlan): PlanMatcher {
  const entries = plan.concepts.flatMap(({ alternatives }, concept) =>
    alternatives.map(({ tokens, fit, field, language = '' }) => {
      const codes = tokens.map(toWordCode);
      return { concept, tokens, codes, fit, field, language: toLanguageNumber(language) } satisfies MatcherEntry;
    }),
  );
  const stopWords = entries.filter(({ concept }) => !isSignificant(concept, plan));
  const all = tableOf(entries);
  if (stopWords.length === 0) return { all, significant: all, stopWords: undefined };
  return { all, significant: tableOf(entries.filter(({ concept }) => isSignificant(concept, plan))), stopWords: tableOf(stopWords) };
}

function tableOf(entries: readonly MatcherEntry[]): WordTable {
  const entriesOfCode = new Map<number, MatcherEntry[]>();
  const codeEnds = new Uint8Array(1 << codeEndBits);
  for (const code of [lineEndCode, rowMark]) codeEnds[code & codeEndMask] = 1;
  for (const entry of entries.toSorted((a, b) => b.codes.length - a.codes.length)) {
    const [first] = entry.codes;
    if (first === undefined) continue;
    codeEnds[first & codeEndMask] = 1;
    const known = entriesOfCode.get(first);
    if (known) known.push(entry);
    else entriesOfCode.set(first, [entry]);
  }
  return { entriesOfCode, codeEnds };
}
