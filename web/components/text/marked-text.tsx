/*
 * How things are written: marked words here, times (time-code), counts, citations, what a visibility is called.
 */
import type { TextRange } from '#contract/video-service/answers.ts';

interface MarkedTextProps {
  text: string;
  ranges: readonly TextRange[];
  /** Cuts a long line around its first mark, for so much room; whole where nothing is told. */
  cut?: Room;
  /** `strong` for names in the search box; everything else carries the highlighter. */
  by?: 'mark' | 'strong';
}

/** A text with its matches marked, by React elements only: what the footage says is never markup. */
export function MarkedText({ text, ranges, cut, by = 'mark' }: MarkedTextProps) {
  const parts = markText(text, ranges);
  const shown = cut ? cutLine(parts, cut) : parts;
  const Mark = by === 'mark' ? 'mark' : 'b';
  return shown.map((part, index) => {
    const key = `${index}`;
    return part.marked ? <Mark key={key}>{part.text}</Mark> : <span key={key}>{part.text}</span>;
  });
}

interface TextPart {
  text: string;
  marked: boolean;
}

/** Cuts a text into marked and plain parts. Ranges may come in any order; what lies beyond the text is left out. */
export function markText(text: string, ranges: readonly TextRange[]): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  const take = (to: number, marked: boolean) => {
    if (to > at) parts.push({ text: text.slice(at, to), marked });
    at = Math.max(at, to);
  };
  for (const [from, to] of ranges.toSorted((one, other) => one[0] - other[0])) {
    const [start, end] = [Math.min(from, text.length), Math.min(to, text.length)];
    if (end <= Math.max(start, at)) continue;
    take(start, false);
    take(end, true);
  }
  take(text.length, false);
  return parts;
}

/** In characters: how many stand before the first mark at most, and how many in all. */
interface Room {
  readonly before: number;
  readonly inAll: number;
}

/** Two lines or so, and one that is not broken. */
export const rooms = { card: { before: 60, inAll: 180 }, row: { before: 24, inAll: 54 } } as const satisfies Record<string, Room>;

/** Cuts a long line around its first mark, at words, so that no mark is ever clipped by an ellipsis. */
export function cutLine(parts: readonly TextPart[], { before, inAll }: Room): TextPart[] {
  const length = parts.reduce((sum, part) => sum + part.text.length, 0);
  if (length <= inAll) return [...parts];
  const firstMark = spanOfFirstMark(parts);
  const text = parts.map((part) => part.text).join('');
  const from = firstMark.start > before ? nextWordStartIn(text, { from: firstMark.start - before, until: firstMark.start }) : 0;
  const to = Math.max(firstMark.end, Math.min(length, from + inAll));
  return slice(parts, { from, to: to < length ? previousWordEndIn(text, { from: to, until: firstMark.end }) : length });
}

function spanOfFirstMark(parts: readonly TextPart[]) {
  let at = 0;
  for (const part of parts) {
    if (part.marked) return { start: at, end: at + part.text.length };
    at += part.text.length;
  }
  return { start: 0, end: 0 };
}

function nextWordStartIn(text: string, { from, until }: { from: number; until: number }): number {
  const space = text.indexOf(' ', from);
  return space === -1 || space >= until ? until : space + 1;
}

function previousWordEndIn(text: string, { from, until }: { from: number; until: number }): number {
  const space = text.lastIndexOf(' ', from);
  return space <= until ? Math.max(from, until) : space;
}

/** A mark that the window would cut is kept whole. */
function slice(parts: readonly TextPart[], { from, to }: { from: number; to: number }): TextPart[] {
  const kept: TextPart[] = [];
  let at = 0;
  let cutAfter = false;
  for (const part of parts) {
    const end = at + part.text.length;
    if (end > from && at < to) {
      const text = part.marked ? part.text : part.text.slice(Math.max(0, from - at), to - at);
      kept.push({ text, marked: part.marked });
    }
    cutAfter = end > to;
    at = end;
  }
  const before = from > 0 ? [{ text: '… ', marked: false }] : [];
  const after = cutAfter ? [{ text: ' …', marked: false }] : [];
  return [...before, ...kept, ...after];
}
