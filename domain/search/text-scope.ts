import type { MatchKind } from '#contract/match-kinds.ts';

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

/** Tells which kinds of match a search may answer with; all of them when no scope is named. */
export function acceptsKind(textScope: readonly string[] | undefined): (kind: Kind) => boolean {
  if (!textScope || textScope.length === 0) return () => true;
  const kinds = new Set(textScope.flatMap((scope) => kindsOfScope[scope.toLowerCase()] ?? []));
  return (kind) => kinds.has(kind);
}
