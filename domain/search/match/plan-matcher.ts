import { wordCode } from '../../search-index/word-code.ts';
import { spacedLetters, tokenLengthMax } from '../../words/tokens.ts';
import type { QueryField } from '../query/query.ts';
import type { SearchPlan } from '../query/search-plan.ts';

/** One way to meet one concept, reached by its first word. */
export interface MatcherEntry {
  readonly concept: number;
  readonly tokens: readonly string[];
  /** The same as the index writes them. */
  readonly codes: readonly number[];
  readonly fit: number;
  readonly field: QueryField | undefined;
}

/** What a plan looks for. */
export interface PlanMatcher {
  /** By first word. */
  readonly entries: ReadonlyMap<string, readonly MatcherEntry[]>;
  /** By the code of the first word. */
  readonly entriesOfCode: ReadonlyMap<number, readonly MatcherEntry[]>;
  /** Not 0 where a code that ends in these bits may be one of those: nearly all words are told apart by it. */
  readonly codeEnds: Uint8Array;
  /** Finds the first words of everything that tells, in folded text: one pass for all of them. */
  readonly telling: RegExp;
  /** Finds stop words, where the plan has others too. */
  readonly stopWords: RegExp | undefined;
}

const matchers = new WeakMap<SearchPlan, PlanMatcher>();

/** The matcher of a plan, made once for all who ask by this plan. */
export function planMatcher(plan: SearchPlan): PlanMatcher {
  const matcher = matchers.get(plan) ?? makeMatcher(plan);
  matchers.set(plan, matcher);
  return matcher;
}

/** Number of different endings of codes. */
export const codeEndsCount = 1_024;

function makeMatcher(plan: SearchPlan): PlanMatcher {
  const entries = new Map<string, MatcherEntry[]>();
  const telling = new Set<string>();
  for (const [concept, { alternatives, isStopWord }] of plan.concepts.entries()) {
    for (const { tokens, fit, field } of alternatives) {
      const [first] = tokens;
      if (first === undefined) continue;
      if (plan.onlyStopWords || !isStopWord) telling.add(first);
      const entry = { concept, tokens, codes: tokens.map(wordCode), fit, field };
      const known = entries.get(first);
      if (known) known.push(entry);
      else entries.set(first, [entry]);
    }
  }
  const stopWords = [...entries.keys()].filter((word) => !telling.has(word));
  const entriesOfCode = new Map(Array.from(entries, ([word, those]) => [wordCode(word), those]));
  const codeEnds = new Uint8Array(codeEndsCount);
  for (const code of entriesOfCode.keys()) codeEnds[code & (codeEndsCount - 1)] = 1;
  return {
    entries,
    entriesOfCode,
    codeEnds,
    telling: wholeWords([...telling]),
    stopWords: stopWords.length > 0 ? wholeWords(stopWords) : undefined,
  };
}

/** Folded words hold letters, marks and digits only, so they need no escaping. */
function wholeWords(words: readonly string[]): RegExp {
  const whole = words.filter((word) => word.length < tokenLengthMax);
  // A cut word stands for all that begin with it.
  const cut = words.filter((word) => word.length >= tokenLengthMax);
  const ways = [...(whole.length > 0 ? [`(?:${whole.join('|')})(?![${spacedLetters}])`] : []), ...cut];
  return new RegExp(ways.length > 0 ? `(?<![${spacedLetters}])(?:${ways.join('|')})` : '(?!)', 'g');
}
