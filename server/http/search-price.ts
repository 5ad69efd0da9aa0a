import { parseQuery } from '#domain/search/query/parse-query.ts';
import type { QueryTerm } from '#domain/search/query/query.ts';
import { stopWords } from '#domain/words/stop-words.ts';

/** What a search is charged by. */
export interface PricedSearch {
  /** Every text that was sent, also one that says what another says. */
  readonly texts: readonly string[];
  readonly skip: number;
  readonly pageSize: number;
  /** Whether the whole answer has to be surveyed: for an order, for filters, or to be counted. */
  readonly isSurveyed: boolean;
}

/** What each of these adds to the 1 that every search costs. It stands in docs/operations.md, too. */
const prices = {
  furtherText: 2,
  /** Films have to be read to be left out, up to a thousand of them. */
  anyCondition: 4,
  eachCondition: 1,
  phraseOfStopWords: 2,
  survey: 8,
  wordsPerOne: 10,
  skippedPerOne: 50,
  pagePerOne: 25,
} as const;

/** How many plain searches a search counts as. */
export function searchPrice({ texts, skip, pageSize, isSurveyed }: PricedSearch): number {
  const asked = texts.filter((text) => text.trim() !== '');
  const furtherTexts = Math.max(0, asked.length - 1) * prices.furtherText;
  const ofTexts = asked.reduce((sum, text) => sum + textPrice(text), 0);
  const ofPage = Math.floor(skip / prices.skippedPerOne) + Math.floor(Math.max(0, pageSize - 1) / prices.pagePerOne);
  return 1 + furtherTexts + ofTexts + ofPage + (isSurveyed ? prices.survey : 0);
}

function textPrice(text: string): number {
  const { concepts, not } = readOrNothing(text);
  const terms = concepts.flatMap(({ anyOf }) => anyOf);
  const conditions = concepts.filter(({ must }) => must).length + not.length;
  const phrases = [...terms, ...not].filter(isPhraseOfStopWords).length;
  return (
    (conditions > 0 ? prices.anyCondition + conditions * prices.eachCondition : 0) +
    phrases * prices.phraseOfStopWords +
    Math.floor(terms.length / prices.wordsPerOne)
  );
}

/** What is too long to be read is refused without being searched for. */
function readOrNothing(text: string): Pick<ReturnType<typeof parseQuery>, 'concepts' | 'not'> {
  try {
    return parseQuery(text);
  } catch {
    return { concepts: [], not: [] };
  }
}

function isPhraseOfStopWords({ tokens }: QueryTerm): boolean {
  return tokens.length > 1 && tokens.every((token) => stopWords.has(token));
}
