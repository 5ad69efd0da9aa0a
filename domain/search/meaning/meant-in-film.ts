import { errorMessage } from '../../db/error-message.ts';
import { holdsMeaning } from '../../meaning/film-meaning.ts';
import type { MomentMatch } from '../match/moment-match.ts';
import type { SearchPlan } from '../query/search-plan.ts';
import { rankPlans } from '../rank/find-ranking.ts';
import type { SearchRun } from '../search-parts.ts';
import { ofMeaning } from '../weights.ts';
import { wordsAnswerBadly } from './join-meaning.ts';
import { matchOfPlace } from './show-meant.ts';

/**
 * What is said in one film that means what was asked, where its words answer that as badly as those of the archive do for `joinMeaning`; what it
 * finds here is what a card that meaning brought has shown. None where meaning cannot be asked.
 */
export async function meantInFilm(
  search: SearchRun,
  { videoId, text, plan }: { videoId: string; text: string; plan: SearchPlan },
): Promise<MomentMatch[]> {
  const { meaning, pool } = search;
  if (!meaning) return [];
  const request = { query: [text], ids: [videoId], skip: 0, pageSize: 1, purpose: 'results' } as const;
  const ranking = await rankPlans(search, request, { plans: [plan], atLeast: 1 });
  if (!wordsAnswerBadly(text, plan, ranking)) return [];
  try {
    if (!(await holdsMeaning(pool))) return [];
    const films = (await meaning.find(text, { limit: 0, among: [videoId] })).filter(({ score }) => score >= ofMeaning.nearMin);
    search.deadline.check();
    return films.length === 0 ? [] : (await meaning.places(text, films)).map(matchOfPlace);
  } catch (error) {
    process.emitWarning(`A search inside a film went on without meaning: ${errorMessage(error)}`);
    return [];
  }
}
