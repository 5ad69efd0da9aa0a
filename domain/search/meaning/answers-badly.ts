import { parseQuery } from '../query/parse-query.ts';
import { type SearchPlan, significantConcepts } from '../query/search-plan.ts';
import type { Ranking } from '../rank/ranking.ts';
import { ofMeaning } from '../weights.ts';

const questionWords = new Set(
  'are can could did do does had has have how is should was were what when where which who whom whose why will would'.split(' '),
);

/**
 * Whether words answer a text so badly that what means the same should be looked for: no film has all of them close together, and the best
 * one has too little of what tells. Of a question or a long description more may be lacking: nobody speaks like that. What
 * occurs nowhere is often a name as it is heard.
 */
export function wordsAnswerBadly(text: string, plan: SearchPlan, { videos: [best] }: Pick<Ranking, 'videos'>): boolean {
  const wanted = significantConcepts(plan).flatMap((n) => plan.concepts[n] ?? []);
  const unknown = wanted.filter(({ isHeld }) => !isHeld).length;
  if (wanted.length < 2 || plan.onlyStopWords || isExact(text)) return false;
  if (best && best.tier > ofMeaning.tierMax) return false;
  const words = text.trim().toLowerCase().split(/\s+/u);
  const isQuestion = questionWords.has(words[0] ?? '') && words.length >= ofMeaning.question.words;
  const isDescription = words.length >= ofMeaning.description.words;
  const least = Math.max(
    unknown > 0 ? ofMeaning.withUnknown : ofMeaning.covered,
    isQuestion ? ofMeaning.question.covered : 0,
    isDescription ? ofMeaning.description.covered : 0,
  );
  const all = wanted.reduce((sum, { weight }) => sum + weight, 0);
  return (best?.score ?? 0) / all < least;
}

/** Whether somebody asks by signs what must be there, and how: then they mean these words. */
function isExact(text: string): boolean {
  const { concepts, not, ids, notIds } = parseQuery(text);
  if (not.length + ids.length + notIds.length > 0) return true;
  return concepts.some(({ must, anyOf }) => must || anyOf.length > 1 || anyOf.some(({ quoted, field }) => quoted || field !== undefined));
}
