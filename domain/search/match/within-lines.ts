import type { FoundVideo } from '../search-request.ts';

/** Whether these lines of a video may be shown now. */
export type MayShowLines = (videoId: string, lines: readonly number[]) => boolean;

/** One answer takes no more than a quarter of an hour's lines, so that a visitor's next search has something to show as well. */
const shareOfAnswer = 4;

/**
 * Videos for somebody who may not watch them: of what was said and written the best lines, as far as they may be shown. The others
 * stay counted. Names, labels and titles are facts of a video and stay.
 */
export function withinLines(
  results: readonly FoundVideo[],
  { mayShow, perHour }: { mayShow: MayShowLines; perHour: number },
): FoundVideo[] {
  const perAnswer = Math.ceil(perHour / shareOfAnswer);
  const shown = new Map<string, number>();
  return results.map((found) => {
    const { id } = found.video;
    const matches = found.matches.filter(({ lines }) => {
      if (!lines) return true;
      const before = shown.get(id) ?? 0;
      if (before + lines.length > perAnswer || !mayShow(id, lines)) return false;
      shown.set(id, before + lines.length);
      return true;
    });
    return { ...found, matches, withheld: found.matches.length - matches.length };
  });
}
