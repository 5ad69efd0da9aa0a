import { wordCode } from '../../search-index/word-code.ts';
import { languageNumber } from '../../words/languages/languages.ts';
import type { QueryField } from '../query/query.ts';
import { type SearchPlan, significantConcepts } from '../query/search-plan.ts';

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
  /** A bit for each way in which a code may end, 1 where it may be one of those: nearly all words are told apart by it. */
  readonly codeEnds: Int32Array;
}

/** What a plan looks for. */
export interface PlanMatcher {
  readonly all: WordTable;
  /** What tells: all of it, or all but stop words where the plan has others. */
  readonly significant: WordTable;
  /** The stop words that do not tell; undefined without any. */
  readonly stopWords: WordTable | undefined;
}

const matchers = new WeakMap<SearchPlan, PlanMatcher>();

/** The matcher of a plan, made once for all who ask by this plan. */
export function planMatcher(plan: SearchPlan): PlanMatcher {
  const matcher = matchers.get(plan) ?? makeMatcher(plan);
  matchers.set(plan, matcher);
  return matcher;
}

/** Of the last 16 bits of a code the last five tell the bit, the others the number in which it stands. */
const endNumbers = 2_048;
const numberOf = (code: number) => (code & 0xffff) >>> 5;

/** Whether a code may be that of a first word. */
export function mayBegin(codeEnds: Int32Array, code: number): boolean {
  return (((codeEnds[numberOf(code)] ?? 0) >>> (code & 31)) & 1) === 1;
}

function makeMatcher(plan: SearchPlan): PlanMatcher {
  const entries = plan.concepts.flatMap(({ alternatives }, concept) =>
    alternatives.map(({ tokens, fit, field, language = '' }) => {
      const codes = tokens.map(wordCode);
      return { concept, tokens, codes, fit, field, language: languageNumber(language) } satisfies MatcherEntry;
    }),
  );
  const isSignificant = ({ concept }: MatcherEntry) => plan.onlyStopWords || !plan.concepts[concept]?.isStopWord;
  const stopWords = entries.filter((entry) => !isSignificant(entry));
  const all = tableOf(entries);
  if (stopWords.length === 0) return { all, significant: all, stopWords: undefined };
  return { all, significant: tableOf(entries.filter(isSignificant)), stopWords: tableOf(stopWords) };
}

function tableOf(entries: readonly MatcherEntry[]): WordTable {
  const entriesOfCode = new Map<number, MatcherEntry[]>();
  const codeEnds = new Int32Array(endNumbers);
  for (const entry of entries.toSorted((a, b) => b.codes.length - a.codes.length)) {
    const [first] = entry.codes;
    if (first === undefined) continue;
    const n = numberOf(first);
    codeEnds[n] = (codeEnds[n] ?? 0) | (1 << (first & 31));
    const known = entriesOfCode.get(first);
    if (known) known.push(entry);
    else entriesOfCode.set(first, [entry]);
  }
  return { entriesOfCode, codeEnds };
}

/** What the matches of every video of an answer are found by. */
export interface Answering {
  readonly plan: SearchPlan;
  readonly matcher: PlanMatcher;
  /** The words that tell of each text that was asked, as numbers of the plan's concepts. */
  readonly alternatives: readonly (readonly number[])[];
}

/** Several texts are alternatives: what any of them finds is shown. */
export function answeringPlans(plans: readonly SearchPlan[]): Answering {
  const plan = combine(plans);
  let before = 0;
  const alternatives = plans.map((each) => {
    const significant = significantConcepts(each).map((n) => before + n);
    before += each.concepts.length;
    return significant;
  });
  return { plan, matcher: planMatcher(plan), alternatives };
}

function combine(plans: readonly SearchPlan[]): SearchPlan {
  const [only] = plans;
  if (only && plans.length === 1) return only;
  const concepts = plans.flatMap((plan) => plan.concepts);
  return { concepts, not: [], ids: [], notIds: [], onlyStopWords: concepts.every(({ isStopWord }) => isStopWord) };
}
