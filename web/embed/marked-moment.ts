import type { MatchKind } from '#contract/match-kinds.ts';
import type { TextRange } from '#contract/video-service/answers.ts';
import { toLineKey } from './video-moments.ts';

/** A moment that answers the search, and what to mark in its text. */
export interface MarkedMoment {
  readonly id: string;
  readonly kind: MatchKind;
  readonly startInSeconds: number;
  readonly text: string;
  readonly ranges: readonly TextRange[];
  /** Ids of the lines that `text` shows, in the index document; none for a name. */
  readonly lines: readonly number[];
  /** It means what was asked, in other words. */
  readonly isByMeaning: boolean;
}

/** What to mark in each line, by its kind and id as `toLineKey` writes them. `textOf` knows what a line says. */
export function marksOfLines(found: readonly MarkedMoment[], textOf: (key: string) => string | undefined): Map<string, TextRange[]> {
  const marks = new Map<string, TextRange[]>();
  for (const { kind, lines, ranges } of found) {
    // Words may run on into the next line, which follows after one space.
    let from = 0;
    for (const line of lines) {
      const key = toLineKey(kind, line);
      const { length } = textOf(key) ?? '';
      marks.set(key, [...(marks.get(key) ?? []), ...rangesWithin(ranges, { from, length })]);
      from += length + 1;
    }
  }
  return marks;
}

/** What to mark in a caption. Its cues, one under the other, are spoken lines; nothing else of the index is known of them. */
export function marksOfCaption(found: readonly MarkedMoment[], caption: string): TextRange[] {
  const spoken = found.filter(({ kind }) => kind === 'Transcript');
  let at = 0;
  return caption.split('\n').flatMap((cue) => {
    const from = at;
    at += cue.length + 1;
    return spoken.flatMap(({ text, ranges, lines }) => {
      const inText = placeOfCue(cue, text, lines.length);
      return inText < 0
        ? []
        : rangesWithin(ranges, { from: inText, length: cue.length }).map(([start, end]) => [from + start, from + end] as const);
    });
  });
}

/** Where a cue begins in what a moment shows, which may be so many lines, each of a cue; -1 when it is another one. */
function placeOfCue(cue: string, text: string, lines: number): number {
  if (text === cue) return 0;
  if (lines < 2) return -1;
  if (text.startsWith(`${cue} `)) return 0;
  if (text.endsWith(` ${cue}`)) return text.length - cue.length;
  // Neither the first nor the last of them.
  const between = lines > 2 ? text.indexOf(` ${cue} `) : -1;
  return between < 0 ? -1 : between + 1;
}

/** What of some ranges lies in a part of their text, by its own offsets. */
function rangesWithin(ranges: readonly TextRange[], { from, length }: { from: number; length: number }): TextRange[] {
  return ranges
    .map(([start, end]) => [Math.max(0, start - from), Math.min(length, end - from)] as const)
    .filter(([start, end]) => end > start);
}
