import { type TextKind, textKinds } from './films/film-text.ts';

/** Lines of one kind that follow each other, as words: a row of the index. */
export interface Passage {
  readonly kind: TextKind;
  /** Number of its first line among those of its kind. */
  readonly from: number;
  /** Words parted by blanks, lines by line ends. */
  readonly text: string;
}

export const linesPerPassage = 10;
/** Neighbours overlap by two lines, so that words across a border, or in three lines, stand in one passage. */
const linesBetweenPassages = 8;

/** Cuts lines, in order of time, into passages; those of each kind apart. A passage without any word is none. */
export function passagesOf(lines: Readonly<Record<TextKind, readonly string[]>>): Passage[] {
  return textKinds.flatMap((kind) =>
    lines[kind].flatMap((_, from) => {
      const window = beginsPassage(from, lines[kind].length) ? lines[kind].slice(from, from + linesPerPassage) : [];
      return window.some((line) => line !== '') ? [{ kind, from, text: window.join('\n') }] : [];
    }),
  );
}

/** Whether a passage begins with this line of `count`, with words or without: the last ones stand in the passage before. */
export function beginsPassage(line: number, count: number): boolean {
  return line % linesBetweenPassages === 0 && (line === 0 || line + linesPerPassage - linesBetweenPassages < count);
}
