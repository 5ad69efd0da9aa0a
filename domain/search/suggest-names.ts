import { displayName } from '#contract/display-name.ts';
import type { MomentMatch } from './moment-match.ts';
import type { FoundVideo } from './search-request.ts';
import { type SearchDependencies, searchVideos } from './search-videos.ts';

export interface SuggestedName {
  readonly name: string;
  readonly kind: 'Title' | 'Face' | 'Brand';
}

const namesMax = 8;

/** Titles, people and brands that fit what somebody has typed so far, best first, each once. Throws `query_too_long`. */
export async function suggestNames(dependencies: SearchDependencies, typed: string): Promise<SuggestedName[]> {
  if (typed.trim() === '') return [];
  const { results } = await searchVideos(dependencies, {
    query: [typed],
    textScope: ['metadata', 'namedPeople', 'brands'],
    skip: 0,
    pageSize: 2 * namesMax,
    purpose: 'suggestions',
  });
  const names = new Map<string, SuggestedName>();
  for (const found of results) {
    for (const match of found.matches) {
      const suggested = nameOf(match, found);
      if (suggested && !names.has(suggested.name.toLowerCase())) names.set(suggested.name.toLowerCase(), suggested);
    }
  }
  return [...names.values()].slice(0, namesMax);
}

function nameOf({ kind, text }: MomentMatch, { video }: FoundVideo): SuggestedName | null {
  if (kind === 'Title') return { name: displayName(video.name), kind };
  return kind === 'Face' || kind === 'Brand' ? { name: text, kind } : null;
}
