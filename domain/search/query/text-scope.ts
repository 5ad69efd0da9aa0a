import { type MatchKind, matchKindOf } from '#contract/match-kinds.ts';
import type { SearchRequest } from '../search-request.ts';

type Kind = MatchKind | 'Description';

/** What the scopes of the video service reach. */
const kindsOfScope: Record<string, readonly Kind[]> = {
  transcript: ['Transcript'],
  ocr: ['Ocr'],
  annotations: ['Annotations'],
  topics: ['Annotations'],
  brands: ['Brand'],
  namedpeople: ['Face'],
  namedlocations: [],
  metadata: ['Title', 'Description', 'Owner'],
};

/** Tells which kinds of match a search may answer with: all of them when it names neither scopes nor kinds. */
export function acceptsKind({ textScope, narrowing }: Pick<SearchRequest, 'textScope' | 'narrowing'>): (kind: Kind) => boolean {
  const inScope =
    textScope && textScope.length > 0 ? new Set(textScope.flatMap((scope) => kindsOfScope[scope.toLowerCase()] ?? [])) : undefined;
  const wanted = narrowing?.kinds && new Set(narrowing.kinds);
  return (kind) => (!inScope || inScope.has(kind)) && (!wanted || wanted.has(matchKindOf(kind)));
}
