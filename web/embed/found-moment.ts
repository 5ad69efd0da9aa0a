import type { MatchKind } from '#contract/match-kinds.ts';
import type { TextRange } from '#web/components/text/mark-text.ts';
import { lineKey } from './video-moments.ts';

/** A moment that answers the search, and what to mark in its text. */
export interface FoundMoment {
  readonly id: string;
  readonly kind: MatchKind;
  readonly startInSeconds: number;
  readonly text: string;
  readonly ranges: readonly TextRange[];
  /** Ids of the lines that `text` shows, in the index document; none for a name. */
  readonly lines: readonly number[];
}

/** What to mark in each line, by its kind and id as `lineKey` writes them. `textOf` knows what a line says. */
export function marksOfLines(found: readonly FoundMoment[], textOf: (key: string) => string | undefined): Map<string, TextRange[]> {
  const marks = new Map<string, TextRange[]>();
  for (const { kind, lines, ranges } of found) {
    // Words may run on into the next line, which follows after one space.
    let from = 0;
    for (const line of lines) {
      const key = lineKey(kind, line);
      const { length } = textOf(key) ?? '';
      const own = ranges.map(([start, end]) => [Math.max(0, start - from), Math.min(length, end - from)] as const);
      marks.set(key, [...(marks.get(key) ?? []), ...own.filter(([start, end]) => end > start)]);
      from += length + 1;
    }
  }
  return marks;
}

/** What to mark in a caption. Its cues, one under the other, are spoken lines; nothing else of the index is known of them. */
export function marksOfCaption(found: readonly FoundMoment[], caption: string): TextRange[] {
  const spoken = found.filter(({ kind }) => kind === 'Transcript');
  let at = 0;
  return caption.split('\n').flatMap((cue) => {
    const from = at;
    at += cue.length + 1;
    return spoken.flatMap(({ text, ranges }) => {
      const inText = text === cue || text.startsWith(`${cue} `) ? 0 : text.endsWith(` ${cue}`) ? text.length - cue.length : -1;
      if (inText < 0) return [];
      const own = ranges.map(([start, end]) => [Math.max(0, start - inText), Math.min(cue.length, end - inText)] as const);
      return own.flatMap(([start, end]) => (end > start ? [[from + start, from + end] as const] : []));
    });
  });
}
