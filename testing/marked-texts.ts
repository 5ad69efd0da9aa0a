import type { MomentMatch } from '#domain/search/match/moment-match.ts';

/** What is marked in a match, as it stands there. */
export function markedTexts({ text, ranges }: Pick<MomentMatch, 'text' | 'ranges'>): string[] {
  return ranges.map(([from, to]) => text.slice(from, to));
}
