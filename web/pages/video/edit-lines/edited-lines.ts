import type { Line, LineEntry } from '#contract/corrections.ts';

export function isSameLine(a: Line, b: Line): boolean {
  return a.startMs === b.startMs && a.endMs === b.endMs && a.text === b.text && a.speaker === b.speaker;
}

/** Whether two lines are said at the same time, if only for a moment. */
export function isAtTimeOf(a: Line, b: Line): boolean {
  return a.startMs < b.endMs && a.endMs > b.startMs;
}

/** What stands in the place of a line by now: the one that is said at its time, or, where several are, just then, or by that speaker. Undefined where that is not clear. */
export function pickReplacement(lines: readonly Line[], line: Line): Line | undefined {
  const there = lines.filter((one) => isAtTimeOf(one, line));
  const justThen = there.filter(({ startMs, endMs }) => startMs === line.startMs && endMs === line.endMs);
  const byThem = justThen.filter(({ speaker }) => speaker === line.speaker);
  return [there, justThen, byThem].find(({ length }) => length === 1)?.[0];
}

/** Where a line stands in a list; where it is not there any more, the one that begins nearest. -1 in an empty list. */
export function placeOf(lines: readonly Line[], line: Line | null): number {
  if (!line) return lines.length > 0 ? 0 : -1;
  const same = lines.findIndex((one) => isSameLine(one, line));
  if (same >= 0) return same;
  const awayMs = lines.map(({ startMs }) => Math.abs(startMs - line.startMs));
  return awayMs.indexOf(Math.min(...awayMs));
}

/** The two lines that one comes to when it is split between two of its letters; null where one of them would say nothing. The time is shared by letters. */
export function splitLine(line: Line, at: number): [Line, Line] | null {
  const [head, tail] = [line.text.slice(0, at).trim(), line.text.slice(at).trim()];
  const middleMs = Math.round(line.startMs + (line.endMs - line.startMs) * (at / line.text.length));
  if (head === '' || tail === '' || middleMs <= line.startMs || middleMs >= line.endMs) return null;
  return [
    { ...line, text: head, endMs: middleMs },
    { ...line, text: tail, startMs: middleMs },
  ];
}

/** One line of two that follow each other. */
export function joinLines(line: Line, next: Line): Line {
  return {
    startMs: line.startMs,
    endMs: Math.max(line.endMs, next.endMs),
    text: `${line.text} ${next.text}`,
    speaker: line.speaker ?? next.speaker,
  };
}

/** The next line that a machine was not sure of and nobody has looked at, behind this one and then from the beginning; -1 where there is none. */
export function nextDoubtfulIn(lines: readonly LineEntry[], from: number): number {
  const behind = lines.findIndex(({ isDoubtful }, n) => n > from && isDoubtful);
  return behind >= 0 ? behind : lines.findIndex(({ isDoubtful }) => isDoubtful);
}

/** `00:14:07.250` */
export function writeTime(ms: number): string {
  const [hours = 0, minutes = 0, seconds = 0] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1_000) % 60].map(Math.floor);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(hours)}:${two(minutes)}:${two(seconds)}.${String(Math.round(ms) % 1_000).padStart(3, '0')}`;
}

export function describeProgress(lines: readonly LineEntry[]): string {
  const looked = lines.filter(({ review }) => review).length;
  const doubtful = lines.filter(({ isDoubtful }) => isDoubtful).length;
  return `${looked} of ${lines.length} checked${doubtful > 0 ? `, ${doubtful} doubtful` : ''}`;
}

/** The line that is said at a second; -1 in a silence. */
export function playingAt(lines: readonly LineEntry[], seconds: number): number {
  return lines.findLastIndex(({ startMs, endMs }) => startMs <= 1_000 * seconds && 1_000 * seconds < endMs);
}

/** What a key does besides writing. */
export type Act = 'play' | 'back' | 'next' | 'previous' | 'doubtful' | 'join' | 'undo' | 'begins' | 'ends';

/** By the place of the key, which is the same whatever Alt makes of its letter. */
const actsOfAlt: Readonly<Record<string, Act>> = {
  KeyK: 'play',
  KeyJ: 'back',
  ArrowDown: 'next',
  ArrowUp: 'previous',
  KeyN: 'doubtful',
  KeyM: 'join',
  KeyU: 'undo',
  BracketLeft: 'begins',
  BracketRight: 'ends',
};

/** On a Mac Option alone writes letters (ü, ñ, a quotation mark): there the keys are taken with Control as well. */
export const isMac = /^(Mac|iPad|iPhone)/.test(navigator.platform);

type PressedKey = Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'code'>;

/** What a key is pressed for; undefined where it writes, or is none of ours. */
export function actOf({ altKey, ctrlKey, metaKey, shiftKey, code }: PressedKey, onMac = isMac): Act | undefined {
  // Control with Alt is AltGr elsewhere, which writes as well.
  return altKey && !metaKey && !shiftKey && ctrlKey === onMac ? actsOfAlt[code] : undefined;
}
