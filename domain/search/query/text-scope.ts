import { type MatchKind, matchKindOf } from '#contract/match-kinds.ts';
import type { TextScope } from '#contract/video-service/input.ts';
import type { SearchRequest } from '../search-request.ts';

type Kind = MatchKind | 'Description';

/** What the scopes of the video service reach. This archive knows no places by name. */
const kindsOfScope: Record<TextScope, readonly Kind[]> = {
  Transcript: ['Transcript'],
  Ocr: ['Ocr'],
  Annotations: ['Annotations'],
  Topics: ['Annotations'],
  Brands: ['Brand'],
  NamedPeople: ['Face'],
  NamedLocations: [],
  Metadata: ['Title', 'Description', 'Owner'],
};

/** The kinds of match, of those that are `wanted`, which a film must have one of to be found in these scopes; undefined where any will do. */
export function kindsInScopes(
  scopes: readonly TextScope[] | undefined,
  wanted: readonly MatchKind[] | undefined,
): readonly MatchKind[] | undefined {
  if (!scopes) return wanted;
  const reached = new Set(scopes.flatMap((scope) => kindsOfScope[scope]).map(matchKindOf));
  return wanted ? wanted.filter((kind) => reached.has(kind)) : [...reached];
}

/** Tells which kinds of match a search may answer with: all of them when it names neither scopes nor kinds. */
export function acceptsKind({ textScope, narrowing }: Pick<SearchRequest, 'textScope' | 'narrowing'>): (kind: Kind) => boolean {
  const inScope = textScope && new Set(textScope.flatMap((scope) => kindsOfScope[scope]));
  const wanted = narrowing?.kinds && new Set(narrowing.kinds);
  return (kind) => (!inScope || inScope.has(kind)) && (!wanted || wanted.has(matchKindOf(kind)));
}
