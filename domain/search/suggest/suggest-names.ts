import { displayName } from '#contract/display-name.ts';
import type { SearchRun } from '../search-parts.ts';
import { type NameKind, nameKinds } from './known-names.ts';
import { suggest } from './suggest.ts';

export interface SuggestedName {
  readonly name: string;
  readonly kind: NameKind;
}

/** The titles, people and brands that the search box offers for what somebody has typed so far, each once. Throws `query_too_long`. */
export async function suggestNames(search: SearchRun, typed: string): Promise<SuggestedName[]> {
  const { results } = await suggest(search, { query: [typed], withoutMoments: true });
  const matches = results.flatMap(({ matches }) => matches);
  const ofKind = (kind: NameKind) => matches.filter((match) => match.kind === kind).map(({ text }) => ({ name: displayName(text), kind }));
  const names = nameKinds.flatMap(ofKind);
  return [...new Map(names.toReversed().map((one) => [one.name.toLowerCase(), one])).values()].toReversed();
}
