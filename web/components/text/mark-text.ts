interface TextPart {
  text: string;
  marked: boolean;
}

/** Cuts a text into marked and plain parts; the marked ones are the places of `exactTexts`, whatever their case. */
export function markText(text: string, exactTexts: readonly string[]): TextPart[] {
  const folded = fold(text);
  const spans = exactTexts.flatMap((exact) => placesOf(exact, { text, folded }));
  const parts: TextPart[] = [];
  let at = 0;
  for (const { start, end } of join(spans)) {
    if (start > at) parts.push({ text: text.slice(at, start), marked: false });
    parts.push({ text: text.slice(start, end), marked: true });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), marked: false });
  return parts;
}

interface Span {
  start: number;
  end: number;
}

interface Folded {
  text: string;
  /** For every unit of the folded text: where its character begins in the original; -1 inside a character that grew. */
  origin: number[];
}

/** Lower case, character by character, so that one that grows (İ becomes two) never shifts the places after it. */
function fold(text: string): Folded {
  const origin: number[] = [];
  let folded = '';
  let at = 0;
  for (const character of text) {
    const lower = character.toLowerCase();
    for (let unit = 0; unit < lower.length; unit += 1) origin.push(unit === 0 ? at : -1);
    folded += lower;
    at += character.length;
  }
  origin.push(at);
  return { text: folded, origin };
}

/** Places of whole words if there are any, else beginnings of words, else wherever it stands: `art` does not mark `start` beside `art`. */
function placesOf(exact: string, { text, folded }: { text: string; folded: Folded }): Span[] {
  const needle = fold(exact).text;
  if (needle === '') return [];
  const all: Span[] = [];
  for (let at = folded.text.indexOf(needle); at !== -1; at = folded.text.indexOf(needle, at + needle.length)) {
    const start = folded.origin[at] ?? -1;
    const end = folded.origin[at + needle.length] ?? -1;
    if (start !== -1 && end !== -1) all.push({ start, end });
  }
  const beginnings = all.filter(({ start }) => !isWordCharacter(text.slice(0, start).slice(-2), 'last'));
  const words = beginnings.filter(({ end }) => !isWordCharacter(text.slice(end, end + 2), 'first'));
  return [words, beginnings, all].find((some) => some.length > 0) ?? [];
}

function isWordCharacter(around: string, which: 'first' | 'last'): boolean {
  const characters = [...around];
  const character = which === 'first' ? characters[0] : characters.at(-1);
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

function join(spans: Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    const last = joined.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else joined.push({ ...span });
  }
  return joined;
}

const charactersBefore = 60;
const charactersInAll = 180;

/** Cuts a long line around its first mark, at words, so that no mark is ever clipped by an ellipsis. */
export function cutLine(parts: readonly TextPart[]): TextPart[] {
  const length = parts.reduce((sum, part) => sum + part.text.length, 0);
  if (length <= charactersInAll) return [...parts];
  const firstMark = spanOfFirstMark(parts);
  const text = parts.map((part) => part.text).join('');
  const from =
    firstMark.start > charactersBefore ? nextWordStart(text, { from: firstMark.start - charactersBefore, until: firstMark.start }) : 0;
  const to = Math.max(firstMark.end, Math.min(length, from + charactersInAll));
  return slice(parts, { from, to: to < length ? previousWordEnd(text, { from: to, until: firstMark.end }) : length });
}

function spanOfFirstMark(parts: readonly TextPart[]) {
  let at = 0;
  for (const part of parts) {
    if (part.marked) return { start: at, end: at + part.text.length };
    at += part.text.length;
  }
  return { start: 0, end: 0 };
}

function nextWordStart(text: string, { from, until }: { from: number; until: number }): number {
  const space = text.indexOf(' ', from);
  return space === -1 || space >= until ? until : space + 1;
}

function previousWordEnd(text: string, { from, until }: { from: number; until: number }): number {
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
