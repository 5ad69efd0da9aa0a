import { limits } from '#contract/limits.ts';
import type { SearchedFor } from '#contract/video-service/answers.ts';
import type { FilmCodes } from '../../search-index/films/film-codes.ts';
import { tokensOf } from '../../words/tokens.ts';
import type { SearchPlan } from '../query/search-plan.ts';
import type { SearchRequest } from '../search-request.ts';
import type { MomentMatch } from './moment-match.ts';
import type { PlanMatcher } from './plan-matcher.ts';
import { scoreHead } from './score-head.ts';

/** What a query found for somebody, by which they are told what it was taken for. */
interface Shown {
  readonly matches: readonly MomentMatch[];
  readonly hidden?: SearchRequest['hidden'];
}

/**
 * Says what the words of a query that occur nowhere were taken for; undefined when all of them were taken as they are. Who does not see every
 * film is told of words alone that stand in what they are shown: others may be those of films that are kept from them.
 */
export function searchedFor(query: string, { concepts }: SearchPlan, { matches, hidden }: Shown): SearchedFor | undefined {
  const taken = concepts.flatMap(({ takenFor }) => takenFor ?? []).sort((a, b) => b.from - a.from);
  if (taken.length === 0) return undefined;
  if (hidden && !taken.every(({ word }) => matches.some(({ text }) => tokensOf(text).includes(word)))) return undefined;
  let [text, literally] = [query, query];
  // From the last to the first, so that the offsets stay true.
  for (const { word, from, to } of taken) {
    const typed = query.slice(from, to);
    text = text.slice(0, from) + inCaseOf(typed, word) + text.slice(to);
    literally = `${literally.slice(0, from)}"${typed}"${literally.slice(to)}`;
  }
  // The link would be refused.
  if ([...literally].length > limits.queryMaxCodePoints) return undefined;
  return { text: text.trim(), literally: literally.trim() };
}

/** A word in small letters, written large where the typed one is. */
export function inCaseOf(typed: string, word: string): string {
  if (typed.length > 1 && typed === typed.toUpperCase()) return word.toUpperCase();
  const first = typed.charAt(0);
  return first === first.toLowerCase() ? word : word.charAt(0).toUpperCase() + word.slice(1);
}

/**
 * What was asked for that a video holds nowhere, as it was typed. `held`: the concepts that its moments hold. Of several
 * texts one is enough: what counts is the one of which most is held.
 */
export function listLackingWords(
  { head, language }: Pick<FilmCodes, 'head' | 'language'>,
  { plan, matcher, wantedOfText }: { plan: SearchPlan; matcher: PlanMatcher; wantedOfText: readonly (readonly number[])[] },
  held: ReadonlySet<number>,
): string[] {
  if (wantedOfText.every(({ length }) => length < 2) || wantedOfText.some((significant) => significant.every((n) => held.has(n))))
    return [];
  const { holds } = scoreHead({ words: head, language }, plan, matcher);
  const [least] = wantedOfText
    .map((significant) => ({ of: significant.length, lacking: significant.filter((n) => !held.has(n) && !holds[n]) }))
    .sort((a, b) => a.lacking.length / a.of - b.lacking.length / b.of);
  const lacking = (least?.lacking ?? []).flatMap((n) => plan.concepts[n] ?? []);
  return [...new Set(lacking.map(({ surface }) => surface))];
}
